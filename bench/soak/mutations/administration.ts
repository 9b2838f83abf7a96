import { announcements, reports } from "#app/db/schema.ts";
import type { BulkAction } from "#app/features/administration/bulk.rules.ts";
import type { Market } from "../market.ts";
import { type MutationCase, type MutationCases, request } from "./mutation-case.ts";
import { addListing, addOrder, addReportedListing, adminOf, removedBy, sellerOf } from "./records.ts";

/** What administrators do with accounts and rows, and undoing it. */
export const administration = {
  "delete user": [
    request(async (market) => {
      const { person } = await addListing(market);
      return {
        person: await adminOf(market),
        path: "/manage/users",
        fields: { _id: person.account.id, intent: "delete" },
      };
    }),
    request(async (market) => {
      const { account } = (await addListing(market)).person;
      return { person: await adminOf(market), path: `/users/delete/${account.id}`, method: "DELETE" };
    }),
  ],
  "verify seller": [
    request(async (market) => {
      const { person } = await addListing(market);
      const fields = { _id: person.account.id, intent: "verify" };
      return { person: await adminOf(market), path: "/manage/sellers", fields };
    }),
    request(async (market) => {
      const { person } = await addListing(market);
      return { person: await adminOf(market), path: `/seller/verify/${person.account.id}`, method: "PUT" };
    }),
  ],
  "change role": [
    request(async (market) => {
      const { account } = await sellerOf(market);
      const fields = { intent: "appoint moderator" };
      return { person: await adminOf(market), path: `/manage/users/${account.id}`, fields };
    }),
  ],
  "write to users": [
    request(async (market) => {
      const { account } = await sellerOf(market);
      const fields = { intent: "write", text: "Hello", formKey: crypto.randomUUID() };
      return { person: await adminOf(market), path: `/manage/announcements?id=${account.id}`, fields };
    }),
    request(async (market) => {
      const days = { from: "2026-01-01", to: "2026-01-02" };
      const fields = {
        intent: "announce",
        text: "News",
        audience: "all",
        ...days,
        formKey: crypto.randomUUID(),
      };
      return { person: await adminOf(market), path: "/manage/announcements", fields };
    }),
    request(async (market) => {
      const lastDay = Math.floor(Date.now() / 86_400_000);
      const values = { audience: "all", text: "News", firstDay: lastDay, lastDay } as const;
      const [row] = await market.db.insert(announcements).values(values).returning();
      const fields = { intent: "end", _id: row?.id ?? "" };
      return { person: await adminOf(market), path: "/manage/announcements", fields };
    }),
  ],
  "write pages": [
    request(async (market) => {
      const title = `Page ${crypto.randomUUID()}`;
      const fields = { intent: "published", title, body: "Hello", base: "" };
      return { person: await adminOf(market), path: "/manage/pages/new", fields };
    }),
  ],
  "end sessions": [
    request(async (market) => {
      const { account } = await sellerOf(market);
      const fields = { intent: "end sessions" };
      return { person: await adminOf(market), path: `/manage/users/${account.id}`, fields };
    }),
  ],
  "bulk action": [
    bulkCase("delete users", async (market) => (await addListing(market)).person.account.id),
    bulkCase("verify sellers", async (market) => (await addListing(market)).person.account.id),
    bulkCase("hide listings", async (market) => (await addListing(market)).phone.id, [
      ["reason", "Duplicate or spam"],
    ]),
    bulkCase("delete listings", async (market) => (await addListing(market)).phone.id),
    bulkCase("delete reports", addReport),
  ],
  "take case": [
    request(async (market) => {
      const fields = { intent: "take", path: `/manage/reports/${await addReport(market)}` };
      return { person: await adminOf(market), path: "/manage/work", fields };
    }),
    request(async (market) => {
      const [person, path] = [await adminOf(market), `/manage/reports/${await addReport(market)}`];
      await person.post("/manage/work", { intent: "take", path });
      return { person, path: "/manage/work", fields: { intent: "give back", path } };
    }),
  ],
  "answer report": [
    request(async (market) => {
      const path = `/manage/reports/${await addReport(market)}`;
      const fields = { intent: "answer", text: "Try again", formKey: crypto.randomUUID() };
      return { person: await adminOf(market), path, fields };
    }),
    request(async (market) => {
      const path = `/manage/reports/${await addReport(market)}`;
      return { person: await adminOf(market), path, fields: { intent: "close" } };
    }),
  ],
  "write note": [
    request(async (market) => {
      const path = `/manage/users/${(await sellerOf(market)).account.id}`;
      const fields = { intent: "note", note: "Called twice", formKey: crypto.randomUUID() };
      return { person: await adminOf(market), path, fields };
    }),
  ],
  "undo deletion": [
    request(async (market) => {
      const { person, phone } = await addListing(market);
      const _id = await removedBy(person, "/manage/mysells", { _id: phone.id });
      return { person, path: "/manage/undo", fields: { _id } };
    }),
    request(async (market) => {
      const { person, orderId } = await addOrder(market);
      const _id = await removedBy(person, "/manage?index", { _id: orderId });
      return { person, path: "/manage/undo", fields: { _id } };
    }),
    request(async (market) => {
      const [{ person: seller }, person] = [await addListing(market), await adminOf(market)];
      const _id = await removedBy(person, "/manage/users", { _id: seller.account.id, intent: "delete" });
      return { person, path: "/manage/undo", fields: { _id } };
    }),
    request(async (market) => {
      const [seller, person] = [await sellerOf(market), await adminOf(market)];
      const fields = { _id: seller.account.id, intent: "verify" };
      const _id = await removedBy(person, "/manage/sellers", fields);
      return { person, path: "/manage/undo", fields: { _id } };
    }),
    ...(["hide", "suspend"] as const).map((decision) =>
      request(async (market) => {
        const [{ phone }, person] = [await addReportedListing(market), await adminOf(market)];
        const page = `/manage/moderation/listing/${phone.id}`;
        const _id = await removedBy(person, page, { decision, reason: "Spam", formKey: crypto.randomUUID() });
        return { person, path: "/manage/undo", fields: { _id } };
      }),
    ),
    request(
      async (market) => {
        const listings = [await addListing(market), await addListing(market)];
        const person = await adminOf(market);
        const removals: string[] = [];
        for (const { phone } of listings)
          removals.push(await removedBy(person, "/manage/listings", { _id: phone.id }));
        return { person, path: "/manage/undo", fields: { _id: removals.join() } };
      },
      { isByRow: true },
    ),
  ],
} satisfies MutationCases;

function bulkCase(
  action: BulkAction,
  addRow: (market: Market) => Promise<string>,
  more: [string, string][] = [],
): MutationCase {
  return request(
    async (market) => {
      const ids = [await addRow(market), await addRow(market)];
      const fields: [string, string][] = [
        ["action", action],
        ["formKey", crypto.randomUUID()],
        ...more,
        ...ids.map((id): [string, string] => ["id", id]),
      ];
      return { person: await adminOf(market), path: "/manage/selected", fields };
    },
    { isByRow: true },
  );
}

async function addReport({ db }: Market): Promise<string> {
  const values = { name: "Mia Sund", email: "mia@example.com", details: crypto.randomUUID() };
  const [row] = await db.insert(reports).values(values).returning();
  return row?.id ?? "";
}
