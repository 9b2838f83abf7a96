import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireSession } from "#app/auth/guard.server.ts";
import { AddressesSection } from "#app/features/orders/addresses-section.tsx";
import { listAddresses } from "#app/features/orders/saved-addresses.server.ts";
import { AccountPage } from "#app/features/profile/account-page.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";

export const meta: MetaFunction = () => pageTitle("Addresses");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const { viewer } = await requireSession(context, request);
  return { email: viewer.email, addresses: await listAddresses(context.db, viewer) };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const session = await requireSession(context, request);
  const { handleAccountForm } = await import("./my-account.server.ts");
  return handleAccountForm("/manage/account/addresses", context, request, session);
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Addresses() {
  const { email, addresses } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <AccountPage result={result}>
      <AddressesSection addresses={addresses} email={email} lastResult={result} />
    </AccountPage>
  );
}
