import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { cruise, type IFlattenedRuleSet } from "dependency-cruiser";
import { afterEach, expect, test } from "vitest";

/** The features in order: each may import only those before it. */
const features = [
  "accounts",
  "tables",
  "audit",
  "saved-listings",
  "reviews",
  "photos",
  "pages",
  "listings",
  "catalog",
  "messages",
  "payments",
  "orders",
  "order-problems",
  "saved-searches",
  "moderation",
  "support-tickets",
  "notifications",
  "administration",
  "statistics",
  "profile",
] as const;

const routeModules = "^app/(routes/|root\\.tsx$|entry\\.)";

/** Which imports are allowed: worker → jobs, routes → frame, auth → features → server → db, ui. All others are errors. */
const rules: IFlattenedRuleSet = {
  allowedSeverity: "error",
  allowed: [
    // Packages have a test of their own: dependency-use.test.ts.
    { from: {}, to: { pathNot: "^app/" } },
    { from: {}, to: { path: "^app/(brand|market|parcel-services|terms|time)\\.ts$" } },
    // A directory may import from itself; each feature is a directory of its own.
    { from: { path: "^app/(auth|db|frame|jobs|routes|server|ui)/" }, to: { path: "^app/$1/" } },
    { from: { path: "^app/features/([^/]+)/" }, to: { path: "^app/features/$1/" } },

    { from: { path: "^app/worker\\.ts$" }, to: { path: "^app/(jobs|server|db)/" } },
    { from: { path: "^app/jobs/" }, to: { path: "^app/(features|server)/" } },

    {
      from: { path: routeModules },
      to: { path: "^app/(auth|features|frame|routes|server|ui)/|^app/app\\.css$" },
    },
    { from: { path: "^app/frame/" }, to: { path: "^app/(features|server|ui)/" } },
    { from: { path: "^app/auth/" }, to: { path: "^app/(features|server)/" } },
    // Routes and sign-in read the database through features only.
    {
      from: { path: `${routeModules}|^app/auth/` },
      to: { path: "^app/db/", dependencyTypes: ["type-only"] },
    },
    { from: { path: "^app/routes\\.ts$" }, to: { path: "^app/server/http/paths\\.ts$" } },
    // Cursors stand in URLs.
    { from: { path: routeModules }, to: { path: "^app/db/cursor\\.ts$" } },
    // An unreachable database decides the status of the response.
    { from: { path: "^app/(routes|server)/" }, to: { path: "^app/db/outage\\.ts$" } },

    ...features.slice(1).map((feature, index) => ({
      from: { path: `^app/features/${feature}/` },
      to: { path: `^app/features/(${features.slice(0, index + 1).join("|")})/` },
    })),
    { from: { path: "^app/features/" }, to: { path: "^app/db/" } },
    {
      from: { path: "^app/features/", pathNot: "\\.(server|rules|schema)\\.tsx?$" },
      to: { path: "^app/ui/" },
    },
    // Features know no HTTP: no requests, responses or caches.
    { from: { path: "^app/features/" }, to: { path: "^app/server/(config|forms|logging|mail)/" } },

    { from: { path: "^app/server/" }, to: { path: "^app/db/", dependencyTypes: ["type-only"] } },
    // Each request gets its own database handle.
    {
      from: { path: "^app/server/http/request-context\\.server\\.ts$" },
      to: { path: "^app/db/client\\.server\\.ts$" },
    },
    // Idempotency keys belong to HTTP and are stored in the database.
    {
      from: { path: "^app/server/api/idempotency\\.server\\.ts$" },
      to: { path: "^app/db/idempotency-keys\\.server\\.ts$" },
    },
  ],
  forbidden: [
    // Type-only circles too.
    { name: "circle", severity: "error", from: {}, to: { circular: true } },
    // The rules above cannot judge an import that was not resolved. TypeScript reports missing packages.
    { name: "unresolved", severity: "error", from: {}, to: { couldNotResolve: true, path: "^[.#]" } },
  ],
};

