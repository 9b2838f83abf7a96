import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requireMySellings } from "#app/auth/guard.server.ts";
import { newestOnlyNote, sellingTable } from "#app/features/listings/listing-table.rules.ts";
import { toAmount } from "#app/features/listings/money.rules.ts";
import { maxPriceChanges } from "#app/features/listings/price-field.rules.ts";
import { PriceStepForm, PricesForm } from "#app/features/listings/price-form.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { type FormRefusal, readForm, submissionKeyOf } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { confirmedIn } from "../message-question.server.ts";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Change prices");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "my sellings" };

const mySells = "/manage/mysells?tab=for+sale";

const pageNames = ["after", "before", "row"];
const stepNames = ["direction", "by", "unit", "nine"];

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const { searchParams } = new URL(request.url);
  const { findPrices, listPrices } = await import("#app/features/listings/price-change.server.ts");
  const { checkPrice, parsePriceStep, steppedPrice } = await import(
    "#app/features/listings/price-change.rules.ts"
  );
  const chosen = [...new Set(searchParams.getAll("id"))];
  const { cursor, query } = tableQuery(sellingTable, request);
  const filters = { tab: "for sale" as const, ...query.filters };
  // Without a choice, all that the tab shows.
  const page =
    chosen.length === 0 ? await listPrices(context.db, viewer, cursor, { ...query, filters }) : null;
  const found = page?.rows ?? (await findPrices(context.db, viewer, chosen));
  const step = parsePriceStep(searchParams);
  const rows = found.map((listing) => {
    const { sellingCents: shownCents } = listing;
    const cents = step && !("error" in step) ? steppedPrice(shownCents, step) : shownCents;
    const typed = String(toAmount(cents));
    const isChecked = cents !== shownCents || listing.refusal;
    const unchanged = { typed, cents, error: null, doubt: null };
    return { ...listing, ...(isChecked ? checkPrice(listing, { typed, shownCents }) : unchanged) };
  });
  const parameters = [...searchParams].filter(([name]) => !stepNames.includes(name));
  return {
    rows,
    confirmed: [] as string[],
    back: safeRedirect(searchParams.get("back"), mySells),
    account: viewer.email,
    formKey: crypto.randomUUID(),
    step: Object.fromEntries([...searchParams].filter(([name]) => stepNames.includes(name))),
    stepError: step && "error" in step ? step.error : null,
    parameters,
    previous: page?.previous ?? null,
    next: page?.next ?? null,
    firstNumber: page?.firstNumber ?? 1,
    isCut: page?.isCut ?? false,
  };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const form = await readForm(request);
  const back = safeRedirect(form.get("back"), mySells);
  const confirmed = confirmedIn(form);
  const { changePrices, findPrices } = await import("#app/features/listings/price-change.server.ts");
  const { changedPrices, checkPrice, leftOutPricesText, pricesChangedText } = await import(
    "#app/features/listings/price-change.rules.ts"
  );
  const typed = changedPrices(form);
  const ids = [...typed.keys()].slice(0, maxPriceChanges);
  const found = await findPrices(context.db, viewer, ids);
  const rows = found.flatMap((listing) => {
    const price = typed.get(listing.id);
    return price
      ? { ...listing, shownCents: price.shownCents, ...checkPrice(listing, price, confirmed) }
      : [];
  });
  const refuse = ({ status = 400, formErrors = [], retryAfter }: FormRefusal) =>
    json(
      { result: { error: { "": formErrors } }, rows, confirmed, back },
      { status, headers: retryAfter ? { "Retry-After": String(retryAfter) } : {} },
    );
  const early = await formRefusal({ context, request, viewer, form }, "edit listing");
  if (early) return refuse(early);
  // What was booked, sold or hidden since is left out, and keeps no other price from changing.
  const leftOut = rows.filter(({ refusal }) => refusal);
  const left = rows.filter(({ refusal }) => !refusal);
  if (left.some(({ error, doubt }) => error || doubt))
    return refuse({ formErrors: ["Nothing has changed yet. Check the prices below and save again."] });
  const changes = left.flatMap(({ id, shownCents, cents }) =>
    cents === null ? [] : [{ id, shownCents, cents }],
  );
  if (changes.length === 0)
    return redirectWithToast(context, back, {
      kind: "error",
      message: leftOutPricesText(leftOut) || "Change at least one price.",
    });
  const formKey = await submissionKeyOf({ request, form });
  const { removalId, outcomes } = await changePrices(context.db, viewer, changes, formKey);
  const done = [...outcomes.values()].filter((outcome) => outcome === "changed" || outcome === "same").length;
  return redirectWithToast(context, back, {
    kind: done > 0 ? "success" : "error",
    message: pricesChangedText(done, changes.length, leftOut),
    undo: removalId ?? undefined,
  });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Prices() {
  const { step, stepError, parameters, previous, next, firstNumber, isCut, ...shown } =
    useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { rows, confirmed, back } = refused ?? shown;
  const { account, formKey } = shown;
  const listed = new URLSearchParams(parameters.filter(([name]) => !pageNames.includes(name)));
  return (
    <div className="max-w-3xl">
      <BackLink to={back}>My Sellings</BackLink>
      <h1 className="mb-6 text-3xl font-semibold">Change prices</h1>
      <ActionError />
      {rows.length === 0 ? (
        <p>Choose at least one listing that’s for sale.</p>
      ) : (
        <>
          {!refused && isCut && <p className="mb-3 text-quiet">{newestOnlyNote}</p>}
          {!refused && <PriceStepForm parameters={parameters} step={step} error={stepError} />}
          <PricesForm rows={rows} confirmed={confirmed} back={back} account={account} formKey={formKey} />
        </>
      )}
      {!refused && (
        <CursorPager
          path={`/manage/mysells/prices?${listed}`}
          previous={previous}
          next={next}
          rows={{ first: firstNumber, end: firstNumber + rows.length }}
        />
      )}
    </div>
  );
}

// In the layout's, the headers of a refused form would be lost.
export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
