import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireSession } from "#app/auth/guard.server.ts";
import { loadPasskeySection } from "#app/auth/passkey-requests.server.ts";
import { createPasskey } from "#app/features/accounts/passkey-ceremony.ts";
import { countPersonalAccessTokens } from "#app/features/accounts/personal-access-tokens.server.ts";
import { listSessions } from "#app/features/accounts/sessions.server.ts";
import { BlockedPeopleSection } from "#app/features/messages/blocked-people-section.tsx";
import { listBlockedPeople } from "#app/features/messages/blocks.server.ts";
import { AccountPage } from "#app/features/profile/account-page.tsx";
import {
  FirstPasswordSection,
  PasskeySection,
  PasswordSection,
  SessionsSection,
} from "#app/features/profile/login-sections.tsx";
import { findProfile } from "#app/features/profile/profile.server.ts";
import { TokensSection } from "#app/features/profile/tokens-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { resultOfForm } from "#app/ui/result-of.ts";

export const meta: MetaFunction = () => pageTitle("Security");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const { viewer, sessionId } = await requireSession(context, request);
  const [{ hasPassword }, sessions, passkeys, tokenCount, blockedPeople] = await Promise.all([
    findProfile(context.db, viewer),
    listSessions(context.db, viewer, sessionId),
    loadPasskeySection(context, request, viewer),
    countPersonalAccessTokens(context.db, viewer),
    listBlockedPeople(context.db, viewer),
  ]);
  return { email: viewer.email, hasPassword, ...sessions, passkeys, tokenCount, blockedPeople };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const session = await requireSession(context, request);
  const { handleAccountForm } = await import("./my-account.server.ts");
  return handleAccountForm("/manage/account/security", context, request, session);
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Security() {
  const { email, hasPassword, sessions, count, passkeys, tokenCount, blockedPeople } =
    useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const currentIdHash = sessions.find(({ isCurrent }) => isCurrent)?.idHash;
  return (
    <AccountPage result={result}>
      {hasPassword ? (
        // The hash changes with the password, which resets the form.
        <PasswordSection key={currentIdHash} email={email} lastResult={resultOfForm(result, "password")} />
      ) : (
        <FirstPasswordSection />
      )}
      <PasskeySection {...passkeys} create={createPasskey} />
      <SessionsSection sessions={sessions} count={count} />
      <TokensSection count={tokenCount} />
      <BlockedPeopleSection people={blockedPeople} />
    </AccountPage>
  );
}