async function violations(baseDir: string): Promise<string[]> {
  const { output } = await cruise(
    ["app"],
    {
      baseDir,
      ruleSet: rules,
      validate: true,
      tsPreCompilationDeps: "specify",
      doNotFollow: { path: "node_modules" },
      skipAnalysisNotInRules: true,
    },
    { extensions: [".ts", ".tsx"], conditionNames: ["import", "types", "default"] },
  );
  if (typeof output === "string") throw new Error(output);
  expect(output.summary.totalDependenciesCruised).toBeGreaterThan(0);
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
}

test("imports follow the rules, without cycles", async () => {
  const rules = "each line names the rule; docs/architecture.md#what-may-import-what explains them";
  expect(await violations(process.cwd()), rules).toEqual([]);
});

/** Pages of buyers and sellers that show something to staff as well. */
const sharedPages = ["dashboard/layout.tsx", "dashboard/order.tsx", "dashboard/undo.ts"];

test("pages of buyers and sellers import nothing from administration", async () => {
  const importers: string[] = [];
  for (const path of await readdir("app/routes", { recursive: true })) {
    if (path.startsWith("api") || !/\.tsx?$/.test(path)) continue;
    const source = await readFile(join("app/routes", path), "utf8");
    const isForAnyRole = / access: "(anyone|signed in|my sellings)"/.test(source);
    if (isForAnyRole && source.includes("#app/features/administration/")) importers.push(path);
  }
  expect(importers.sort()).toEqual(sharedPages);
});

test("app has only the directories that the rules name", async () => {
  const contents = async (directory: string) => (await readdir(directory)).sort();
  expect(await contents("app")).toEqual([
    "app.css",
    "auth",
    "brand.ts",
    "db",
    "entry.client.tsx",
    "entry.server.tsx",
    "environment.d.ts",
    "features",
    "frame",
    "jobs",
    "market.ts",
    "parcel-services.ts",
    "root.tsx",
    "routes",
    "routes.ts",
    "server",
    "terms.ts",
    "time.ts",
    "ui",
    "worker.ts",
  ]);
  expect(await contents("app/features")).toEqual([...features].sort());
  expect(await contents("app/server")).toEqual([
    "api",
    "cache",
    "config",
    "forms",
    "http",
    "logging",
    "mail",
  ]);
  const routeFiles = await readdir("app/routes", { withFileTypes: true });
  const routeDirectories = routeFiles.filter((file) => file.isDirectory()).map(({ name }) => name);
  expect(routeDirectories.sort()).toEqual(["account", "api", "catalog", "dashboard", "pages", "payments"]);
});

let example = "";
afterEach(() => rm(example, { recursive: true, force: true }));

