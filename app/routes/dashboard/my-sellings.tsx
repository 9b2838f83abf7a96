import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { requireMySellings } from "#app/auth/guard.server.ts";
import { isUnverifiedSeller } from "#app/features/accounts/accounts.server.ts";
import { isSuspended } from "#app/features/accounts/viewer.ts";
import {
  newestOnlyNote,
  type SellingQuery,
  sellingTable,
  toHandOverTable,
} from "#app/features/listings/listing-table.rules.ts";
import { countTabs, listSellings } from "#app/features/listings/listing-tables.server.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { DraftsTable, SellingsTable } from "#app/features/listings/sellings-table.tsx";
import { ToHandOverTable } from "#app/features/orders/to-hand-over-table.tsx";
import { debtText } from "#app/features/payments/payout-texts.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { countLabel } from "#app/market.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { tableSearch } from "#app/server/forms/table-query.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { isoDayLabel } from "#app/time.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("My Sellings");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "my sellings", menu: { label: "My Sells" } };

const loadDrafts = () => import("#app/features/listings/drafts.server.ts");

const noListings: Awaited<ReturnType<typeof listSellings>> = {
  rows: [],
  firstNumber: 1,
  previous: null,
  next: null,
  isFirstPage: true,
  isCut: false,
};

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const { cursor, query } = tableQuery(sellingTable, request);
  const { tab } = query.filters;
  const [sellings, counts, isUnverified, held, draftCount, drafts, debtCents, orders, pausedUntil] =
    await Promise.all([
      tab === "to hand over" || tab === "drafts"
        ? noListings
        : listSellings(context.db, viewer, cursor, query),
      countTabs(context.db, viewer),
      isUnverifiedSeller(context.db, viewer),
      viewer.userType === "Seller"
        ? import("#app/features/moderation/decisions/own-decisions.server.ts").then(({ countHeldListings }) =>
            countHeldListings(context.db, viewer),
          )
        : 0,
      loadDrafts().then(({ countDrafts }) => countDrafts(context.db, viewer)),
      tab === "drafts" ? loadDrafts().then(({ listDrafts }) => listDrafts(context.db, viewer)) : null,
      hasProvider(context.environment)
        ? import("#app/features/payments/payouts.server.ts").then(({ findSellerDebt }) =>
            findSellerDebt(context.db, viewer),
          )
        : 0,
      tab === "to hand over"
        ? import("#app/features/orders/to-hand-over.server.ts").then(({ listToHandOver }) =>
            listToHandOver(context.db, viewer, cursor, tableQuery(toHandOverTable, request).query),
          )
        : null,
      tab && tab !== "for sale" && tab !== "not listed"
        ? null
        : import("#app/features/listings/sale-change.server.ts").then(({ findPauseEnd }) =>
            findPauseEnd(context.db, viewer),
          ),
    ]);
  return {
    sellings,
    query,
    counts: { ...counts, drafts: draftCount },
    orders,
    pausedUntil,
    isUnverified,
    held,
    debtCents,
    isSuspended: isSuspended(viewer),
    drafts,
    seller: { name: viewer.name, email: viewer.email },
    formKey: crypto.randomUUID(),
  };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const form = await readForm(request);
  const { handleSellings } = await import("./handle-sellings.server.ts");
  return handleSellings(context, request, viewer, form);
});

export default function MySellings() {
  const {
    isUnverified,
    held,
    debtCents,
    isSuspended,
    drafts,
    seller,
    sellings,
    query,
    counts,
    orders,
    pausedUntil,
    formKey,
  } = useLoaderData<typeof loader>();
  const { tab } = query.filters;
  const parts = {
    action: (
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Link to="/manage/mysells/numbers" className="link py-2">
          Listing statistics
        </Link>
        <Link to="/manage/mysells/import" className="link py-2">
          Import and export
        </Link>
        {!isSuspended && (
          <Link to="/addphone" className="btn btn-primary">
            Add a phone
          </Link>
        )}
      </div>
    ),
    notice: (
      <>
        {!isSuspended && isUnverified && <VerificationNotice held={held} />}
        {debtCents > 0 && (
          <p className="mb-6 max-w-prose rounded-box bg-base-200 px-4 py-3 text-pretty">
            <strong className="font-semibold">You owe {priceLabel(debtCents)}.</strong> {debtText}{" "}
            <Link to="/manage/payouts" className="link">
              Pay it
            </Link>
          </p>
        )}
        <SellingTabs tab={tab} counts={counts} />
        {!isSuspended && tab === "for sale" && sellings.rows.length > 0 && (
          <p className="mb-3">
            <Link to={`/manage/mysells/prices${tableSearch(sellingTable, query)}`} className="link py-2">
              Change prices
            </Link>
          </p>
        )}
        {!isSuspended && (
          <PauseForm
            pausedUntil={pausedUntil}
            isOffered={tab === "for sale" && Boolean(counts[tab])}
            account={seller.email}
          />
        )}
        {sellings.isCut && <p className="mb-3 text-quiet">{newestOnlyNote}</p>}
      </>
    ),
  };
  if (orders)
    return (
      <ToHandOverTable
        {...parts}
        filters={{ table: toHandOverTable, query }}
        sellerName={seller.name}
        orders={orders}
        empty={<NothingHere tab={tab} />}
      />
    );
  if (drafts)
    return (
      <DraftsTable
        {...parts}
        drafts={drafts}
        seller={seller}
        isEditable={!isSuspended}
        empty={<NothingHere tab={tab} />}
      />
    );
  return (
    <SellingsTable
      {...parts}
      account={seller.email}
      formKey={formKey}
      filters={{ table: sellingTable, query }}
      listings={sellings}
      empty={
        tab ? (
          <NothingHere tab={tab} />
        ) : (
          <EmptyState
            icon={<PhoneIcon className="size-10" />}
            title="Nothing for sale yet"
            text={
              isSuspended
                ? "You can’t publish while your account is suspended."
                : counts.drafts > 0
                  ? `You have ${counts.drafts === 1 ? "1 draft" : `${counts.drafts} drafts`}.`
                  : "List a phone or tablet for sale. Have photos and the specs ready."
            }
          >
            {counts.drafts > 0 && (
              <Link to="/manage/mysells?tab=drafts" className="btn btn-outline">
                See drafts
              </Link>
            )}
          </EmptyState>
        )
      }
    />
  );
}

