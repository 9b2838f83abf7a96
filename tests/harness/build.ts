import type { TestProject } from "vitest/node";
import { buildInto } from "../../scripts/build.ts";
import { keep } from "./kept-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The directory of the product's build. */
    buildFolder: string;
  }
}

const sources = ["app", "public", "package-lock.json", "remix.config.js", "tsconfig.json", "vite.config.ts"];

/** Builds the product, unless its sources are those of the last build. */
export default async function provideBuild(project: TestProject) {
  project.provide(
    "buildFolder",
    await keep("build", sources, (folder) => buildInto(folder, undefined, "pipe")),
  );
}
