import { and, eq, getTableColumns, isNotNull, isNull, not, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { OrderSide, ProblemStepKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  conversations,
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  phones,
  photos,
} from "#app/db/schema.ts";
import { hasAccount, isOpenAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { notifySide } from "../audit/notify.server.ts";
import { warrantyUntil } from "../audit/order-windows.server.ts";
import { isDeviceBack } from "../listings/listing-removal.server.ts";
import { hasBlocked } from "../messages/message-refusals.server.ts";
import { isOpenToMessages, problemOpenableUntil } from "../messages/order-contact.server.ts";
import { goneSide, holdOrders, parcelColumns } from "../orders/order-steps.server.ts";
import {
  isProtected,
  isUnpaid,
  paidColumns,
  refundableCents,
  returnDays,
  returnUntil,
} from "../payments/protected-orders.server.ts";
import { photoLimits } from "../photos/photo.rules.ts";
import type { PhotoUpload } from "../photos/photo-changes.server.ts";
import { deletePhotos } from "../photos/photo-objects.server.ts";
import { photoRefusalText } from "../photos/photo-refusals.ts";
import { pauseReviews } from "../reviews/write-review.server.ts";
import { isReturnByRight, openingRefusal } from "./order-problem.rules.ts";
import type { NewProblem } from "./order-problem.schema.ts";
import { answerTimes, askModerators, openFirst, type ProblemOutcome } from "./order-problems.server.ts";
import { putProblemPhotos } from "./problem-photos.server.ts";

/** The order of a buyer or seller who may report a problem. */
export function selectProblemOrder(db: Db, viewer: Viewer, orderId: string, now: Date) {
  const isBuyer = eq(orders.buyerId, viewer.id);
  const otherId = sql`iif(${isBuyer}, ${phones.sellerId}, ${orders.buyerId})`;
  const reportUntil = sql`iif(${orders.status} = 'cancelled', ${problemOpenableUntil(now)}, ${warrantyUntil(now)})`;
  const confirmed = and(
    eq(orderSteps.orderId, orders.id),
    eq(orderSteps.kind, "received"),
    eq(orderSteps.actorId, orders.buyerId),
  );
  const isConversation = and(
    eq(conversations.phoneId, orders.phoneId),
    eq(conversations.buyerId, orders.buyerId),
  );
  return db
    .select({
      id: orders.id,
      productName: orders.productName,
      status: orders.status,
      stage: orders.stage,
      parcel: parcelColumns,
      buyerId: orders.buyerId,
      sellerId: phones.sellerId,
      role: sql<OrderSide>`iif(${isBuyer}, 'buyer', 'seller')`.as("role"),
      isConfirmed: hasRow(db, orderSteps, confirmed).mapWith(Boolean).as("is_confirmed"),
      reportUntil: sql<number | null>`${reportUntil}`.as("report_until"),
      isOtherGone: isNotNull(goneSide(db)).mapWith(Boolean).as("is_other_gone"),
      /** Whether the two sides have a conversation, or can start one. */
      isOpenToMessages: sql`${or(isOpenToMessages(db, now), hasRow(db, conversations, isConversation))}`
        .mapWith(Boolean)
        .as("is_open_to_messages"),
      /** Whether one has blocked the other: which of the two refusals of messages applies. */
      block: sql<"blocked by you" | "unavailable" | null>`case
        when ${hasBlocked(db, viewer.id, otherId)} then 'blocked by you'
        when ${hasBlocked(db, otherId, viewer.id)} then 'unavailable' end`.as("block"),
      /** The listing of a returned device that can be listed again. */
      returnedPhoneId: sql<string | null>`iif(${eq(phones.hiddenById, orders.id)}, ${phones.id}, null)`.as(
        "returned_phone_id",
      ),
      isDeviceBack: isDeviceBack.mapWith(Boolean).as("is_device_back"),
      isProtected: isProtected(db).mapWith(Boolean).as("is_protected"),
      returnDays: returnDays.as("return_days"),
      returnUntil: sql<number | null>`${returnUntil(now)}`.as("return_until"),
      refundable: refundableCents.as("refundable_cents"),
      ...paidColumns,
      isUnpaid: isUnpaid(db).mapWith(Boolean).as("is_unpaid"),
      /** A seller who has left keeps sold devices only. */
      hasListing: isNotNull(phones.id).mapWith(Boolean).as("has_listing"),
    })
    .from(orders)
    .leftJoin(phones, eq(phones.id, orders.phoneId))
    .where(and(eq(orders.id, orderId), or(isBuyer, eq(phones.sellerId, viewer.id))));
}

const maxProblems = 50;

/** The problems of an order with their last steps, the open ones first, then those that ended last. */
export function selectProblems(db: Db, orderId: string) {
  return db
    .select({
      ...getTableColumns(orderProblems),
      lastKind: sql<ProblemStepKind>`${orderProblemSteps.kind}`.as("last_kind"),
      lastText: orderProblemSteps.text,
      lastActorId: orderProblemSteps.actorId,
    })
    .from(orderProblems)
    .innerJoin(orderProblemSteps, eq(orderProblemSteps.id, orderProblems.lastStepId))
    .where(eq(orderProblems.orderId, orderId))
    .orderBy(...openFirst)
    .limit(maxProblems);
}

/** What a side has opened before. */
export function problemsOpenedBy(problems: Awaited<ReturnType<typeof selectProblems>>, role: OrderSide) {
  return problems.filter(({ openedBy }) => openedBy === role);
}

/**
 * Opens a problem with an order, for one of its sides: the order is put on hold. It goes to the moderators at once if the
 * other side has left. The same problem sent again is opened once. If one of its photos is refused, nothing is stored.
 */
export async function openProblem(
  db: Db,
  viewer: Viewer,
  orderId: string,
  problem: NewProblem,
  now?: Date,
): Promise<ProblemOutcome>;
export async function openProblem(
  db: Db,
  viewer: Viewer,
  orderId: string,
  problem: NewProblem,
  now: Date | undefined,
  upload: PhotoUpload,
): Promise<ProblemOutcome | { photoRefusals: string[] }>;
export async function openProblem(
  db: Db,
  viewer: Viewer,
  orderId: string,
  { kind, text }: NewProblem,
  now = new Date(),
  upload?: PhotoUpload,
): Promise<ProblemOutcome | { photoRefusals: string[] }> {
  const [[found], problems] = await db.batch([
    selectProblemOrder(db, viewer, orderId, now),
    selectProblems(db, orderId),
  ]);
  if (!found?.sellerId) return "not found";
  const isRepeated = (latest: (typeof problems)[number] | undefined) =>
    latest?.kind === kind && latest.lastActorId === viewer.id && latest.lastText === text;
  const { buyerId, sellerId, status, stage, role } = found;
  const ownOf = (all: typeof problems) => all.find(({ openedBy }) => openedBy === role);
  const own = ownOf(problems);
  if (own && !own.endedAt) return isRepeated(own) ? "done" : "problem open";
  const refused = openingRefusal(kind, role, { ...found, earlier: problemsOpenedBy(problems, role) }, now);
  if (refused) return refused;
  // Before any is decoded.
  if (upload && upload.files.length > photoLimits.problem)
    return { photoRefusals: [photoRefusalText("too many", "problem")] };
  const { readPhotos } = await import("../photos/photo-changes.server.ts");
  const { read, refusals } = await readPhotos(upload, "problem");
  if (refusals.length > 0) return { photoRefusals: refusals };

  const [id, stepId] = [timeOrderedId(), timeOrderedId()];
  const [deadlineAt, reminderAt] = answerTimes(now);
  const order = eq(orders.id, orderId);
  const isAsRead = and(order, eq(orders.status, status), eq(orders.stage, stage));
  const isOpenOwn = and(
    eq(orderProblems.orderId, orderId),
    eq(orderProblems.openedBy, role),
    isNull(orderProblems.endedAt),
  );
  const opened = {
    order,
    event: `problem ${stepId}`,
    actorId: viewer.id,
    page: "/problem",
    details: { problem: kind, openedBy: role },
  } as const;
  const photoRows = await putProblemPhotos(read, id);
  const refusal = await batchUnless<Exclude<ProblemOutcome, "done">>(
    db,
    {
      "not found": isOpenAccount(db, viewer),
      "problem open": not(hasRow(db, orderProblems, isOpenOwn)),
      "order changed": hasRow(db, orders, isAsRead),
      "device back": kind === "not returned" ? hasRow(db, orders, and(order, not(isDeviceBack))) : undefined,
      // Staff may have paid back all of it.
      "no returns": isReturnByRight(kind)
        ? hasRow(db, orders, and(order, sql`${refundableCents} > 0`))
        : undefined,
    },
    [
      db.insert(orderProblems).values({
        id,
        orderId,
        buyerId,
        sellerId,
        openedBy: role,
        kind,
        state: "open",
        lastStepId: stepId,
        deadlineAt,
        reminderAt,
        createdAt: now,
      }),
      db
        .insert(orderProblemSteps)
        .values({ id: stepId, problemId: id, actorId: viewer.id, kind: "opened", text, createdAt: now }),
      holdOrders(db, order, now),
      pauseReviews(db, orderId, now),
      ...(photoRows.length > 0 ? [db.insert(photos).values(photoRows)] : []),
      notifySide(db, "buyer", "problem opened", opened),
      notifySide(db, "seller", "problem opened", opened),
    ],
  );
  if (!refusal) {
    await askModerators(db, and(eq(orderProblems.id, id), otherSideLeft(db)), 1, now);
    return "done";
  }
  if (upload?.storage) {
    await deletePhotos(
      db,
      upload.storage,
      photoRows.map((row) => row.id),
    );
  }
  if (refusal !== "problem open") return refusal;
  return isRepeated(ownOf(await selectProblems(db, orderId))) ? "done" : refusal;
}

/** Condition on `orderProblems`: the side that has to answer first has left. */
function otherSideLeft(db: Db) {
  const otherId = sql`iif(${orderProblems.openedBy} = 'buyer', ${orderProblems.sellerId}, ${orderProblems.buyerId})`;
  return not(hasAccount(db, otherId));
}
