import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireSession } from "#app/auth/guard.server.ts";
import { isSuspended } from "#app/features/accounts/viewer.ts";
import { AccountPage } from "#app/features/profile/account-page.tsx";
import {
  ClosingByAddressSection,
  ClosingObstaclesSection,
  ClosingSection,
  DataSection,
  NoClosingSection,
} from "#app/features/profile/account-sections.tsx";
import { findProfile } from "#app/features/profile/profile.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { resultOfForm } from "#app/ui/result-of.ts";

export const meta: MetaFunction = () => pageTitle("Data");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const { viewer } = await requireSession(context, request);
  // Loaded on demand: few requests need it.
  const { closingObstacles } = await import("#app/features/profile/account-closing.server.ts");
  const [{ hasPassword }, obstacles] = await Promise.all([
    findProfile(context.db, viewer),
    closingObstacles(context.db, viewer),
  ]);
  const suspension = isSuspended(viewer) ? { until: viewer.suspendedUntil } : null;
  return { email: viewer.email, hasPassword, obstacles, suspension };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const session = await requireSession(context, request);
  const { handleAccountForm } = await import("./my-account.server.ts");
  return handleAccountForm("/manage/account/data", context, request, session);
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Data() {
  const { email, hasPassword, obstacles, suspension } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const closing = resultOfForm(result, "close");
  return (
    <AccountPage result={result}>
      <DataSection />
      {suspension ? (
        <NoClosingSection suspendedUntil={suspension.until} />
      ) : obstacles.length > 0 && !closing ? (
        <ClosingObstaclesSection obstacles={obstacles} />
      ) : hasPassword ? (
        <ClosingSection email={email} lastResult={closing} />
      ) : (
        <ClosingByAddressSection lastResult={closing} />
      )}
    </AccountPage>
  );
}
