import { desc, eq } from "drizzle-orm";
import {
  announcements,
  notes,
  notifications,
  orders,
  pageVersions,
  phones,
  removals,
  savedReplies,
  sessions,
  ticketMessages,
  tickets,
  users,
  workClaims,
} from "#app/db/schema.ts";
import type { BulkAction } from "#app/features/administration/bulk.rules.ts";
import { changePrices } from "#app/features/listings/price-change.server.ts";
import { dayMs } from "#app/time.ts";
import { addAccount, addPhone, addProblem } from "../fixtures.ts";
import { type Example, type Examples, type Fields, type Market, rowsWith } from "./example.ts";
import {
  addListing,
  addOrder,
  addReport,
  addReportedListing,
  adminOf,
  type Person,
  postFromElsewhere,
  sellerOf,
} from "./records.ts";

/** Something on the page of a user. */
const ofUser = (fields: Fields, account = {}, more: Partial<Example> = {}): Example => ({
  form: "/manage/users/:userId",
  fields,
  async prepare(market) {
    const { id } = await addAccount(market.db, { userType: "Seller", ...account });
    return { ids: [id], fields: { _id: id }, rows: rowsWith(users.id, id) };
  },
  ...more,
});

/** A row of a table with the ids of several selected ones. */
const bulk = (
  action: BulkAction,
  addRow: (market: Market) => Promise<{ id: string }>,
  column: Parameters<typeof rowsWith>[0],
): Example => ({
  form: "/manage/selected",
  hasKey: true,
  isByRow: true,
  async prepare(market) {
    const ids = [(await addRow(market)).id, (await addRow(market)).id];
    const fields = { action, id: ids, ...(action === "hide listings" && { reason: "duplicate" }) };
    const query = `?${new URLSearchParams([["action", action], ...ids.map((id) => ["id", id])])}`;
    return { query, fields, rows: rowsWith(column, ids[0]) };
  },
});
const addSeller = ({ db }: Market) => addAccount(db, { userType: "Seller" });
const addOne = async (market: Market) => (await addListing(market)).phone;
const report = async (market: Market) => ({ id: await addReport(market) });

const note = (
  form: string,
  addSubject: (market: Market) => Promise<string>,
  more: Partial<Example> = {},
): Example => ({
  form,
  fields: { intent: "note", note: "Called twice" },
  hasKey: true,
  typed: "note",
  ...more,
  async prepare(market) {
    const id = await addSubject(market);
    const ids = form.includes(":kind") ? ["listing", id] : [id];
    return { ids, rows: rowsWith(notes.subjectId, id) };
  },
});

const ofReport = (fields: Fields, more: Partial<Example>): Example => ({
  form: "/manage/reports/:ticketId",
  fields,
  ...more,
  async prepare(market) {
    const id = await addReport(market);
    const isAnswer = fields.intent === "answer";
    const rows = isAnswer ? rowsWith(ticketMessages.ticketId, id) : rowsWith(tickets.id, id);
    return { ids: [id], rows };
  },
});

const announcement = (intent: "announce" | "end"): Example => ({
  form: "/manage/announcements",
  fields: { intent, audience: "all", from: "2026-01-01", to: "2026-01-02" },
  ...(intent === "announce" && { hasKey: true, typed: "text" }),
  async prepare(market) {
    const text = `News ${crypto.randomUUID()}`;
    const lastDay = Math.floor(Date.now() / dayMs);
    const shown = { id: crypto.randomUUID(), audience: "all", text, firstDay: lastDay, lastDay } as const;
    if (intent === "end") await market.db.insert(announcements).values(shown);
    return { fields: { text, _id: shown.id }, rows: rowsWith(announcements.text, text) };
  },
});

