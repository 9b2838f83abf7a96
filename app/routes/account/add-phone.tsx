import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { accountChangeRefusal } from "#app/features/accounts/account-access.server.ts";
import { AddPhoneForm, CompleteListingPrompt } from "#app/features/listings/add-phone-form.tsx";
import { isHeldForApproval } from "#app/features/listings/first-listing-hold.server.ts";
import { findListingToComplete } from "#app/features/listings/listing-edit.server.ts";
import { phoneSchema } from "#app/features/listings/phone.schema.ts";
import { addPhone } from "#app/features/listings/publishing.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { formKeyOf, invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "You Phone Detail");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "publish");
  const { name, email } = viewer;
  const today = new Date().toISOString().slice(0, 10);
  const toComplete = await findListingToComplete(context.db, viewer);
  return { seller: { name, email }, formKey: crypto.randomUUID(), today, toComplete };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "publish");
  const form = await readForm(request);
  const submission = parseForm(form, phoneSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return invalidForm(submission, accountRefusal);
  if (!(await withinLimit(context, "publish", request))) {
    return invalidForm(submission, overLimit("publish"));
  }
  const { HOLD_FIRST_LISTINGS } = context.environment;
  const id = await addPhone(context.db, viewer, submission.value, formKeyOf(form), HOLD_FIRST_LISTINGS);
  if (HOLD_FIRST_LISTINGS && (await isHeldForApproval(context.db, id))) {
    const message = "Added Successfully. We check it first, then it goes on sale.";
    const link = { to: "/manage/mysells", label: "View your listings" };
    return redirectWithToast(context, "/addphone", { kind: "success", message, link });
  }
  const link = { to: `/manage/mysells/${id}/photos`, label: "Add photos" };
  return redirectWithToast(context, "/addphone", { kind: "success", message: "Added Successfully", link });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function AddPhone() {
  const { formKey, toComplete, ...formDefaults } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <div className="page-width py-8 sm:py-12">
      <div className="mx-auto max-w-3xl">
        <h1 className="mb-8 text-3xl font-semibold sm:text-4xl">You Phone Detail</h1>
        {toComplete && <CompleteListingPrompt listing={toComplete} />}
        {/* A new key resets the form after success. */}
        <AddPhoneForm key={formKey} formKey={formKey} {...formDefaults} lastResult={actionData?.result} />
      </div>
    </div>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
