import { endWithUsage, parseArguments } from "./arguments.ts";
import { openLocalState } from "./local-state.ts";
import { restorePhotos, withBucket } from "./photo-backup.ts";
import { runCommand } from "./run-command.ts";

// `npm run photos:restore -- FOLDER` copies exported photos back.
await runCommand(async () => {
  const usage = "photos:restore FOLDER";
  const [folder] = parseArguments(usage, { allowPositionals: true }).positionals;
  if (!folder) endWithUsage(usage);
  const count = await withBucket(await openLocalState(), (bucket) => restorePhotos(bucket, folder));
  console.log(`Restored ${count} files from ${folder}.`);
});
