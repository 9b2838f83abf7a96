import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { cruise, type IFlattenedRuleSet } from "dependency-cruiser";
import { afterEach, expect, test } from "vitest";

const doors = "^app/(routes/|root\\.tsx$|entry\\.)";

/** Who may import what. What is not written here is forbidden. */
const law: IFlattenedRuleSet = {
  allowedSeverity: "error",
  allowed: [
    // Packages, and what the compiler provides, are not the house's business.
    { from: {}, to: { pathNot: "^app/" } },
    // A room may use itself; the features are a room each.
    { from: { path: "^app/(db|platform|ui|routes)/" }, to: { path: "^app/$1/" } },
    { from: { path: "^app/features/([^/]+)/" }, to: { path: "^app/features/$1/" } },

    { from: { path: "^app/worker\\.ts$" }, to: { path: "^app/(platform|db)/" } },
    // What may be cached is for the routes to say; the Worker hands it to the platform.
    { from: { path: "^app/worker\\.ts$" }, to: { path: "^app/routes/cached-pages\\.server\\.ts$" } },
    // The clock knocks at a door of its own.
    { from: { path: "^app/worker\\.ts$" }, to: { path: "^app/routes/clock\\.server\\.ts$" } },
    { from: { path: doors }, to: { path: "^app/(features|platform|ui|routes)/|^app/app\\.css$" } },
    { from: { path: doors }, to: { path: "^app/db/", dependencyTypes: ["type-only"] } },
    { from: { path: "^app/features/" }, to: { path: "^app/db/" } },
    { from: { path: "^app/features/.+\\.tsx$" }, to: { path: "^app/ui/" } },
    {
      from: { path: "^app/features/(phones|catalog|bookings|reports)/" },
      to: { path: "^app/features/accounts/" },
    },
    { from: { path: "^app/features/(catalog|bookings|reports)/" }, to: { path: "^app/features/phones/" } },
    { from: { path: "^app/features/reports/" }, to: { path: "^app/features/bookings/" } },
    // The request's database handle is part of its context.
    {
      from: { path: "^app/platform/request-context\\.server\\.ts$" },
      to: { path: "^app/db/client\\.server\\.ts$" },
    },
    { from: { path: "^app/platform/" }, to: { path: "^app/db/", dependencyTypes: ["type-only"] } },
    // Random tokens and digests.
    { from: { path: "^app/features/" }, to: { path: "^app/platform/crypto\\.server\\.ts$" } },
    // Whether the database could be reached decides how a request is answered.
    { from: { path: "^app/(platform|routes)/" }, to: { path: "^app/db/unreachable\\.ts$" } },
    // Idempotency keys belong to the protocol, and are kept in the database.
    {
      from: { path: "^app/platform/idempotency\\.server\\.ts$" },
      to: { path: "^app/db/idempotency-keys\\.server\\.ts$" },
    },
  ],
  forbidden: [
    {
      name: "circle",
      severity: "error",
      from: {},
      // Types vanish before anything runs.
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "unresolved",
      severity: "error",
      from: {},
      // A file of ours that the law cannot see it cannot judge; packages are the compiler's to find.
      to: { couldNotResolve: true, path: "^[.#]" },
    },
  ],
};

/** Every breach of the law below a folder, as "rule: importer → imported". */
async function breaches(baseDir: string): Promise<string[]> {
  const { output } = await cruise(
    ["app"],
    {
      baseDir,
      ruleSet: law,
      validate: true,
      tsPreCompilationDeps: "specify",
      doNotFollow: { path: "node_modules" },
    },
    { extensions: [".ts", ".tsx"], conditionNames: ["import", "types", "default"] },
  );
  if (typeof output === "string") throw new Error(output);
  expect(output.summary.totalDependenciesCruised).toBeGreaterThan(0);
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
}

test("data flows one way through the house, and never in a circle", async () => {
  expect(await breaches(process.cwd())).toEqual([]);
});

