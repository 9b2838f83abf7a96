import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { SignInLayout } from "#app/features/accounts/sign-in-pages.tsx";
import { notificationTexts } from "#app/features/notifications/notification-texts.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { Link } from "#app/ui/link.tsx";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Stop emails");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

/** Loaded on demand: few requests need it. */
const loadChoices = () => import("#app/features/notifications/email-choices.server.ts");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public: the signed token in the emailed link says whose emails and which.
  const kind = (await tokenOf(context, request))?.kind ?? null;
  return json({ kind }, { status: kind ? 200 : 410 });
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public: as above. Mail services post here, without cookies, and follow no redirect (RFC 8058).
  const limitRefusal = await rateLimitRefusal(context, "unsubscribe", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const token = await tokenOf(context, request);
  if (!token) return json({ result: null, done: false }, { status: 410 });
  const { unsubscribe } = await loadChoices();
  await unsubscribe(context.db, token);
  return json({ result: null, done: true });
});

async function tokenOf(context: AppLoadContext, request: Request) {
  const { readUnsubscribeToken } = await loadChoices();
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return readUnsubscribeToken(context.secrets, token);
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Unsubscribe() {
  const { kind } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (kind === null) {
    return (
      <SignInLayout title="This link doesn’t work">
        <p>Open the link in the email again, or choose your emails under My account.</p>
        <ToMyAccount />
      </SignInLayout>
    );
  }
  const label = notificationTexts[kind].label;
  if (result && "done" in result && result.done) {
    return (
      <SignInLayout title="Unsubscribed">
        <p>No more emails about “{label}”. You’ll still see them under Notifications.</p>
        <ToMyAccount />
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="Stop these emails?">
      <ActionError />
      <p className="mb-6">We’ll stop emails about “{label}”. You’ll still see them under Notifications.</p>
      <Form method="post" className="grid">
        <SubmitButton>Stop these emails</SubmitButton>
      </Form>
    </SignInLayout>
  );
}

function ToMyAccount() {
  return (
    <p className="mt-6">
      <Link to="/manage/account/emails" className="link font-medium text-primary">
        Choose your emails
      </Link>
    </p>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
