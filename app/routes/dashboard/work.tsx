import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { parseCursor } from "#app/db/cursor.ts";
import { claimText } from "#app/features/administration/work.rules.ts";
import { WorkView } from "#app/features/administration/work-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectRefused, redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest } from "#app/server/http/responses.server.ts";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";

export const meta: MetaFunction = () => pageTitle("Work");

export const handle = { access: "see work", menu: { label: "Work", counts: "work" } } satisfies RouteHandle;

/** Loaded on demand: only staff have work. */
const loadWork = () => import("#app/features/administration/work.server.ts");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { searchParams } = new URL(request.url);
  const { listWork, workKey, workKindsFor } = await loadWork();
  const kinds = workKindsFor(viewer);
  const only = kinds.find(({ kind }) => kind === searchParams.get("kind"))?.kind;
  const cursor = parseCursor(searchParams, workKey);
  const [work] = await Promise.all([
    listWork(context.db, viewer, { only, cursor }),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  return { kinds, only: only ?? null, work };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const form = await readForm(request);
  const [intent, path] = [form.get("intent"), String(form.get("path"))];
  if (intent !== "take" && intent !== "give back") throw badRequest();
  const back = safeRedirect(form.get("redirectTo"), "/manage/work");
  const limitRefusal = await rateLimitRefusal(context, "take case", request);
  if (limitRefusal) return redirectRefused(context, back, limitRefusal);
  const { findClaim, giveBackCase, takeCase } = await loadWork();
  if (intent === "give back") {
    await giveBackCase(context.db, viewer, path);
    return redirectWithToast(context, back, { kind: "success", message: "Given back" });
  }
  const outcome = await takeCase(context.db, viewer, path);
  if (outcome === "done") {
    return redirectWithToast(context, back, { kind: "success", message: "It’s yours now" });
  }
  const claim = outcome === "taken" ? (await findClaim(context.db, viewer, path))?.claim : null;
  return redirectWithToast(context, back, {
    kind: "error",
    message: claim ? claimText(claim) : "This isn’t open anymore.",
  });
});

export default function WorkPage() {
  return <WorkView {...useLoaderData<typeof loader>()} />;
}
