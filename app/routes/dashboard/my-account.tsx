import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { hasJustLoggedIn, requireSession } from "#app/auth/guard.server.ts";
import { findRequestedAddress } from "#app/features/accounts/one-time-tokens.server.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import { AccountPage } from "#app/features/profile/account-page.tsx";
import {
  BuyerRecordSection,
  EmailAddressSection,
  NameSection,
  ShopSection,
} from "#app/features/profile/account-sections.tsx";
import { findProfile } from "#app/features/profile/profile.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { resultOfForm } from "#app/ui/result-of.ts";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";

export const meta: MetaFunction = () => pageTitle("My account");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", menu: { label: "My account" } };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const { viewer } = await requireSession(context, request);
  const [profile, requestedAddress, justLoggedIn] = await Promise.all([
    findProfile(context.db, viewer),
    findRequestedAddress(context.db, viewer),
    hasJustLoggedIn(context, request),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  return {
    name: viewer.name,
    email: viewer.email,
    ...profile,
    requestedAddress,
    justLoggedIn,
    isProtected: hasProvider(context.environment),
    sellerId: viewer.id,
  };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const session = await requireSession(context, request);
  const { handleAccountForm } = await import("./my-account.server.ts");
  return handleAccountForm("/manage/account", context, request, session);
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function MyAccount() {
  const {
    name,
    email,
    addressVerified,
    hasPassword,
    requestedAddress,
    justLoggedIn,
    buyerRecord,
    shopText,
    returnDays,
    inProductFeed,
    isProtected,
    sellerId,
  } = useLoaderData<typeof loader>();
  const { result, asked } = useActionData<{ result?: SubmissionResult<string[]>; asked?: string[] }>() ?? {};
  return (
    <AccountPage result={result}>
      <NameSection key={name} name={name} email={email} lastResult={resultOfForm(result, "name")} />
      <EmailAddressSection
        key={`${email} ${requestedAddress}`}
        email={email}
        verified={addressVerified}
        requested={requestedAddress}
        proof={hasPassword ? "password" : justLoggedIn ? "login" : "none"}
        lastResult={resultOfForm(result, "email address")}
      />
      {shopText !== null && (
        <ShopSection
          key={[shopText, returnDays, inProductFeed].join()}
          shopText={shopText}
          returnDays={isProtected ? returnDays : null}
          inProductFeed={inProductFeed}
          account={email}
          sellerId={sellerId}
          lastResult={resultOfForm(result, "shop")}
          asked={asked}
        />
      )}
      {buyerRecord && <BuyerRecordSection record={buyerRecord} />}
    </AccountPage>
  );
}