test("the house has no rooms but those of the plan", async () => {
  const rooms = (await readdir("app")).sort();
  expect(rooms).toEqual([
    "app.css",
    "db",
    "entry.client.tsx",
    "entry.server.tsx",
    "environment.d.ts",
    "features",
    "platform",
    "root.tsx",
    "routes",
    "routes.ts",
    "ui",
    "worker.ts",
  ]);
  expect((await readdir("app/features")).sort()).toEqual([
    "accounts",
    "bookings",
    "catalog",
    "phones",
    "reports",
  ]);
});

let crooked = "";
afterEach(() => rm(crooked, { recursive: true, force: true }));

test("a crooked house is found out", async () => {
  crooked = await mkdtemp(join(tmpdir(), "ringback-house-"));
  const files = {
    "package.json": `{ "type": "module", "imports": { "#app/*": "./app/*" } }`,
    "app/db/schema.ts": `export type Role = "Buyer"; export const roles = ["Buyer"];`,
    "app/db/client.server.ts": `import "./schema.ts"; import "#app/platform/headers.ts";`,
    "app/platform/headers.ts": `import "#app/db/schema.ts"; export const headers = 1;`,
    "app/server/http/request-context.server.ts": `import "#app/db/client.server.ts"; import "#app/features/accounts/a.ts";`,
    "app/ui/button.tsx": `import "#app/features/phones/card.tsx"; export const button = 1;`,
    "app/features/accounts/a.ts": `import "../phones/p.server.ts"; import "#app/db/schema.ts";`,
    "app/features/phones/p.server.ts": `import "#app/ui/button.tsx"; import "../accounts/fine.ts"; import "../bookings/b.ts";`,
    "app/features/accounts/fine.ts": `import type { Q } from "./type-circle.ts"; export type P = Q;`,
    "app/features/accounts/type-circle.ts": `import type { P } from "./fine.ts"; export type Q = P | 1;`,
    "app/features/phones/card.tsx": `import "#app/platform/headers.ts"; import "./circle.ts";`,
    "app/features/phones/circle.ts": `import "./other-half.ts"; export const one = 1;`,
    "app/features/phones/other-half.ts": `import "./circle.ts"; export const two = 2;`,
    "app/features/bookings/b.ts": `import "../reports/r.ts"; import "#app/routes/page.tsx";`,
    "app/features/reports/r.ts": `import "../phones/nowhere.ts";`,
    "app/routes/page.tsx": `import type { Role } from "#app/db/schema.ts"; import "#app/features/accounts/fine.ts"; export const page: Role = "Buyer";`,
    "app/root.tsx": `import { roles } from "#app/db/schema.ts"; export default roles; import "#app/worker.ts";`,
    "app/worker.ts": `import "#app/platform/headers.ts"; import "#app/features/accounts/fine.ts";`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(crooked, path)), { recursive: true });
    await writeFile(join(crooked, path), text);
  }
  await symlink(resolve("node_modules"), join(crooked, "node_modules"));

  expect(await breaches(crooked)).toEqual([
    "circle: app/features/phones/circle.ts → app/features/phones/other-half.ts",
    "not-in-allowed: app/db/client.server.ts → app/platform/headers.ts",
    "not-in-allowed: app/features/accounts/a.ts → app/features/phones/p.server.ts",
    "not-in-allowed: app/features/bookings/b.ts → app/features/reports/r.ts",
    "not-in-allowed: app/features/bookings/b.ts → app/routes/page.tsx",
    "not-in-allowed: app/features/phones/card.tsx → app/platform/headers.ts",
    "not-in-allowed: app/features/phones/p.server.ts → app/features/bookings/b.ts",
    "not-in-allowed: app/features/phones/p.server.ts → app/ui/button.tsx",
    "not-in-allowed: app/platform/headers.ts → app/db/schema.ts",
    "not-in-allowed: app/server/http/request-context.server.ts → app/features/accounts/a.ts",
    "not-in-allowed: app/root.tsx → app/db/schema.ts",
    "not-in-allowed: app/root.tsx → app/worker.ts",
    "not-in-allowed: app/ui/button.tsx → app/features/phones/card.tsx",
    "not-in-allowed: app/worker.ts → app/features/accounts/fine.ts",
    "unresolved: app/features/reports/r.ts → ../phones/nowhere.ts",
  ]);
});
