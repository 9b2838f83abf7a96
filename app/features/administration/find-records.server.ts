import { and, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  hasRow,
  isOneOf,
  numberConditions,
  startsWith,
  withoutNumberSign,
} from "#app/db/conditions.server.ts";
import type { DecisionKind } from "#app/db/enums.ts";
import { newestContactsWith, newestRecordsWith } from "#app/db/record-search.server.ts";
import { contentReports, decisions, deviceVariants, orders, phones, tickets, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { parseSearchQuery } from "../catalog/search/search-query.rules.ts";
import { deviceCondition } from "../catalog/search/statements.server.ts";
import { withTypedSizes } from "../catalog/search/understand.rules.ts";
import { isImei } from "../listings/imei.rules.ts";
import { imeiHashesOf } from "../listings/listing-edit.server.ts";
import { hidingDecisionKinds } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import { newestContentReports } from "../moderation/reports/content-reports.server.ts";
import { isNotOwn } from "../moderation/target.server.ts";
import { orderStateColumns } from "../orders/order-steps.server.ts";
import { noteContactSearch, usersOfContacts } from "./users.server.ts";

/** The records that a search found, at most five of each kind. */
export type FoundRecords = Awaited<ReturnType<typeof findRecords>>;

const maxFound = 5;

/** Of people, reports or addresses with the words so many are looked at, the newest. */
const maxNamed = 25;

/** A device of which there are more listings is found in the order of the newest. */
const maxOfDevice = 100;

/**
 * Finds records by their ids, and
 * - users by the words of their name or email address;
 * - orders by number, buyer or device, or by tracking number while the parcel is on its way;
 * - listings, also hidden ones, by the words and sizes of their device, or by IMEI;
 * - reports of problems and of content by sender or words;
 * - users and orders by address or phone number, but for those found by name, email or number.
 *
 * Without the viewer’s own cases; of many that match, the newest. A search that shows some found by address or phone number
 * is noted.
 *
 * @param secrets of the deployment, by which IMEIs are stored
 */
export async function findRecords(db: Db, viewer: Viewer, typed: string, secrets: string[]) {
  const text = withoutNumberSign(typed);
  const id = text.toLowerCase();
  const named = newestRecordsWith("users", text, maxNamed, ["name", "email"]);
  const contacts = newestContactsWith(text, maxNamed);
  const [device, ofImei] = await Promise.all([listingsOfDevice(db, text), listingsOfImei(db, text, secrets)]);
  const isUserNamed = or(eq(users.id, id), sql`${users.id} in ${named}`);
  const isOrderNamed = or(
    eq(orders.id, id),
    ...numberConditions(orders.id, typed),
    sql`${orders.buyerId} in ${named}`,
  );
  const selectUsers = (condition: SQL | undefined) =>
    db
      .select({ id: users.id, name: users.name, email: users.email, userType: users.userType })
      .from(users)
      .where(and(isNull(users.removalId), condition))
      .orderBy(desc(users.id))
      .limit(maxFound);
  const listingColumns = {
    id: phones.id,
    name: deviceNameColumn.as("name"),
    status: phones.status,
    sellerName: users.name,
    priceCents: phones.sellingCents,
  };
  const hiddenColumns = { ...listingColumns, hiddenBy: sql<DecisionKind>`${decisions.kind}`.as("hidden_by") };
  const isHidden = and(
    eq(phones.hiddenById, decisions.id),
    inArray(decisions.kind, hidingDecisionKinds),
    isNotOwn(decisions, viewer),
    isNull(users.removalId),
  );
  const [
    foundUsers,
    foundOrders,
    shown,
    hidden,
    hiddenOfMany,
    foundReports,
    foundContentReports,
    usersByContact,
    ordersByContact,
  ] = await Promise.all([
    selectUsers(isUserNamed),
    findOrders(
      db,
      or(isOrderNamed, ...trackingConditions(db, text)),
      ofImei.length > 0 ? { few: ofImei } : device,
    ),
    db
      .select(listingColumns)
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .where(
        and(
          isNull(phones.hiddenById),
          or(
            isOneOf(phones.id, [id, ...ofImei]),
            device.few && and(sql`${phones.listed}`, isOneOf(phones.id, device.few)),
          ),
        ),
      )
      .orderBy(desc(phones.id))
      .limit(maxFound)
      .then(async (found) => [
        ...found,
        ...(device.many
          ? await db
              .select(listingColumns)
              .from(phones)
              .innerJoin(users, eq(users.id, phones.sellerId))
              .where(and(sql`${phones.listed}`, device.many))
              .orderBy(desc(phones.number))
              .limit(maxFound)
          : []),
      ]),
    db
      .select(hiddenColumns)
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .innerJoin(decisions, isHidden)
      .where(isOneOf(phones.id, [id, ...ofImei, ...(device.few ?? [])]))
      .orderBy(desc(phones.id))
      .limit(maxFound),
    device.many
      ? db
          .select(hiddenColumns)
          .from(decisions)
          // From the newest decisions on: SQLite does not reorder a cross join.
          .crossJoin(phones)
          .innerJoin(users, eq(users.id, phones.sellerId))
          .where(and(inArray(decisions.id, newestHiding(db)), isHidden, device.many))
          .orderBy(desc(phones.id))
          .limit(maxFound)
      : [],
    db
      .select({ id: tickets.id, name: tickets.name, email: tickets.email, details: tickets.details })
      .from(tickets)
      .where(
        and(
          isNull(tickets.removalId),
          or(
            eq(tickets.id, id),
            ...numberConditions(tickets.id, typed),
            sql`${tickets.id} in ${newestRecordsWith("reports", text, maxNamed)}`,
          ),
        ),
      )
      .orderBy(desc(tickets.id))
      .limit(maxFound),
    newestContentReports(
      db,
      viewer,
      or(
        eq(contentReports.id, id),
        sql`${contentReports.reporterId} in ${named}`,
        sql`${contentReports.id} in ${newestRecordsWith("content_reports", text, maxNamed)}`,
      ),
      maxFound,
    ),
    selectUsers(and(inArray(users.id, usersOfContacts(db, contacts)), sql`(${isUserNamed}) is not true`)),
    findOrders(db, and(sql`${orders.id} in ${contacts}`, sql`(${isOrderNamed}) is not true`), {}),
  ]);
  if (usersByContact.length + ordersByContact.length > 0) await noteContactSearch(db, viewer, typed);
  const byId = new Map(
    [...shown.map((listing) => ({ ...listing, hiddenBy: null })), ...hidden, ...hiddenOfMany].map((row) => [
      row.id,
      row,
    ]),
  );
  const listings = [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, maxFound);
  return {
    users: foundUsers,
    orders: foundOrders,
    listings,
    reports: foundReports,
    contentReports: foundContentReports,
    usersByContact,
    ordersByContact,
  };
}

/** The listings, of any state, of the devices that are searched for. */
interface DeviceListings {
  /** Their ids, if there are few. */
  few?: string[];
  /** Else the condition on `phones` that they meet. */
  many?: SQL;
}

async function listingsOfDevice(db: Db, text: string): Promise<DeviceListings> {
  const devices = deviceCondition(withTypedSizes(parseSearchQuery(new URLSearchParams({ q: text }))));
  if (!devices) return {};
  // Read once: each of the statements that look for their listings would read all devices again.
  const variants = await db.select({ id: deviceVariants.id }).from(deviceVariants).where(devices);
  const ids = variants.map(({ id }) => id);
  const found = await db
    .select({ id: phones.id })
    .from(phones)
    .where(isOneOf(phones.variantId, ids))
    .limit(maxOfDevice + 1);
  // The plus sign keeps SQLite from reading all of them by the index of the variants.
  return found.length > maxOfDevice
    ? { many: isOneOf(sql`+${phones.variantId}`, ids) }
    : { few: found.map(({ id }) => id) };
}

/** The listings of an IMEI, which is needed whole, since its hash alone is stored. */
async function listingsOfImei(db: Db, text: string, secrets: string[]): Promise<string[]> {
  if (!isImei(text)) return [];
  const hashes = await imeiHashesOf(secrets, text.replace(/\D/g, ""));
  const found = await db
    .select({ id: phones.id })
    .from(phones)
    .where(inArray(phones.imeiHash, hashes))
    .orderBy(desc(phones.id))
    .limit(maxFound);
  return found.map(({ id }) => id);
}

/** Decisions that hide listings now, the newest so many. */
function newestHiding(db: Db) {
  return (
    db
      .select({ id: decisions.id })
      .from(decisions)
      // In the words of the index: SQLite compares no list of parameters with it.
      .where(sql`${decisions.kind} in ('hide', 'hold', 'suspend') and ${decisions.endedAt} is null`)
      .orderBy(desc(decisions.id))
      .limit(maxOfDevice)
  );
}

/**
 * The conditions for the beginning of the tracking number of a parcel on its way. No index has it: all orders with a
 * deadline are read, so that only what plainly is such a number is looked for.
 */
function trackingConditions(db: Db, text: string): SQL[] {
  const typed = text.replaceAll(/[\s-]/g, "");
  if (!/^(?=(.*\d){4})[\da-z]{8,}$/i.test(typed)) return [];
  const isOnItsWay = and(
    eq(orders.status, "active"),
    gt(orders.deadlineAt, new Date(0)),
    eq(orders.stage, "handed over"),
    isNotNull(orders.trackingNumber),
  );
  const found = and(isOnItsWay, startsWith(plainNumber, typed));
  return [inArray(orders.id, db.select({ id: orders.id }).from(orders).where(found))];
}

/** A tracking number without what sellers put between its groups. */
const plainNumber = sql`replace(replace(${orders.trackingNumber}, ' ', ''), '-', '')`;

/**
 * The newest orders that meet the condition, each found by an index except those by tracking number, or are active
 * and of the device.
 */
async function findOrders(db: Db, condition: SQL | undefined, { few, many }: DeviceListings) {
  const select = (where: SQL | undefined) =>
    db
      .select({
        id: orders.id,
        name: orders.productName,
        buyerName: orders.buyerName,
        ...orderStateColumns(db),
      })
      .from(orders)
      .where(where)
      .orderBy(desc(orders.id))
      .limit(maxFound);
  const isActive = eq(orders.status, "active");
  const ofDevice =
    few && few.length > 0
      ? and(isActive, isOneOf(orders.phoneId, few))
      : many && and(isActive, hasRow(db, phones, and(eq(phones.id, orders.phoneId), many)));
  const found = await Promise.all([select(condition), ofDevice ? select(ofDevice) : []]);
  const byId = new Map(found.flat().map((order) => [order.id, order]));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, maxFound);
}
