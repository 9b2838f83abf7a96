import { endWithUsage, parseArguments } from "./arguments.ts";
import { openExistingState } from "./local-state.ts";
import { exportPhotos, withBucket } from "./photo-backup.ts";
import { runCommand } from "./run-command.ts";

// `npm run photos:export -- FOLDER` copies all photos into a folder.
await runCommand(async () => {
  const usage = "photos:export FOLDER";
  const [folder] = parseArguments(usage, { allowPositionals: true }).positionals;
  if (!folder) endWithUsage(usage);
  const count = await withBucket(await openExistingState("photos"), (bucket) => exportPhotos(bucket, folder));
  console.log(`Copied ${count} new files to ${folder}. Each photo has one for each of its sizes.`);
});
