import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildInto } from "../../scripts/build.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where this run's build of the product is. */
    buildFolder: string;
  }
}

/** Every project of a run loads this file anew, so what they share hangs on the process. */
const run = globalThis as { ringbackBuild?: Promise<string> };

/** Builds the product for a project's tests, once for all projects of a run. */
export default async function provideBuild(project: TestProject) {
  run.ringbackBuild ??= buildAnew();
  const folder = await run.ringbackBuild;
  project.provide("buildFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}

async function buildAnew(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ringback-build-"));
  try {
    await buildInto(folder, undefined, "pipe");
    return folder;
  } catch (fault) {
    await rm(folder, { recursive: true, force: true });
    throw fault;
  }
}
