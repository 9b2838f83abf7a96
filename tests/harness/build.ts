import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { buildInto } from "../../scripts/build.ts";
import { keep } from "./kept-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the directory of the product's build, once it is there; see `built-folder.ts`. */
    buildServer: string;
  }
}

const sources = ["app", "public", "package-lock.json", "remix.config.js", "tsconfig.json", "vite.config.ts"];

/** Builds the product, unless its sources are those of the last build. Tests that need no build run beside it. */
export default async function provideBuild(project: TestProject) {
  const build = keep("build", sources, (folder) => buildInto(folder, undefined, "pipe"));
  const failed = build.catch((error: Error) => console.error(error.message));
  const server = createServer((_request, response) => {
    build.then(
      (folder) => response.end(folder),
      () => response.writeHead(500).end(),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  project.provide("buildServer", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    await failed;
    server.close();
  };
}