const caseExample = (intent: "take" | "give back"): Example => ({
  form: "/manage/work",
  fields: { intent },
  refusal: "toast",
  async prepare(market, by) {
    const person = by ?? (await adminOf(market));
    const path = `/manage/moderation/listing/${(await addReportedListing(market)).phone.id}`;
    if (intent === "give back")
      await postFromElsewhere(market, person, "/manage/work", { intent: "take", path });
    return { person, fields: { path }, rows: rowsWith(workClaims.path, path) };
  },
});

/** Undoes what was just done in a form. */
const undo = (
  remove: (market: Market) => Promise<{ person: Person; path: string; fields: Fields; id: string }>,
  column: Parameters<typeof rowsWith>[0] = phones.id,
): Example => ({
  form: "/manage/undo",
  fields: { redirectTo: "https://elsewhere.example/" },
  refusal: "toast",
  of: "owner",
  refused: { form: 303 },
  async prepare(market) {
    const { person, path, fields, id } = await remove(market);
    await postFromElsewhere(market, person, path, fields);
    const own = eq(removals.actorId, person.account.id);
    const [newest] = await market.db.select().from(removals).where(own).orderBy(desc(removals.id)).limit(1);
    if (!newest) throw new Error(`${path} removed nothing.`);
    return { person, fields: { _id: newest.id }, rows: rowsWith(column, id) };
  },
});

const undoDecision = (decision: string, confirmed: string) =>
  undo(async (market) => {
    const { id } = (await addReportedListing(market)).phone;
    const fields = { decision, reason: "spam", days: "7", confirmed };
    return { person: await adminOf(market), path: `/manage/moderation/listing/${id}`, fields, id };
  });

const ofSeller = (path: string, intent: string) => async (market: Market) => {
  const { id } = (await addListing(market)).person.account;
  return { person: await adminOf(market), path, fields: { _id: id, intent }, id };
};

