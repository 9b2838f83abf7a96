import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildInto } from "../../scripts/build.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The directory of this run's build. */
    buildFolder: string;
  }
}

/** Each project loads this module separately, so the shared build is a property of the process. */
const run = globalThis as { ringbackBuild?: Promise<string> };

/** Builds the product once for all projects of a run, and provides its directory to the tests. */
export default async function provideBuild(project: TestProject) {
  run.ringbackBuild ??= buildInTempFolder();
  const folder = await run.ringbackBuild;
  project.provide("buildFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}

async function buildInTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ringback-build-"));
  try {
    await buildInto(folder, undefined, "pipe");
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
