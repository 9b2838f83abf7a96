import { cp } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { openLibsql } from "../../scripts/database.ts";
import { withLocalD1 } from "../../scripts/local-d1.ts";
import { migrateDatabase } from "../../scripts/migrations.ts";
import { keep } from "./kept-folder.ts";
import { startLibsql } from "./libsql.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The data of migrated, empty databases, to start servers with copies of, which is faster than migrating each. */
    d1Folder: string;
    libsqlFolder: string;
  }
}

export default async function provideDatabases(project: TestProject) {
  const d1 = keep("d1", ["migrations", "wrangler.toml"], (folder) =>
    withLocalD1(folder, async (db) => void (await migrateDatabase(db))),
  );
  const libsql = keep("libsql", ["migrations"], async (folder) => {
    const server = await startLibsql();
    await openLibsql(server.url);
    await server.kill();
    await cp(server.data, folder, { recursive: true });
    await server.stop();
  });
  project.provide("d1Folder", await d1);
  project.provide("libsqlFolder", await libsql);
}