/** What administrators and moderators do with accounts and rows, and undoing it. */
export const administration = {
  "delete user": [
    ofUser({ intent: "delete" }, {}, { form: "/manage/users", rest: "DELETE /users/delete/{id}" }),
    ofUser({ intent: "delete" }, {}, { form: "/manage/sellers" }),
    ofUser({ intent: "delete" }),
  ],
  "verify seller": [
    ofUser({ intent: "verify" }, {}, { form: "/manage/sellers", rest: "PUT /seller/verify/{id}" }),
    ofUser({ intent: "verify" }),
  ],
  "change role": [
    ofUser({ intent: "appoint moderator" }),
    ofUser({ intent: "withdraw moderator" }, { moderatorSince: new Date() }),
  ],
  "write to users": [
    {
      form: "/manage/announcements",
      fields: { intent: "write", text: "Hello" },
      hasKey: true,
      typed: "text",
      async prepare(market) {
        const { id } = await addAccount(market.db);
        return { query: `?id=${id}`, rows: rowsWith(notifications.userId, id) };
      },
    },
    announcement("announce"),
    announcement("end"),
  ],
  "write pages": [
    {
      form: "/manage/pages/:slug",
      fields: { intent: "published", body: "Hello", base: "" },
      typed: "body",
      async prepare() {
        const title = `Page ${crypto.randomUUID()}`;
        return { ids: ["new"], fields: { title }, rows: rowsWith(pageVersions.title, title) };
      },
    },
  ],
  "end sessions": [
    ofUser(
      { intent: "end sessions" },
      {},
      {
        async prepare(market) {
          const { id } = (await sellerOf(market)).account;
          return { ids: [id], rows: rowsWith(sessions.userId, id) };
        },
      },
    ),
  ],
  "bulk action": [
    bulk("delete users", addSeller, users.id),
    bulk("verify sellers", addSeller, users.id),
    bulk("hide listings", addOne, phones.id),
    bulk("delete listings", addOne, phones.id),
    bulk("delete tickets", report, tickets.id),
    {
      form: "/manage/listings",
      fields: { intent: "merge", spelling: "Merged" },
      typed: "spelling",
      async prepare(market) {
        const brand = `Brand ${crypto.randomUUID()}`;
        const { id } = await addPhone(market.db, { brandName: brand });
        return { fields: { brand, confirmed: `${brand} into Merged` }, rows: rowsWith(phones.id, id) };
      },
    },
  ],
  "take case": [caseExample("take"), caseExample("give back")],
  "answer ticket": [
    ofReport(
      { intent: "answer", text: "Try again" },
      { rest: "POST /reports/{id}", hasKey: true, body: { text: "Try again" }, typed: "text" },
    ),
    ofReport({ intent: "close" }, { rest: "PUT /reports/{id}", body: { state: "closed" } }),
  ],
  "keep saved replies": [
    {
      form: "/manage/replies",
      fields: { intent: "save", text: "Hello {name}" },
      hasKey: true,
      typed: "text",
      async prepare() {
        const title = `Reply ${crypto.randomUUID()}`;
        return { fields: { title }, rows: rowsWith(savedReplies.title, title) };
      },
    },
    {
      form: "/manage/replies",
      fields: { intent: "delete" },
      async prepare({ db }) {
        const id = crypto.randomUUID();
        await db.insert(savedReplies).values({ id, title: id, text: "Hello", changedAt: new Date() });
        return { fields: { _id: id }, rows: rowsWith(savedReplies.id, id) };
      },
    },
  ],
  "write note": [
    note("/manage/users/:userId", async (market) => (await sellerOf(market)).account.id),
    note("/manage/moderation/:kind/:targetId", async (market) => (await addOne(market)).id),
    note("/manage/orders/:orderId", async (market) => (await addOrder(market)).orderId, {
      of: "administrator",
    }),
    note("/manage/reports/:ticketId", addReport),
    {
      ...note("/manage/problems/:problemId", addReport),
      async prepare(market) {
        const { orderId, problem } = await addProblem(market.db, { isAsked: true });
        return { ids: [(await problem()).id], rows: rowsWith(notes.subjectId, orderId) };
      },
    },
  ],
  "undo deletion": [
    undo(async (market) => {
      const { person, phone } = await addListing(market);
      return { person, path: "/manage/mysells", fields: { _id: phone.id }, id: phone.id };
    }),
    undo(async (market) => {
      const { person, orderId } = await addOrder(market);
      return { person, path: "/manage?index", fields: { _id: orderId }, id: orderId };
    }, orders.id),
    {
      form: "/manage/undo",
      rest: "DELETE /allPhoneInfo/prices/{id}",
      refusal: "toast",
      of: "owner",
      refused: { form: 303 },
      fields: { redirectTo: "https://elsewhere.example/" },
      async prepare(market) {
        const { person, phone } = await addListing(market);
        const changes = [{ id: phone.id, cents: 30_000 }];
        const { removalId } = await changePrices(market.db, person.account, changes, null);
        const id = removalId ?? "";
        return { person, ids: [id], fields: { _id: id }, rows: rowsWith(phones.id, phone.id) };
      },
    },
    undo(ofSeller("/manage/users", "delete"), users.id),
    undo(ofSeller("/manage/sellers", "verify"), users.id),
    { ...undoDecision("hide", "hide"), triedOnce: true },
    { ...undoDecision("suspend", "suspend 7"), triedOnce: true },
    {
      triedOnce: true,
      ...undo(ofSeller("/manage/users", "delete")),
      isByRow: true,
      async prepare(market) {
        const person = await adminOf(market);
        const removed: string[] = [];
        let id = "";
        for (const _ of [1, 2]) {
          ({ id } = await addOne(market));
          await postFromElsewhere(market, person, "/manage/listings", { _id: id });
          const [removal] = await market.db.select().from(removals).where(eq(removals.targetId, id));
          removed.push(removal?.id ?? "");
        }
        return { person, fields: { _id: removed.join() }, rows: rowsWith(phones.id, id) };
      },
    },
  ],
} satisfies Examples;
