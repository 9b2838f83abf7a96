import { and, countDistinct, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { LedgerKind } from "#app/db/enums.ts";
import {
  allRows,
  exportBatchSize,
  keyset,
  numberedPage,
  type PageQuery,
  sortingOf,
} from "#app/db/keyset.server.ts";
import { ledgerEntries, ledgerSums, orders, payments, removals, users } from "#app/db/schema.ts";
import { isSuspended, system, type Viewer } from "../accounts/viewer.ts";
import { isDisputed } from "../audit/order-windows.server.ts";
import { findMoneyTimes, hasHeldSales, isHeldBack, isHeldBySuspension } from "./money-facts.server.ts";
import { withSellerCents } from "./payment-tasks.server.ts";
import type { PayoutEntryState, PayoutQuery } from "./payout-table.rules.ts";
import { failureCode, notGotCents } from "./protected-orders.server.ts";

/** Entries on one page. */
const maxEntries = 50;

/** Where the money of an order is, for its seller: a column of `orders` with `payments`. */
function stateColumn(db: Db): SQL<PayoutEntryState> {
  return sql`case when ${isWithSeller} then 'paid'
    when ${orders.status} = 'cancelled' or ${left} <= 0 then 'paid back'
    when ${payments.settledAt} is not null then 'paid'
    when ${orders.stage} = 'received' and not ${isHeldBack(db)} then 'on its way'
    else 'held' end`;
}

/** Condition on `payments`: its seller has got money, of which some may still come or be taken back. */
const isWithSeller = sql`(${payments.settledAt} is null and ${withSellerCents} > 0)`;

const left = sql`${payments.amountCents} - ${notGotCents}`;

/** `sellerShareCents` in SQL. */
const shareColumn = sql<number>`iif(${left} <= 0, 0, max(1, ${left} - ${payments.feeCents}))`;

/** What the seller has got, or gets, and what they do not; the rest is the fee. As long as they have it, they have got it. */
const gotColumn = sql<number>`iif(${isWithSeller}, ${withSellerCents}, ${shareColumn})`;
const lostColumn = sql<number>`iif(${isWithSeller},
  max(0, ${payments.amountCents} - ${payments.feeCents} - ${withSellerCents}), ${notGotCents})`;

/** Condition on `removals`: somebody cancelled the order, who can undo it. What Ringback cancels, nobody can. */
const isByPerson = and(eq(removals.id, orders.removalId), ne(removals.actorId, system.id));

/** Condition on `payments`: it was paid, to a seller's order. */
function isPaidTo(db: Db, seller: Viewer, state?: PayoutEntryState) {
  const isThere = and(eq(orders.id, payments.orderId), sql`${stateColumn(db)} = ${state}`);
  return and(
    eq(payments.sellerId, seller.id),
    isNotNull(payments.paidAt),
    // So that the few are read, not all that were ever paid.
    state === "held" || state === "on its way" ? isNull(payments.settledAt) : undefined,
    state && hasRow(db, orders, isThere),
  );
}

function entriesOf(db: Db, seller: Viewer, { filters: { state }, sort }: PayoutQuery) {
  return {
    table: payments,
    id: payments.orderId,
    where: isPaidTo(db, seller, state),
    ...sortingOf(sort, payments.amountCents),
    read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
      db
        .select({
          id: payments.orderId,
          sortValue,
          productName: orders.productName,
          cents: gotColumn.as("got_cents"),
          amountCents: payments.amountCents,
          notGotCents: lostColumn.as("not_got_cents"),
          feeCents: payments.feeCents,
          state: stateColumn(db).as("payout_state"),
          isDisputed: sql`${isDisputed}`.mapWith(Boolean).as("is_disputed"),
          isFailing: sql`${and(isNull(payments.settledAt), isNotNull(failureCode))}`
            .mapWith(Boolean)
            .as("is_failing"),
          isHeldBySuspension: sql`${isSuspended(seller) ? isHeldBySuspension(db) : false}`
            .mapWith(Boolean)
            .as("is_held_by_suspension"),
          isCancelledByPerson: hasRow(db, removals, isByPerson).mapWith(Boolean).as("is_cancelled_by_person"),
          paidAt: payments.paidAt,
          settledAt: payments.settledAt,
        })
        .from(payments)
        .innerJoin(orders, eq(orders.id, payments.orderId))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  };
}

/** A protected order for its seller: what they get, and when; amounts in cents. */
export type PayoutEntry = Awaited<ReturnType<typeof listPayouts>>["rows"][number];

/** A page of the protected orders of a seller that were paid, the newest first. */
export async function listPayouts(
  db: Db,
  seller: Viewer,
  cursor: Cursor,
  query: PayoutQuery = { filters: {} },
) {
  const page = await numberedPage(db, cursor, { ...entriesOf(db, seller, query), size: maxEntries });
  return { ...page, rows: await withTimes(db, seller, page.rows) };
}

export type PayoutRow = Awaited<ReturnType<typeof selectPayouts>>[number];

/** The same for the API. */
export async function selectPayouts(
  db: Db,
  seller: Viewer,
  state: PayoutEntryState | undefined,
  cursor: Cursor,
  limit: number,
) {
  const { where, read } = entriesOf(db, seller, { filters: { state } });
  const { afterCursor, orderBy } = keyset(payments.orderId, cursor);
  const sortValue = sql<null>`null`.as("sort_value");
  const rows = await read({ where: and(where, afterCursor), orderBy: [orderBy], limit, sortValue });
  return withTimes(db, seller, rows);
}

async function withTimes<
  Row extends { id: string; state: PayoutEntryState; isCancelledByPerson: boolean; settledAt: Date | null },
>(db: Db, { suspendedUntil }: Viewer, rows: Row[]) {
  const moving = rows.filter(
    ({ state, settledAt }) => state === "on its way" || (state === "paid back" && !settledAt),
  );
  const times = await findMoneyTimes(
    db,
    moving.map(({ id }) => id),
  );
  return rows.map(({ isCancelledByPerson, ...row }) => {
    const { movesAt = null, isUndoable = false } = times.get(row.id) ?? {};
    // What waits for the seller's account has no time any more.
    const isAhead = movesAt !== null && movesAt > new Date();
    const time = isAhead ? movesAt : null;
    const isRefund = row.state === "paid back";
    return {
      ...row,
      releasedBy: isRefund ? null : time,
      /** When it goes back to the buyer, at the latest; null if that is open, or happens now. */
      refundedBy: isRefund ? time : null,
      /** Whether the cancellation can still be undone. */
      isUndoable: isUndoable && isCancelledByPerson && isAhead,
      /** Null if the seller is not suspended, or for good. */
      suspendedUntil,
    };
  });
}

/** The same in batches, all of them. */
export function allPayouts(db: Db, seller: Viewer, query: PayoutQuery) {
  return allRows(entriesOf(db, seller, query), exportBatchSize);
}

export type PayoutSums = Awaited<ReturnType<typeof sumPayouts>>;

/**
 * Where the money of a seller's protected orders is, in cents. What has moved is in the sums of the ledger, so that only
 * what has not is read.
 */
export async function sumPayouts(db: Db, seller: Viewer) {
  const [waiting, moved, [ordersTakenBack]] = await db.batch([
    db
      .select({
        state: stateColumn(db).as("payout_state"),
        cents: sql<number>`sum(${shareColumn})`.as("cents"),
        orders: sql<number>`count(*)`.as("orders"),
      })
      .from(payments)
      .innerJoin(orders, eq(orders.id, payments.orderId))
      .where(and(isPaidTo(db, seller), isNull(payments.settledAt)))
      .groupBy(sql`payout_state`),
    db
      .select({
        kind: ledgerSums.kind,
        cents: ledgerSums.cents,
        orders: ledgerSums.orders,
      })
      .from(ledgerSums)
      .where(eq(ledgerSums.sellerId, seller.id)),
    // From the few entries on, not from all that were ever paid.
    db
      .select({ count: countDistinct(ledgerEntries.orderId).as("taken_back") })
      .from(ledgerEntries)
      .innerJoin(payments, eq(payments.orderId, ledgerEntries.orderId))
      .where(
        and(
          eq(ledgerEntries.kind, "taken back"),
          eq(payments.sellerId, seller.id),
          sql`${withSellerCents} <= 0`,
        ),
      ),
  ]);
  const none = { cents: 0, orders: 0 };
  const waitingIn = (state: PayoutEntryState) => {
    const { cents, orders } = waiting.find((row) => row.state === state) ?? none;
    return { cents, orders };
  };
  const movedBy = (kind: LedgerKind) => moved.find((row) => row.kind === kind) ?? none;
  const { cents: releasedCents, orders: released } = movedBy("released");
  const { cents: takenBackCents } = movedBy("taken back");
  return {
    held: waitingIn("held"),
    "on its way": waitingIn("on its way"),
    // An order of which everything was taken back is listed as paid back, not as paid.
    paid: { cents: releasedCents - takenBackCents, orders: released - (ordersTakenBack?.count ?? 0) },
    /** Whether a buyer has ever paid. */
    hasEntries: moved.length > 0,
  };
}

/** Whether money is held that a seller gets once an order of theirs is done. */
export async function isOwedLater(db: Db, seller: Viewer): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, seller.id), hasHeldSales(db, users.id)))) > 0;
}
