import type { Db } from "#app/db/client.server.ts";
import { market } from "#app/market.ts";
import {
  parseTableQuery,
  type TableDefinition,
  type TableQuery,
  tableSearch,
  unparsedFilterText,
} from "#app/server/forms/table-query.ts";
import { dayLabel, isoDay } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivity, exportActivity } from "../audit/activity.server.ts";
import { activityTable } from "../audit/activity-table.rules.ts";
import { attributeNames, attributes, type Stated, shownValue } from "../listings/attributes.ts";
import { listingTable } from "../listings/listing-table.rules.ts";
import { exportListings } from "../listings/listing-tables.server.ts";
import { decimalPrice } from "../listings/money.rules.ts";
import { decisionLabel, hiddenLabel } from "../moderation/decisions/decision.rules.ts";
import { contentReportTable } from "../moderation/reports/content-report.rules.ts";
import { exportContentReports } from "../moderation/reports/content-reports.server.ts";
import { orderTable } from "../orders/order-table.rules.ts";
import { orderNumber } from "../orders/order-texts.ts";
import { exportOrders } from "../orders/orders.server.ts";
import { exportPayments } from "../payments/payment-list.server.ts";
import { paymentTable } from "../payments/payment-table.rules.ts";
import { stateWithReason } from "../payments/payment-texts.ts";
import { ticketTable } from "../support-tickets/ticket-table.rules.ts";
import { exportTickets } from "../support-tickets/tickets.server.ts";
import { type CsvValue, csvLines } from "../tables/csv.server.ts";
import { activityTargetText } from "./activity-texts.ts";
import { asSellers, sellerTable, type UserQuery, userTable } from "./user-tables.rules.ts";
import { exportUsers, shortenedContact } from "./users.server.ts";

interface TableExport {
  table: TableDefinition;
  columns: string[];
  rows(db: Db, viewer: Viewer, parameters: URLSearchParams): AsyncGenerator<CsvValue[][], void>;
}

/** Describes the export of a table. */
function tableExport<const Table extends TableDefinition, Row>(
  table: Table,
  read: (db: Db, query: TableQuery<Table>, viewer: Viewer) => AsyncGenerator<Row[], void>,
  columns: Record<string, (row: Row) => CsvValue>,
): TableExport {
  return {
    table,
    columns: Object.keys(columns),
    async *rows(db, viewer, parameters) {
      for await (const rows of read(db, parseTableQuery(table, parameters), viewer)) {
        yield rows.map((row) => Object.values(columns).map((value) => value(row)));
      }
    },
  };
}

type UserRow = ReturnType<typeof exportUsers> extends AsyncGenerator<(infer Row)[]> ? Row : never;

const userColumns: Record<string, (row: UserRow) => CsvValue> = {
  Id: ({ id }) => id,
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Role: ({ userType }) => userType,
  "Moderator since": ({ moderatorSince }) => moderatorSince,
  "Verified seller": ({ verified }) => (verified ? "yes" : "no"),
  "Email confirmed": ({ emailVerifiedAt }) => emailVerifiedAt,
  "Signed up": ({ createdAt }) => createdAt,
  "Last seen": ({ lastSeenDay }) => (lastSeenDay === null ? null : isoDay(lastSeenDay)),
};

