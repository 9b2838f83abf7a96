import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { DecisionKind } from "#app/db/enums.ts";
import { recordsWith } from "#app/db/record-words.server.ts";
import { contentReports, decisions, deviceVariants, orders, phones, tickets, users } from "#app/db/schema.ts";
import { usersNamed } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { parseSearchQuery } from "../catalog/search/search-query.rules.ts";
import { deviceCondition } from "../catalog/search/statements.server.ts";
import { withSizesRead } from "../catalog/search/understand.rules.ts";
import { hidingDecisions } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import { newestContentReports } from "../moderation/reports/content-reports.server.ts";
import { isNotOwn } from "../moderation/target.server.ts";

/** The records that a search found, at most five of each kind. */
export type FoundRecords = Awaited<ReturnType<typeof findRecords>>;

const maxFound = 5;

/**
 * Finds users by the words of their name or email address, orders by number, buyer or device, listings by the words and
 * sizes of their device, also hidden ones, reports of problems and of content by sender or words, and each by its id, without the
 * viewer’s own cases.
 */
export async function findRecords(db: Db, viewer: Pick<Viewer, "id">, text: string) {
  const id = text.toLowerCase();
  const devices = deviceCondition(withSizesRead(parseSearchQuery(new URLSearchParams({ q: text }))));
  const isOfDevice =
    devices &&
    inArray(phones.variantId, db.select({ id: deviceVariants.id }).from(deviceVariants).where(devices));
  const listingColumns = {
    id: phones.id,
    name: deviceNameColumn.as("name"),
    status: phones.status,
    sellerName: users.name,
    priceCents: phones.sellingCents,
  };
  const [foundUsers, foundOrders, shown, hidden, foundReports, foundContentReports] = await Promise.all([
    db
      .select({ id: users.id, name: users.name, email: users.email, userType: users.userType })
      .from(users)
      .where(and(isNull(users.removalId), or(eq(users.id, id), inArray(users.id, usersNamed(db, text)))))
      .orderBy(desc(users.id))
      .limit(maxFound),
    db
      .select({
        id: orders.id,
        name: orders.productName,
        buyerName: orders.buyerName,
        status: orders.status,
        stage: orders.stage,
      })
      .from(orders)
      .where(
        or(
          eq(orders.id, id),
          isNumbered(text),
          inArray(orders.buyerId, usersNamed(db, text)),
          // From the newest active orders on: most listings of a device were sold.
          isOfDevice &&
            and(
              eq(orders.status, "active"),
              hasRow(db, phones, and(eq(phones.id, orders.phoneId), isOfDevice)),
            ),
        ),
      )
      .orderBy(desc(orders.id))
      .limit(maxFound),
    db
      .select(listingColumns)
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .where(
        and(
          isNull(phones.hiddenById),
          or(eq(phones.id, id), isOfDevice && and(sql`${phones.listed}`, isOfDevice)),
        ),
      )
      .orderBy(desc(phones.id))
      .limit(maxFound),
    db
      .select({ ...listingColumns, hiddenBy: sql<DecisionKind>`${decisions.kind}`.as("hidden_by") })
      .from(decisions)
      // From the decisions on, which are few: SQLite does not reorder a cross join.
      .crossJoin(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .where(
        and(
          inArray(decisions.kind, hidingDecisions),
          isNotOwn(decisions, viewer),
          eq(phones.hiddenById, decisions.id),
          isNull(users.removalId),
          or(eq(phones.id, id), isOfDevice),
        ),
      )
      .orderBy(desc(phones.id))
      .limit(maxFound),
    db
      .select({ id: tickets.id, name: tickets.name, email: tickets.email, details: tickets.details })
      .from(tickets)
      .where(
        and(isNull(tickets.removalId), or(eq(tickets.id, id), inArray(tickets.id, recordsWith(db, text)))),
      )
      .orderBy(desc(tickets.id))
      .limit(maxFound),
    newestContentReports(
      db,
      viewer,
      or(
        eq(contentReports.id, id),
        inArray(contentReports.reporterId, usersNamed(db, text)),
        inArray(contentReports.id, recordsWith(db, text)),
      ),
      maxFound,
    ),
  ]);
  const listings = [...shown.map((listing) => ({ ...listing, hiddenBy: null })), ...hidden]
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, maxFound);
  return {
    users: foundUsers,
    orders: foundOrders,
    listings,
    reports: foundReports,
    contentReports: foundContentReports,
  };
}

/** The condition for an order number, "4F2A-91C0-77BE", or at least its first three digits. */
function isNumbered(text: string) {
  const digits = text.replaceAll(/[\s-]/g, "").toLowerCase();
  if (!/^[0-9a-f]{3,12}$/.test(digits)) return undefined;
  const number = sql`substr(${orders.id}, -12)`;
  return sql`(${number} >= ${digits} and ${number} <= ${digits.padEnd(12, "f")})`;
}
