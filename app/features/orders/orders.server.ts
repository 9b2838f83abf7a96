import { and, desc, eq, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isWithin } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type {
  ProblemKind,
  ProblemOffer,
  ProblemOpener,
  ProblemState,
  ProblemStepKind,
} from "#app/db/enums.ts";
import { allRows, exportBatchSize, numberedPage, type PageQuery, sortingOf } from "#app/db/keyset.server.ts";
import {
  orderProblemSteps,
  orderProblems,
  orders,
  phones,
  reviews,
  sessions,
  users,
} from "#app/db/schema.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import { keepIsoTime } from "#app/time.ts";
import { ordersOfPeopleNamed } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { warrantyUntil } from "../audit/order-windows.server.ts";
import { pictureColumns } from "../listings/listings.server.ts";
import { isUnpaid } from "../payments/protected-orders.server.ts";
import { reviewableUntil } from "../reviews/reviews.server.ts";
import { bookingRefusalText, waitRefusal } from "./booking-refusal.ts";
import {
  canCancelColumn,
  endColumn,
  goneSide,
  hasEndingProblem,
  orderStateColumns,
  problemColumns,
} from "./order-steps.server.ts";
import type { OrderQuery } from "./order-table.rules.ts";
import { bookingBar, rebookingWait } from "./rebooking.server.ts";

export const orderColumns = {
  id: orders.id,
  buyerName: orders.buyerName,
  productName: orders.productName,
  ram: orders.ram,
  rom: orders.rom,
  priceCents: orders.priceCents,
};

/** What both tables of orders show. */
const listedColumns = {
  ...orderColumns,
  buyerId: orders.buyerId,
  status: orders.status,
  stage: orders.stage,
  createdAt: orders.createdAt,
  isShipped: isNotNull(orders.parcelService).mapWith(Boolean).as("is_shipped"),
};

/** An order in the table of My Orders; price in cents. */
export type OwnOrder = Awaited<ReturnType<typeof listOrders>>["rows"][number];

/** A page of the viewer's own orders, by default the active ones and the newest first. */
export function listOrders(db: Db, viewer: Viewer, cursor: Cursor, query: OrderQuery = { filters: {} }) {
  const condition = and(isAtStage(db, query.filters.stage), eq(orders.buyerId, viewer.id));
  return orderPage(db, cursor, condition, query, {
    canDelete: canCancelColumn(db, viewer),
  });
}

/** An order in the table of all orders; price in cents. */
export type ListedOrder = Awaited<ReturnType<typeof listAllOrders>>["rows"][number];