const tableExports: Record<string, TableExport> = {
  users: tableExport(userTable, (db, query: UserQuery) => exportUsers(db, query), userColumns),
  sellers: tableExport(sellerTable, (db, query) => exportUsers(db, asSellers(query)), userColumns),
  reports: tableExport(ticketTable, exportTickets, {
    Id: ({ id }) => id,
    Name: ({ name }) => name,
    Email: ({ email }) => email,
    Details: ({ details }) => details,
    Sent: ({ createdAt }) => createdAt,
    State: ({ state }) => state,
  }),
  "content-reports": tableExport(contentReportTable, exportContentReports, {
    Id: ({ id }) => id,
    Kind: ({ kind }) => kind,
    Reported: ({ target }) => target,
    Owner: ({ ownerName }) => ownerName,
    Reporter: ({ reporterName }) => reporterName,
    Reason: ({ reason }) => reason,
    Details: ({ details }) => details,
    Decision: ({ decision }) => (decision ? decisionLabel(decision) : "Open"),
    Sent: ({ createdAt }) => createdAt,
  }),
  orders: tableExport(orderTable, exportOrders, {
    Id: ({ id }) => id,
    "Order number": ({ id }) => orderNumber(id),
    Buyer: ({ buyerName }) => buyerName,
    "Buyer's email": ({ email }) => email,
    Seller: ({ sellerName }) => sellerName,
    "Seller's email": ({ sellerEmail }) => sellerEmail,
    Device: ({ productName }) => productName,
    RAM: ({ ram }) => ram,
    Storage: ({ rom }) => rom,
    [`Price in ${market.currency}`]: ({ priceCents }) => decimalPrice(priceCents),
    Status: ({ stage, status }) => (status === "cancelled" ? status : stage),
    Placed: ({ createdAt }) => createdAt,
  }),
  payments: tableExport(paymentTable, exportPayments, {
    Id: ({ id }) => id,
    "Order number": ({ id }) => orderNumber(id),
    Buyer: ({ buyerName }) => buyerName,
    "Buyer's email": ({ buyerEmail }) => buyerEmail,
    Seller: ({ sellerName }) => sellerName,
    "Seller's email": ({ sellerEmail }) => sellerEmail,
    Device: ({ productName }) => productName,
    [`Amount in ${market.currency}`]: ({ amountCents }) => decimalPrice(amountCents),
    [`Fee in ${market.currency}`]: ({ feeCents }) => decimalPrice(feeCents),
    [`Refunded in ${market.currency}`]: ({ refundedCents }) => decimalPrice(refundedCents),
    [`Paid to the seller in ${market.currency}`]: ({ withSellerCents }) => decimalPrice(withSellerCents),
    Status: ({ suspendedUntil, ...payment }) =>
      stateWithReason({ ...payment, suspendedUntil: suspendedUntil?.toISOString() ?? null }, dayLabel),
    "Fails at the provider": ({ failure }) => failure?.code,
    Booked: ({ createdAt }) => createdAt,
    Paid: ({ paidAt }) => paidAt,
    Settled: ({ settledAt }) => settledAt,
  }),
  listings: tableExport(listingTable, exportListings, {
    Id: ({ id }) => id,
    Seller: ({ sellerName }) => sellerName,
    "Seller's email": ({ sellerEmail }) => sellerEmail,
    ...Object.fromEntries(
      attributeNames.map((name) => [attributes[name].term, (listing: Stated) => shownValue(name, listing)]),
    ),
    [`Price in ${market.currency}`]: ({ sellingCents }) => decimalPrice(sellingCents),
    [`Market price in ${market.currency}`]: ({ marketCents }) => decimalPrice(marketCents),
    Status: ({ status }) => status,
    Hidden: ({ hiddenBy }) => hiddenBy && hiddenLabel(hiddenBy),
    Published: ({ createdAt }) => createdAt,
  }),
  activity: tableExport(activityTable, exportActivity, {
    Id: ({ id }) => id,
    Administrator: ({ actorEmail }) => actorEmail,
    Action: ({ action }) => action,
    Target: activityTargetText,
    Time: ({ createdAt }) => createdAt,
  }),
};

/** Why a table cannot be exported as its filters say: their prices that cannot be read. Null if it can be. */
export function exportRefusal(name: string, parameters: URLSearchParams): string | null {
  const { table } = exportOf(name);
  const { filters }: { filters: Partial<Record<string, string>> } = parseTableQuery(table, parameters);
  const texts = table.filters.flatMap((filter) => unparsedFilterText(filter, filters[filter.name]) ?? []);
  return texts.length > 0 ? `${texts.join(". ")}.` : null;
}

function exportOf(name: string): TableExport {
  const exported = tableExports[name];
  if (!exported) throw new Error(`No table is called ${name}.`);
  return exported;
}

/** Streams a table as CSV (RFC 4180), with a byte order mark for spreadsheets, and records who exported it. */
export async function* exportTable(
  db: Db,
  admin: Viewer,
  name: string,
  parameters: URLSearchParams,
): AsyncGenerator<string, void> {
  const exported = exportOf(name);
  const query: { filters: Partial<Record<string, string>> } = parseTableQuery(exported.table, parameters);
  const { contact } = query.filters;
  if (contact) query.filters.contact = shortenedContact(contact);
  const search = tableSearch(exported.table, query);
  await addActivity(
    db,
    admin,
    "exported table",
    "",
    `${name}.csv${decodeURIComponent(search.replaceAll("+", " "))}`,
  );
  yield `\uFEFF${await csvLines([exported.columns])}`;
  for await (const rows of exported.rows(db, admin, parameters)) {
    yield await csvLines(rows);
  }
}
