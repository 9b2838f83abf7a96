import { openExistingState } from "./local-state.ts";
import { exportPhotos, withBucket } from "./photo-backup.ts";
import { runCommand } from "./run-command.ts";

// `npm run photos:export -- FOLDER` copies all photos into a folder.
await runCommand(async () => {
  const folder = process.argv[2];
  if (!folder) throw new Error("Usage: npm run photos:export -- FOLDER");
  const count = await withBucket(await openExistingState("photos"), (bucket) => exportPhotos(bucket, folder));
  console.log(`Copied ${count} new files to ${folder}. Each photo has one for each of its sizes.`);
});
