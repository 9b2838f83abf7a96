import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { SystemView } from "#app/features/administration/system-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { checkSystem } from "#app/server/config/system-checks.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { version } from "../../../package.json";

export const meta: MetaFunction = () => pageTitle("System");

export const handle = { access: "see the system", menu: { label: "System" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  await requirePermission(context, request, handle.access);
  const { db, environment } = context;
  const { LIBSQL_URL, LIBSQL_REPLICA_URL, BACKUPS } = environment;
  const { countDueForJobs, findDatabaseSize, findLastBackupTest, findLastJobRun } = await import(
    "#app/features/administration/job-runs.server.ts"
  );
  const database = {
    isLibsql: LIBSQL_URL !== undefined,
    hasReplica: LIBSQL_REPLICA_URL !== undefined,
    bytes: await findDatabaseSize(db),
  };
  const { findLastBackup } = await import("#app/features/administration/backup.server.ts");
  const backup = BACKUPS && {
    last: await findLastBackup(BACKUPS),
    triedAt: await findLastBackupTest(db),
  };
  const { summarizeEmails } = await import("#app/features/notifications/due-emails.server.ts");
  const { countRunningImports } = await import("#app/features/listings/import/imports.server.ts");
  const { summarizeErrors } = await import("#app/features/administration/recorded-errors.server.ts");
  const [lastRun, emails, waiting, imports, errors] = await Promise.all([
    findLastJobRun(db),
    summarizeEmails(db),
    countDueForJobs(db),
    countRunningImports(db),
    summarizeErrors(db),
  ]);
  return {
    checks: checkSystem(environment),
    lastRun,
    emails,
    waiting,
    imports,
    errors,
    backup,
    database,
    version,
  };
});

export default function SystemPage() {
  return <SystemView {...useLoaderData<typeof loader>()} />;
}