/** Pauses all until a day, or ends that. */
function PauseForm({
  pausedUntil,
  isOffered,
  account,
}: {
  pausedUntil: string | null;
  isOffered: boolean;
  account: string;
}) {
  if (pausedUntil)
    return (
      <Form
        method="post"
        className="mb-6 flex flex-wrap items-center gap-3 rounded-box bg-base-200 px-4 py-3"
      >
        <p>Your listings are paused until {isoDayLabel(pausedUntil.slice(0, 10))}. What’s booked goes on.</p>
        <button type="submit" name="intent" value="end pause" className="btn btn-outline btn-sm">
          Put them back on sale
        </button>
      </Form>
    );
  if (!isOffered) return null;
  return (
    <details className="mb-6">
      <summary className="link inline-block py-2">Pause everything</summary>
      <Form method="post" className="mt-2 flex flex-wrap items-end gap-3">
        <input type="hidden" name="account" value={account} />
        <div>
          <label htmlFor="pause-until" className="mb-1 block text-sm font-medium">
            Back on sale on
          </label>
          <input id="pause-until" name="until" type="date" required className="input" />
        </div>
        <button type="submit" name="intent" value="pause all" className="btn btn-outline">
          Pause everything
        </button>
      </Form>
      <p className="mt-2 text-sm text-quiet">
        Nobody finds or books a paused listing, not even at an agreed price. What’s booked goes on.
      </p>
    </details>
  );
}

type Tab = SellingQuery["filters"]["tab"];

function SellingTabs({ tab, counts }: { tab: Tab; counts: Partial<Record<NonNullable<Tab>, number>> }) {
  const tabs = sellingTable.filters[1].choices;
  const { drafts: _, ...listings } = counts;
  const all = Object.values(listings).reduce((sum, count) => sum + count, 0);
  return (
    <nav aria-label="Your listings" className="mb-6 flex flex-wrap gap-x-6 gap-y-2">
      <SellingTabLink label="All" to="/manage/mysells" count={all} isCurrent={!tab} />
      {Object.entries(tabs).map(([name, label]) => (
        <SellingTabLink
          key={name}
          label={label}
          to={`/manage/mysells?${new URLSearchParams({ tab: name })}`}
          count={counts[name as keyof typeof tabs]}
          isCurrent={tab === name}
        />
      ))}
    </nav>
  );
}

function SellingTabLink({
  label,
  to,
  count,
  isCurrent,
}: {
  label: string;
  to: string;
  count: number | undefined;
  isCurrent: boolean;
}) {
  return (
    <Link
      to={to}
      aria-current={isCurrent ? "page" : undefined}
      className={isCurrent ? "py-1 font-semibold" : "link py-1"}
    >
      {label} <span className="font-normal text-quiet tabular-nums">{countLabel(count ?? 0)}</span>
    </Link>
  );
}

function NothingHere({ tab }: { tab: Tab }) {
  const text = {
    "for sale": "What you have for sale shows up here.",
    "to hand over": "What buyers have booked shows up here, the next deadline first.",
    "handed over": "What’s on its way to a buyer shows up here.",
    sold: "What buyers have received shows up here.",
    "not listed": "What’s hidden, or came back to you, shows up here.",
    drafts: "What you save as a draft shows up here.",
  }[tab ?? "for sale"];
  return <EmptyState icon={<PhoneIcon className="size-10" />} title="Nothing here" text={text} />;
}

/** @param held how many of the seller’s listings wait for approval */
function VerificationNotice({ held }: { held: number }) {
  const next =
    held === 0
      ? "You can publish in the meantime"
      : held === 1
        ? "Your first listing goes on sale once we’ve approved it"
        : "Your first listings go on sale once we’ve approved them";
  return (
    <p className="mb-6 max-w-prose rounded-box bg-base-200 px-4 py-3">
      <strong className="font-semibold">You’re not verified yet.</strong> We check every new seller, so you
      don’t need to apply. {next}. Once you’re verified, your listings say so. Been waiting a while?{" "}
      <Link to="/report" className="link">
        Write to us
      </Link>
      .
    </p>
  );
}
