import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireSession } from "#app/auth/guard.server.ts";
import { loadPasskeySection } from "#app/auth/passkey-requests.server.ts";
import { typedFields } from "#app/features/accounts/account.schema.ts";
import { createPasskey } from "#app/features/accounts/passkey-ceremony.ts";
import { countPersonalAccessTokens } from "#app/features/accounts/personal-access-tokens.server.ts";
import { listSessions } from "#app/features/accounts/sessions.server.ts";
import { isSuspended } from "#app/features/accounts/viewer.ts";
import { BlockedPeopleSection } from "#app/features/messages/blocked-people-section.tsx";
import { listBlockedPeople } from "#app/features/messages/blocks.server.ts";
import { listEmailKinds } from "#app/features/notifications/email-choices.server.ts";
import { EmailsSection } from "#app/features/notifications/emails-section.tsx";
import { AddressesSection } from "#app/features/orders/addresses-section.tsx";
import { listAddresses } from "#app/features/orders/saved-addresses.server.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import {
  AddressSection,
  BuyerRecordSection,
  ClosingByAddressSection,
  ClosingObstaclesSection,
  ClosingSection,
  DataSection,
  NameSection,
  NoClosingSection,
  ShopSection,
} from "#app/features/profile/account-sections.tsx";
import {
  FirstPasswordSection,
  PasskeySection,
  PasswordSection,
  SessionsSection,
} from "#app/features/profile/login-sections.tsx";
import { findProfile } from "#app/features/profile/profile.server.ts";
import { TokensSection } from "#app/features/profile/tokens-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest } from "#app/server/http/responses.server.ts";
import { ErrorBox } from "#app/ui/error-box.tsx";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";

export const meta: MetaFunction = () => pageTitle("My account");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", menu: { label: "My account" } };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const { viewer, sessionId } = await requireSession(context, request);
  // Loaded on demand: few requests need it.
  const { closingObstacles } = await import("#app/features/profile/account-closing.server.ts");
  const [profile, sessions, passkeys, tokenCount, emailKinds, blockedPeople, addresses, obstacles] =
    await Promise.all([
      findProfile(context.db, viewer),
      listSessions(context.db, viewer, sessionId),
      loadPasskeySection(context, request, viewer),
      countPersonalAccessTokens(context.db, viewer),
      listEmailKinds(context.db, viewer),
      listBlockedPeople(context.db, viewer),
      listAddresses(context.db, viewer),
      closingObstacles(context.db, viewer),
      markPageNotificationsAsRead(context, request, viewer),
    ]);
  return {
    name: viewer.name,
    email: viewer.email,
    ...profile,
    ...sessions,
    passkeys,
    tokenCount,
    emailKinds,
    blockedPeople,
    addresses,
    obstacles,
    isProtected: hasProvider(context.environment),
    sellerId: viewer.id,
    suspension: isSuspended(viewer) ? { until: viewer.suspendedUntil } : null,
  };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const { viewer, sessionId } = await requireSession(context, request);
  const form = await readForm(request);
  const intent = String(form.get("intent"));
  const { intentHandlers } = await import("./my-account.server.ts");
  if (!Object.hasOwn(intentHandlers, intent)) throw badRequest();
  const limitRefusal = await rateLimitRefusal(context, "change account", request);
  if (limitRefusal) return invalidForm(parseForm(form, typedFields), limitRefusal);
  return intentHandlers[intent as keyof typeof intentHandlers]({ context, request, viewer, sessionId, form });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function MyAccount() {
  const {
    name,
    email,
    addressVerified,
    hasPassword,
    sessions,
    count,
    passkeys,
    tokenCount,
    emailKinds,
    blockedPeople,
    addresses,
    buyerRecord,
    obstacles,
    shopText,
    returnDays,
    inProductFeed,
    isProtected,
    sellerId,
    suspension,
  } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const resultOf = (intent: string) => (result?.initialValue?.intent === intent ? result : undefined);
  const messages = new Set(Object.values(result?.error ?? {}).flat());
  const currentIdHash = sessions.find(({ isCurrent }) => isCurrent)?.idHash;
  return (
    <>
      <h1 className="mb-6 text-3xl font-semibold">My account</h1>
      {/* Without JavaScript the page opens at the top, where the failed form may be out of sight. */}
      {messages.size > 0 && <ErrorBox className="mb-6 text-error">{[...messages].join(" ")}</ErrorBox>}
      <NameSection key={name} name={name} email={email} lastResult={resultOf("name")} />
      {shopText !== null && (
        <ShopSection
          key={shopText}
          shopText={shopText}
          returnDays={isProtected ? returnDays : null}
          inProductFeed={inProductFeed}
          account={email}
          sellerId={sellerId}
          lastResult={resultOf("shop")}
        />
      )}
      <AddressSection email={email} verified={addressVerified} />
      <AddressesSection addresses={addresses} email={email} lastResult={resultOf("add address")} />
      {buyerRecord && <BuyerRecordSection record={buyerRecord} />}
      {hasPassword ? (
        // The hash changes with the password, which resets the form.
        <PasswordSection key={currentIdHash} email={email} lastResult={resultOf("password")} />
      ) : (
        <FirstPasswordSection />
      )}
      <PasskeySection {...passkeys} create={createPasskey} />
      <SessionsSection sessions={sessions} count={count} />
      <EmailsSection key={emailKinds.join()} email={email} isConfirmed={addressVerified} kinds={emailKinds} />
      <TokensSection count={tokenCount} />
      <BlockedPeopleSection people={blockedPeople} />
      <DataSection />
      {suspension ? (
        <NoClosingSection suspendedUntil={suspension.until} />
      ) : obstacles.length > 0 && !resultOf("close") ? (
        <ClosingObstaclesSection obstacles={obstacles} />
      ) : hasPassword ? (
        <ClosingSection email={email} lastResult={resultOf("close")} />
      ) : (
        <ClosingByAddressSection lastResult={resultOf("close")} />
      )}
    </>
  );
}
