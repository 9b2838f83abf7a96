import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireSession } from "#app/auth/guard.server.ts";
import { EmailsSection } from "#app/features/notifications/emails-section.tsx";
import { AccountPage } from "#app/features/profile/account-page.tsx";
import { findProfile } from "#app/features/profile/profile.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";

export const meta: MetaFunction = () => pageTitle("Emails");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const { viewer } = await requireSession(context, request);
  const { listEmailKinds } = await import("#app/features/notifications/email-choices.server.ts");
  const [{ addressVerified }, kinds] = await Promise.all([
    findProfile(context.db, viewer),
    listEmailKinds(context.db, viewer),
  ]);
  return { email: viewer.email, addressVerified, kinds };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const session = await requireSession(context, request);
  const { handleAccountForm } = await import("./my-account.server.ts");
  return handleAccountForm("/manage/account/emails", context, request, session);
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Emails() {
  const { email, addressVerified, kinds } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <AccountPage result={result}>
      <EmailsSection
        key={kinds.map(({ isOn }) => isOn).join()}
        email={email}
        isConfirmed={addressVerified}
        kinds={kinds}
      />
    </AccountPage>
  );
}