test("forbidden imports of an example are found", async () => {
  example = await mkdtemp(join(tmpdir(), "ringback-dependencies-"));
  const files = {
    "package.json": `{ "type": "module", "imports": { "#app/*": "./app/*" } }`,
    "app/db/schema.ts": `export type Role = "Buyer"; export const roles = ["Buyer"];`,
    "app/db/client.server.ts": `import "./schema.ts"; import "#app/server/http/headers.ts";`,
    "app/server/http/headers.ts": `import "#app/db/schema.ts"; export const headers = 1;`,
    "app/server/http/request-context.server.ts": `import "#app/db/client.server.ts"; import "#app/features/accounts/a.ts";`,
    "app/server/config/keys.ts": `import "#app/auth/guard.ts"; import "#app/ui/button.tsx"; export const keys = 1;`,
    "app/ui/button.tsx": `import "#app/features/listings/card.tsx"; export const button = 1;`,
    "app/ui/link.tsx": `export const link = 1;`,
    "app/ui/table.tsx": `import "#app/server/config/fine.ts"; import "#app/db/schema.ts";`,
    "app/server/config/fine.ts": `export const fine = 1;`,
    "app/auth/guard.ts": `import type { Role } from "#app/db/schema.ts"; import "#app/features/accounts/fine.ts"; export type R = Role;`,
    "app/auth/log-in.ts": `import { roles } from "#app/db/schema.ts"; import "#app/routes/page.tsx"; export default roles;`,
    "app/features/accounts/a.ts": `import "../listings/l.server.ts"; import "#app/db/schema.ts";`,
    "app/features/accounts/fine.ts": `import "#app/server/config/fine.ts"; export type P = 1;`,
    "app/features/audit/type-circle.ts": `import type { Q } from "./other-type.ts"; export type P = Q;`,
    "app/features/audit/other-type.ts": `import type { P } from "./type-circle.ts"; export type Q = P | 1;`,
    "app/features/photos/p.ts": `import "../listings/circle.ts"; import "../audit/other-type.ts";`,
    "app/features/listings/l.server.ts": `import "#app/ui/link.tsx"; import "../accounts/fine.ts"; import "../orders/o.ts";`,
    "app/features/listings/card.tsx": `import "#app/server/http/headers.ts"; import "./circle.ts"; import "#app/ui/link.tsx";`,
    "app/features/listings/circle.ts": `import "./other-half.ts"; export const one = 1;`,
    "app/features/listings/other-half.ts": `import "./circle.ts"; export const two = 2;`,
    "app/features/orders/o.ts": `import "../profile/r.ts"; import "#app/routes/page.tsx"; import "../listings/circle.ts";`,
    "app/features/profile/r.ts": `import "../listings/nowhere.ts"; import "#app/auth/guard.ts";`,
    "app/routes/page.tsx": `import type { Role } from "#app/db/schema.ts"; import "#app/features/accounts/fine.ts"; import "#app/auth/guard.ts"; export const page: Role = "Buyer";`,
    "app/root.tsx": `import { roles } from "#app/db/schema.ts"; export default roles; import "#app/worker.ts";`,
    "app/worker.ts": `import "#app/server/http/headers.ts"; import "#app/features/accounts/fine.ts"; import "#app/routes/page.tsx";`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(example, path)), { recursive: true });
    await writeFile(join(example, path), text);
  }
  await symlink(resolve("node_modules"), join(example, "node_modules"));

  expect(await violations(example)).toEqual([
    "circle: app/features/audit/other-type.ts → app/features/audit/type-circle.ts",
    "circle: app/features/listings/circle.ts → app/features/listings/other-half.ts",
    "not-in-allowed: app/auth/log-in.ts → app/db/schema.ts",
    "not-in-allowed: app/auth/log-in.ts → app/routes/page.tsx",
    "not-in-allowed: app/db/client.server.ts → app/server/http/headers.ts",
    "not-in-allowed: app/features/accounts/a.ts → app/features/listings/l.server.ts",
    "not-in-allowed: app/features/listings/card.tsx → app/server/http/headers.ts",
    "not-in-allowed: app/features/listings/l.server.ts → app/features/orders/o.ts",
    "not-in-allowed: app/features/listings/l.server.ts → app/ui/link.tsx",
    "not-in-allowed: app/features/orders/o.ts → app/features/profile/r.ts",
    "not-in-allowed: app/features/orders/o.ts → app/routes/page.tsx",
    "not-in-allowed: app/features/photos/p.ts → app/features/listings/circle.ts",
    "not-in-allowed: app/features/profile/r.ts → app/auth/guard.ts",
    "not-in-allowed: app/root.tsx → app/db/schema.ts",
    "not-in-allowed: app/root.tsx → app/worker.ts",
    "not-in-allowed: app/server/config/keys.ts → app/auth/guard.ts",
    "not-in-allowed: app/server/config/keys.ts → app/ui/button.tsx",
    "not-in-allowed: app/server/http/headers.ts → app/db/schema.ts",
    "not-in-allowed: app/server/http/request-context.server.ts → app/features/accounts/a.ts",
    "not-in-allowed: app/ui/button.tsx → app/features/listings/card.tsx",
    "not-in-allowed: app/ui/table.tsx → app/db/schema.ts",
    "not-in-allowed: app/ui/table.tsx → app/server/config/fine.ts",
    "not-in-allowed: app/worker.ts → app/features/accounts/fine.ts",
    "not-in-allowed: app/worker.ts → app/routes/page.tsx",
    "unresolved: app/features/profile/r.ts → ../listings/nowhere.ts",
  ]);
});
