import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requirePermission } from "#app/auth/guard.server.ts";
import { brandMergingSchema } from "#app/features/administration/brand-merging.schema.ts";
import { BrandMergingForm } from "#app/features/administration/brand-merging-form.tsx";
import { ListingTable } from "#app/features/administration/listing-table.tsx";
import { listingTable } from "#app/features/listings/listing-table.rules.ts";
import { listAllListings } from "#app/features/listings/listing-tables.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { confirmedIn } from "../message-question.server.ts";
import { handleRemoveListing, tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("All listings");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle = { access: "manage listings", menu: { label: "All listings" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { cursor, query } = tableQuery(listingTable, request);
  const listings = await listAllListings(context.db, cursor, query);
  return { viewerId: viewer.id, account: viewer.email, formKey: crypto.randomUUID(), query, listings };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const form = await readForm(request);
  if (form.get("intent") !== "merge") return handleRemoveListing(context, request, viewer, form);
  const submission = parseForm(form, brandMergingSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal({ context, request, viewer, form }, "bulk action");
  if (refusal) return invalidForm(submission, refusal);
  const { findBrandMerging, mergeBrands, mergingQuestion } = await import(
    "#app/features/administration/brand-merging.server.ts"
  );
  const merging = await findBrandMerging(context.db, submission.value);
  if (!merging) return invalidForm(submission, { fieldErrors: { brand: ["No listing has this brand"] } });
  const { from, to } = merging;
  if (from === to)
    return invalidForm(submission, { fieldErrors: { spelling: ["It’s spelled like this already"] } });
  const asked = [`${from} into ${to}`];
  if (!confirmedIn(form).includes(asked[0] ?? ""))
    return invalidForm(submission, { fieldErrors: { spelling: [mergingQuestion(merging)] }, asked });
  await mergeBrands(context.db, viewer, merging);
  return redirectWithToast(context, pathAndQuery(request), {
    kind: "success",
    message: `${from} is now ${to}`,
  });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function AllListings() {
  const { viewerId, account, formKey, query, listings } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <ListingTable
      notice={
        <BrandMergingForm
          key={formKey}
          account={account}
          lastResult={actionData?.result}
          asked={actionData?.asked}
        />
      }
      filters={{ table: listingTable, query }}
      listings={listings}
      viewerId={viewerId}
      empty={
        <EmptyState
          icon={<PhoneIcon className="size-10" />}
          title="No listings yet"
          text="Every seller’s listings show up here."
        />
      }
    />
  );
}
