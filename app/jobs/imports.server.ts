import type { AppLoadContext } from "@remix-run/cloudflare";
import { runningImports } from "#app/features/listings/import/imports.server.ts";
import { startImport, workOff } from "#app/features/listings/import/work-off.server.ts";

/** The message of the queue: an import is to be worked off. */
export interface ImportMessage {
  importId: string;
}

type Context = Pick<AppLoadContext, "db" | "environment" | "photoStorage" | "reference">;

/** The consumer of the queue. */
export async function consumeImports(context: Context, messages: readonly ImportMessage[]): Promise<void> {
  const { db, environment, photoStorage, reference } = context;
  for (const importId of new Set(messages.map((message) => message.importId))) {
    if (await workOff(db, importId, { ...environment, photoStorage, reference }))
      await environment.IMPORT_QUEUE?.send({ importId });
  }
}

/** The job: continues imports whose message was lost. Rows that somebody else works on are done once all the same. */
export async function continueImports(context: Context): Promise<void> {
  for (const { id } of await runningImports(context.db)) await startImport(context, id);
}
