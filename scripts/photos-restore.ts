import { openLocalState } from "./local-state.ts";
import { restorePhotos, withBucket } from "./photo-backup.ts";
import { runCommand } from "./run-command.ts";

// `npm run photos:restore -- FOLDER` copies exported photos back.
await runCommand(async () => {
  const folder = process.argv[2];
  if (!folder) throw new Error("Usage: npm run photos:restore -- FOLDER");
  const count = await withBucket(await openLocalState(), (bucket) => restorePhotos(bucket, folder));
  console.log(`Restored ${count} files from ${folder}.`);
});