/** A page of all orders, by default the active ones and the newest first. */
export async function listAllOrders(db: Db, cursor: Cursor, query: OrderQuery = { filters: {} }) {
  return numberedPage(db, cursor, {
    table: orders,
    where: await ordersMatching(db, query),
    ...sortingOf(query.sort, orders.priceCents),
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({
          ...listedColumns,
          ...orderStateColumns(db),
          sortValue,
          sellerId: sql<string | null>`${users.id}`.as("seller_id"),
          sellerName: sql<string | null>`${users.name}`.as("seller_name"),
          ...pictureColumns,
        })
        .from(orders)
        .leftJoin(phones, eq(phones.id, orders.phoneId))
        .leftJoin(users, eq(users.id, phones.sellerId))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/** All orders that match a table's query, in batches. */
export async function* exportOrders(db: Db, query: OrderQuery) {
  yield* allRows(
    {
      table: orders,
      where: await ordersMatching(db, query),
      ...sortingOf(query.sort, orders.priceCents),
      read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
        db
          .select({
            ...orderColumns,
            email: orders.email,
            sellerName: users.name,
            sellerEmail: users.email,
            status: orders.status,
            stage: orders.stage,
            createdAt: orders.createdAt,
            sortValue,
          })
          .from(orders)
          .leftJoin(phones, eq(phones.id, orders.phoneId))
          .leftJoin(users, eq(users.id, phones.sellerId))
          .where(where)
          .orderBy(...orderBy)
          .limit(limit),
    },
    exportBatchSize,
  );
}

const isActive = eq(orders.status, "active");

async function ordersMatching(db: Db, { filters: { q, stage, seller, from, to } }: OrderQuery) {
  const indexed = await ordersOfPeopleNamed(db, { buyer: q, seller });
  return and(isAtStage(db, stage), ...indexed, ...isWithin(orders.createdAt, dayRange({ from, to })));
}

/** Condition on `orders`: at a stage, by default any of the active ones. */
export function isAtStage(db: Db, stage: OrderQuery["filters"]["stage"]): SQL | undefined {
  if (stage === "all") return undefined;
  if (stage === "cancelled") return and(eq(orders.status, "cancelled"), not(hasEndingProblem(db)));
  if (stage === "returned") return withProblem(db, eq(orderProblems.state, "returned"));
  if (stage === "problem") return withProblem(db, isNull(orderProblems.endedAt));
  return and(isActive, stage && eq(orders.stage, stage));
}

/** From the problems on, of which there are fewer than orders. */
function withProblem(db: Db, condition: SQL) {
  return inArray(orders.id, db.select({ id: orderProblems.orderId }).from(orderProblems).where(condition));
}

/** How a problem of an order stands. */
interface ListedProblem {
  kind: ProblemKind;
  state: ProblemState;
  openedBy: ProblemOpener;
  /** In milliseconds; null once it has ended. */
  deadline: number | null;
  lastStep: ProblemStepKind;
  /** What the other side offered last. */
  offer: ProblemOffer | null;
  /** How much of the price is paid back by that. */
  amountCents: number | null;
}

/** A column of `orders`: its open problem, of two the newer one, else the one that ended last. */
const toldProblem = sql<ListedProblem | null>`(
  select json_object('kind', p.kind, 'state', p.state, 'openedBy', p.opened_by, 'deadline', p.deadline_at,
    'lastStep', (select kind from ${orderProblemSteps} where id = p.last_step_id),
    'offer', (select offer from ${orderProblemSteps} s where s.problem_id = p.id and s.kind = 'offered'
      order by s.id desc limit 1),
    'amountCents', (select amount_cents from ${orderProblemSteps} s where s.problem_id = p.id and s.kind = 'offered'
      order by s.id desc limit 1))
  from ${orderProblems} p where p.order_id = ${orders.id}
  order by p.ended_at is null desc, p.ended_at desc, p.state = 'returned' desc, p.id desc limit 1)`.mapWith(
  (text: string) => JSON.parse(text) as ListedProblem,
);

function orderPage(
  db: Db,
  cursor: Cursor,
  condition: SQL | undefined,
  { sort }: OrderQuery,
  own: { canDelete: SQL.Aliased<boolean> },
) {
  return numberedPage(db, cursor, {
    table: orders,
    where: condition,
    ...sortingOf(sort, orders.priceCents),
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({
          ...listedColumns,
          sortValue,
          deadlineAt: endColumn(db).as("ends_at"),
          ...problemColumns(db),
          ...own,
          gone: goneSide(db).as("gone"),
          isToPay: isUnpaid(db).mapWith(Boolean).as("is_to_pay"),
          problem: toldProblem.as("told_problem"),
          warrantyEnd: sql<Date | null>`${warrantyUntil()}`.mapWith(orders.deadlineAt).as("warranty_end"),
          reviewableUntil: sql<Date | null>`${reviewableUntil()}`
            .mapWith(orders.deadlineAt)
            .as("reviewable_until"),
          isReviewed: hasRow(
            db,
            reviews,
            and(eq(reviews.orderId, orders.id), eq(reviews.authorRole, "buyer")),
          )
            .mapWith(Boolean)
            .as("is_reviewed"),
          ...pictureColumns,
        })
        .from(orders)
        .leftJoin(phones, eq(phones.id, orders.phoneId))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/**
 * For the user of a session: their active order of a phone, and why they can’t book it again yet. Does not check that the
 * session is valid.
 */
export async function findOwnBooking(db: Db, sessionId: string, phoneId: string) {
  const seller = db.select({ id: phones.sellerId }).from(phones).where(eq(phones.id, phoneId));
  const sellerId = sql`(${seller})`;
  const [found] = await db
    .select({
      orderId: orders.id,
      wait: rebookingWait(db, sessions.userId, phoneId).as("wait"),
      bar: bookingBar(db, sessions.userId, sellerId).as("bar"),
    })
    .from(sessions)
    .leftJoin(orders, and(eq(orders.phoneId, phoneId), eq(orders.buyerId, sessions.userId), isActive))
    .where(eq(sessions.id, sessionId));
  const bar = found?.bar ?? null;
  return {
    orderId: found?.orderId ?? null,
    bar,
    /** See `withTimes`. */
    waitText: bar
      ? bookingRefusalText({ reason: bar })
      : found?.wait
        ? bookingRefusalText(waitRefusal(found.wait), keepIsoTime)
        : null,
  };
}

/** Where the buyer's newest order with an address or phone number was to be sent, to begin the next one with. */
export async function lastDelivery(db: Db, buyer: Viewer) {
  const [last] = await db
    .select({ address: orders.buyerAddress, phone: orders.phoneNumber })
    .from(orders)
    .where(and(eq(orders.buyerId, buyer.id), or(ne(orders.buyerAddress, ""), ne(orders.phoneNumber, ""))))
    .orderBy(desc(orders.id))
    .limit(1);
  return last ?? null;
}
