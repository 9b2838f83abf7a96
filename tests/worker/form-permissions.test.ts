import { and, eq, isNotNull } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  accountEmails,
  announcements,
  blocks,
  contentReports,
  conversations,
  decisions,
  messages,
  notes,
  notifications,
  offers,
  oneTimeTokens,
  orders,
  pageVersions,
  passkeys,
  personalAccessTokens,
  phones,
  photos,
  removals,
  reportMessages,
  reports,
  reviews,
  savedListings,
  savedSearches,
  sessions,
  users,
  workClaims,
} from "#app/db/schema.ts";
import {
  createPersonalAccessToken,
  listPersonalAccessTokens,
} from "#app/features/accounts/personal-access-tokens.server.ts";
import { listSessions, openSession } from "#app/features/accounts/sessions.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { findPhone } from "#app/features/listings/phones.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { makeOffer } from "#app/features/orders/offers.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { saveSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import {
  admin,
  moderators,
  secretAddress,
  signedIn,
  signInEachRole,
  type Who,
  whos,
} from "../harness/roles.ts";
import {
  addAccount,
  addPhone,
  addProblem,
  addReceivedOrder,
  sharedServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
let people: Record<Who, Visitor>;
let accounts: Awaited<ReturnType<typeof signInEachRole>>["accounts"];

beforeAll(async () => {
  server = await sharedServer();
  ({ people, accounts } = await signInEachRole(server));
});

/**
 * Forms posted directly to an action. `prepare` creates a target of another user, and returns the form; `happened`
 * checks in the database whether it took effect.
 */
const actions: {
  action: string;
  who: readonly Who[];
  /** Roles that may submit, but not change this target: they get an error, and nothing happens. */
  powerless?: readonly Who[];
  /** The response is the page, and no redirect. */
  staysOnPage?: boolean;
  /** Roles that get 404 for the target. */
  blind?: readonly Who[];
  prepare(): Promise<{
    path: string;
    fields: Record<string, string>;
    happened(who: Who): Promise<boolean>;
  }>;
}[] = [
  {
    action: "publish a phone",
    who: signedIn,
    async prepare() {
      const model = `Forged ${crypto.randomUUID()}`;
      return {
        path: "/addphone",
        fields: { ...wholePhone, model, sellerEmail: secretAddress, sellerId: "x", _id: "x" },
        async happened() {
          const [row] = await server.db
            .select({ email: users.email })
            .from(phones)
            .innerJoin(users, eq(users.id, phones.sellerId))
            .where(eq(phones.model, model));
          // The seller is the session's account, whatever the form has.
          expect(row?.email).not.toBe(secretAddress);
          // A buyer with a listing may open My Sellings.
          await server.db.delete(phones).where(eq(phones.model, model));
          return row !== undefined;
        },
      };
    },
  },
  {
    action: "book a phone",
    who: signedIn,
    async prepare() {
      const phone = await addPhone(server.db);
      return {
        path: `/products/${phone.id}/book`,
        fields: { price: "1", email: secretAddress, name: "Forged", address: "", phone: "" },
        async happened() {
          const [row] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
          if (row) expect([row.priceCents, row.email]).not.toEqual([100, secretAddress]);
          return row !== undefined;
        },
      };
    },
  },
  {
    action: "take a case",
    who: moderators,
    async prepare() {
      const target = await addPhone(server.db);
      const reason = { reason: "Duplicate or spam", details: "" } as const;
      await reportContent(server.db, await addAccount(server.db), "listing", target.id, reason);
      const path = `/manage/moderation/listing/${target.id}`;
      return {
        path: "/manage/work",
        fields: { intent: "take", path },
        happened: async () => (await server.db.$count(workClaims, eq(workClaims.path, path))) > 0,
      };
    },
  },
  ...[
    { kind: "listing", who: moderators, page: (id: string) => `/manage/moderation/listing/${id}` },
    { kind: "user", who: admin, page: (id: string) => `/manage/users/${id}` },
    { kind: "order", who: admin, page: (id: string) => `/manage/orders/${id}` },
    { kind: "report", who: admin, page: (id: string) => `/manage/reports/${id}` },
  ].map(({ kind, who, page }) => ({
    action: `write a note about a ${kind}`,
    who,
    blind: kind === "order" ? signedIn.filter((role) => role !== "admin") : [],
    async prepare() {
      const phone = await addPhone(server.db);
      const booked = await bookWithoutLimits(server.db, await addAccount(server.db), phone.id, {
        address: "",
        phone: "",
      });
      const [report] = await server.db
        .insert(reports)
        .values({ name: "", email: "", details: "" })
        .returning();
      const ids: Record<string, string> = {
        listing: phone.id,
        user: phone.sellerId,
        order: ("orderId" in booked && booked.orderId) || "",
        report: report?.id ?? "",
      };
      const id = ids[kind] ?? "";
      return {
        path: page(id),
        fields: { intent: "note", note: "Called twice" },
        happened: async () => (await server.db.$count(notes, eq(notes.subjectId, id))) > 0,
      };
    },
  })),
  {
    action: "write a note about an order problem",
    who: ["moderator", "admin"],
    async prepare() {
      const { orderId, problem } = await addProblem(server.db, { isAsked: true });
      return {
        path: `/manage/problems/${(await problem()).id}`,
        fields: { intent: "note", note: "Called twice" },
        happened: async () => (await server.db.$count(notes, eq(notes.subjectId, orderId))) > 0,
      };
    },
  },
  {
    action: "answer a problem report",
    who: admin,
    async prepare() {
      const values = { name: "", email: "sender@example.com", details: "" };
      const [report] = await server.db.insert(reports).values(values).returning();
      const id = report?.id ?? "";
      return {
        path: `/manage/reports/${id}`,
        fields: { intent: "answer", text: "Try again" },
        happened: async () => (await server.db.$count(reportMessages, eq(reportMessages.reportId, id))) > 0,
      };
    },
  },
  {
    action: "close a problem report",
    who: admin,
    async prepare() {
      const [row] = await server.db.insert(reports).values({ name: "", email: "", details: "" }).returning();
      const id = row?.id ?? "";
      return {
        path: `/manage/reports/${id}`,
        fields: { intent: "close" },
        happened: async () =>
          (await server.db.$count(reports, and(eq(reports.id, id), eq(reports.state, "closed")))) > 0,
      };
    },
  },
  ...[
    { path: "/manage?index", powerless: ["buyer", "seller", "verified seller", "moderator"] as const },
    { path: "/manage/orders" },
  ].map(({ path, powerless }) => ({
    action: `cancel another's order on ${path}`,
    who: admin,
    powerless,
    async prepare() {
      const phone = await addPhone(server.db);
      await bookWithoutLimits(server.db, await addAccount(server.db), phone.id, { address: "", phone: "" });
      const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
      return {
        path,
        fields: { _id: order?.id ?? "" },
        async happened() {
          const [row] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
          return row?.status === "cancelled";
        },
      };
    },
  })),
  ...[
    { intent: "review", stars: "1", text: "Forged", reply: "" },
    { intent: "reply", stars: "", text: "", reply: "Forged" },
  ].map((fields) => ({
    action: `${fields.intent} on another's order`,
    who: [],
    blind: signedIn,
    async prepare() {
      const [buyer, seller] = [
        await addAccount(server.db),
        await addAccount(server.db, { userType: "Seller" }),
      ];
      const orderId = await addReceivedOrder(server.db, buyer, seller);
      await saveReview(server.db, buyer, orderId, { stars: 5, text: "" });
      await saveReview(server.db, seller, orderId, { stars: 5, text: "" });
      return {
        path: `/manage/orders/${orderId}/reviews`,
        fields,
        async happened() {
          const rows = await server.db.select().from(reviews).where(eq(reviews.orderId, orderId));
          return rows.some(({ stars, reply }) => stars === 1 || reply !== null);
        },
      };
    },
  })),
  ...[
    { intent: "answer", answer: "close", text: "" },
    { intent: "answer", answer: "ask", text: "Forged" },
    { intent: "open", answer: "", kind: "defect", text: "Forged" },
  ].map((fields) => ({
    action: `${fields.intent} ${fields.answer} another's problem`,
    who: [],
    blind: signedIn,
    async prepare() {
      const { orderId, problem } = await addProblem(server.db);
      const { lastStepId } = await problem();
      return {
        path: `/manage/orders/${orderId}/problem`,
        fields: fields as Record<string, string>,
        happened: async () => (await problem()).lastStepId !== lastStepId,
      };
    },
  })),
  {
    action: "decide about a problem",
    who: moderators,
    async prepare() {
      const { problem } = await addProblem(server.db, { isAsked: true });
      return {
        path: `/manage/problems/${(await problem()).id}`,
        fields: { decision: "refused", reason: "Nothing is wrong." },
        happened: async () => (await problem()).state === "refused",
      };
    },
  },
  ...[
    { intent: "", text: "Forged" },
    { intent: "block", text: "" },
  ].map(({ intent, text }) => ({
    action: `${intent || "write"} in others' conversation`,
    who: [],
    blind: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db);
      const message = { text: "Hello", formKey: null };
      const { conversationId = "" } = await sendFirstMessage(
        server.db,
        await addAccount(server.db),
        { phone: id },
        message,
      );
      const before = await server.db.$count(blocks);
      return {
        path: `/manage/messages/${conversationId}`,
        fields: { text, ...(intent && { intent }) } as Record<string, string>,
        async happened() {
          const sent = await server.db.$count(messages, eq(messages.conversationId, conversationId));
          return sent > 1 || (await server.db.$count(blocks)) > before;
        },
      };
    },
  })),
  ...["accept", "refuse", "withdraw", "counter"].map((intent) => ({
    action: `${intent} another's offer`,
    who: [],
    blind: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db);
      const offer = { amountCents: 30_000, text: "", formKey: null };
      const { offerId = "" } = await makeOffer(server.db, await addAccount(server.db), id, offer);
      return {
        path: "/manage/offers",
        fields: { intent, offer: offerId, amount: "320" },
        happened: async () => (await server.db.$count(offers, isNotNull(offers.answer))) > 0,
      };
    },
  })),
  ...[{ intent: "read all", powerless: signedIn }].map(({ intent, ...roles }) => ({
    action: `${intent} another's notifications`,
    who: [],
    ...roles,
    async prepare() {
      const phone = await addPhone(server.db);
      await bookWithoutLimits(server.db, await addAccount(server.db), phone.id, { address: "", phone: "" });
      const [booked] = await server.db
        .select()
        .from(notifications)
        .where(eq(notifications.userId, phone.sellerId));
      const id = booked?.id ?? "";
      return {
        path: "/manage/notifications",
        fields: { intent, _id: id, userId: phone.sellerId },
        async happened() {
          const [row] = await server.db.select().from(notifications).where(eq(notifications.id, id));
          return row?.readAt !== null;
        },
      };
    },
  })),
  ...["save"].map((intent) => ({
    action: `${intent} a listing as saved`,
    who: signedIn,
    async prepare() {
      const phone = await addPhone(server.db);
      return {
        path: "/manage/saved/state",
        fields: { [intent]: phone.id, redirectTo: "/products", userId: (await hiddenPerson()).id },
        async happened() {
          const rows = await server.db
            .select()
            .from(savedListings)
            .where(eq(savedListings.phoneId, phone.id));
          expect(rows.map(({ userId }) => userId)).not.toContain((await hiddenPerson()).id);
          return rows.length > 0;
        },
      };
    },
  })),
  ...[
    { path: "/manage/saved", field: "_id" },
    { path: "/manage/saved/state", field: "remove" },
  ].map(({ path, field }) => ({
    action: `remove another's saved listing on ${path}`,
    who: [],
    powerless: signedIn,
    async prepare() {
      const phone = await addPhone(server.db);
      await saveListing(server.db, await hiddenPerson(), phone.id);
      return {
        path,
        fields: { [field]: phone.id },
        happened: async () =>
          (await server.db.$count(savedListings, eq(savedListings.phoneId, phone.id))) === 0,
      };
    },
  })),
  {
    action: "write to the other side of another's order",
    who: [],
    blind: signedIn,
    async prepare() {
      const phone = await addPhone(server.db);
      await bookWithoutLimits(server.db, await addAccount(server.db), phone.id, { address: "", phone: "" });
      const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
      return {
        path: `/manage/messages/new?order=${order?.id}`,
        fields: { text: "Forged" },
        happened: async () =>
          (await server.db.$count(conversations, eq(conversations.phoneId, phone.id))) > 0,
      };
    },
  },
  {
    action: "hide a reported listing",
    who: moderators,
    async prepare() {
      const { id } = await addPhone(server.db);
      const spam = { reason: "Duplicate or spam", details: "" } as const;
      await reportContent(server.db, await addAccount(server.db), "listing", id, spam);
      return {
        path: `/manage/moderation/listing/${id}`,
        fields: { decision: "hide", reason: "Listed twice.", days: "7" },
        happened: async () => (await findPhone(server.db, id)) === null,
      };
    },
  },
  {
    action: "appeal a decision about another",
    who: [],
    blind: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db);
      const spam = { reason: "Duplicate or spam", details: "" } as const;
      await reportContent(server.db, await addAccount(server.db), "listing", id, spam);
      const warning = { decision: "warn", reason: "Listed twice.", days: "7" } as const;
      const decided = await decide(server.db, accounts.admin, "listing", id, warning, null);
      const appealed = and(eq(decisions.id, decided.id ?? ""), isNotNull(decisions.appeal));
      return {
        path: `/manage/decisions/${decided.id}`,
        fields: { appeal: "Forged" },
        happened: async () => (await server.db.$count(decisions, appealed)) > 0,
      };
    },
  },
  {
    action: "report a listing",
    who: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db);
      return {
        path: `/report/listing/${id}`,
        fields: { reason: "Duplicate or spam", details: "", reporterId: "x", ownerId: "x" },
        async happened() {
          const [row] = await server.db.select().from(contentReports).where(eq(contentReports.targetId, id));
          expect([row?.reporterId, row?.ownerId]).not.toContain("x");
          return row !== undefined;
        },
      };
    },
  },
  {
    action: "report a review that only its subject can see",
    who: [],
    blind: signedIn,
    async prepare() {
      const [buyer, seller] = [
        await addAccount(server.db),
        await addAccount(server.db, { userType: "Seller" }),
      ];
      const orderId = await addReceivedOrder(server.db, buyer, seller);
      await saveReview(server.db, buyer, orderId, { stars: 5, text: "" });
      await saveReview(server.db, seller, orderId, { stars: 1, text: "Came late." });
      const [row] = await server.db.select().from(reviews).where(eq(reviews.authorId, seller.id));
      const ofReview = eq(contentReports.targetId, row?.id ?? "");
      return {
        path: `/report/review/${row?.id}`,
        fields: { reason: "Spam", details: "" },
        happened: async () => (await server.db.$count(contentReports, ofReview)) > 0,
      };
    },
  },
  {
    action: "change where another's order is sent",
    who: [],
    blind: signedIn,
    async prepare() {
      const phone = await addPhone(server.db);
      await bookWithoutLimits(server.db, await addAccount(server.db), phone.id, { address: "", phone: "" });
      const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
      return {
        path: `/manage/orders/${order?.id}`,
        fields: { intent: "delivery", address: "Mine now", phone: "" },
        async happened() {
          const [row] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
          return row?.buyerAddress !== "";
        },
      };
    },
  },
  ...[
    { path: "/manage/mysells", powerless: ["seller", "verified seller"] as const },
    { path: "/manage/listings" },
  ].map(({ path, powerless }) => ({
    action: `delete another's listing on ${path}`,
    who: admin,
    powerless,
    async prepare() {
      const phone = await addPhone(server.db);
      return {
        path,
        fields: { _id: phone.id },
        async happened() {
          const [row] = await server.db.select().from(phones).where(eq(phones.id, phone.id));
          return row?.hiddenById !== null;
        },
      };
    },
  })),
  {
    action: "merge two spellings of a brand",
    who: admin,
    async prepare() {
      const brand = `Brand ${crypto.randomUUID()}`;
      const { id } = await addPhone(server.db, { brandName: brand });
      const merging = { brand, spelling: "Merged", confirmed: `${brand} into Merged` };
      return {
        path: "/manage/listings",
        fields: { intent: "merge", ...merging },
        async happened() {
          const [row] = await server.db.select().from(phones).where(eq(phones.id, id));
          return row?.brandName === "Merged";
        },
      };
    },
  },
  ...["/manage/users", "/manage/sellers"].map((path) => ({
    action: `delete a user on ${path}`,
    who: admin,
    async prepare() {
      const { id } = await addAccount(server.db, { userType: "Seller" });
      return {
        path,
        fields: { _id: id, intent: "delete" },
        async happened() {
          const [row] = await server.db.select().from(users).where(eq(users.id, id));
          return row?.removalId !== null;
        },
      };
    },
  })),
  {
    action: "remove a photo of another's listing",
    who: [],
    blind: signedIn,
    async prepare() {
      const phone = await addPhone(server.db);
      const photo = {
        id: crypto.randomUUID(),
        phoneId: phone.id,
        position: 1,
        width: 1,
        height: 1,
        digest: "",
      };
      await server.db.insert(photos).values(photo);
      return {
        path: `/manage/mysells/${phone.id}/photos`,
        fields: { _id: photo.id, intent: "remove" },
        happened: async () => (await server.db.$count(photos, eq(photos.phoneId, phone.id))) === 0,
      };
    },
  },
  {
    action: "write to a user",
    who: admin,
    async prepare() {
      const { id } = await addAccount(server.db);
      return {
        path: `/manage/announcements?id=${id}`,
        fields: { intent: "write", text: "Hello" },
        happened: async () => (await server.db.$count(notifications, eq(notifications.userId, id))) === 1,
      };
    },
  },
  ...["announce", "end"].map((intent) => ({
    action: `${intent} an announcement`,
    who: admin,
    async prepare() {
      const { id, text } = { id: crypto.randomUUID(), text: crypto.randomUUID() };
      const today = Math.floor(Date.now() / dayMs);
      if (intent === "end")
        await server.db
          .insert(announcements)
          .values({ id, text, audience: "all", firstDay: today, lastDay: today });
      return {
        path: "/manage/announcements",
        fields: { intent, _id: id, text, audience: "all", from: "2026-01-01", to: "2026-01-02" },
        async happened() {
          const [row] = await server.db.select().from(announcements).where(eq(announcements.text, text));
          return row !== undefined && row.lastDay < today;
        },
      };
    },
  })),
  {
    action: "publish a page",
    who: admin,
    async prepare() {
      const title = crypto.randomUUID();
      return {
        path: "/manage/pages/new",
        fields: { intent: "published", title, body: "Words", base: "" },
        happened: async () => (await server.db.$count(pageVersions, eq(pageVersions.title, title))) === 1,
      };
    },
  },
  {
    action: "verify a seller",
    who: admin,
    async prepare() {
      const { id } = await addAccount(server.db, { userType: "Seller" });
      return {
        path: "/manage/sellers",
        fields: { _id: id, intent: "verify" },
        async happened() {
          const [row] = await server.db.select().from(users).where(eq(users.id, id));
          return row?.verified === true;
        },
      };
    },
  },
  ...(["delete users", "verify sellers"] as const).map((chosen) => ({
    action: `${chosen} chosen in a table`,
    who: admin,
    async prepare() {
      const { id } = await addAccount(server.db, { userType: "Seller" });
      return {
        path: "/manage/selected",
        fields: { action: chosen, id, back: "/manage/sellers" },
        async happened() {
          const [row] = await server.db.select().from(users).where(eq(users.id, id));
          return chosen === "delete users" ? row?.removalId !== null : row?.verified === true;
        },
      };
    },
  })),
  ...(["hide listings", "delete listings"] as const).map((chosen) => ({
    action: `${chosen} chosen in a table`,
    who: admin,
    async prepare() {
      const { id } = await addPhone(server.db);
      return {
        path: "/manage/selected",
        fields: { action: chosen, id, back: "/manage/listings", reason: "Duplicate or spam" },
        async happened() {
          const [row] = await server.db.select().from(phones).where(eq(phones.id, id));
          return row?.hiddenById !== null;
        },
      };
    },
  })),
  {
    action: "delete reports chosen in a table",
    who: admin,
    async prepare() {
      const id = crypto.randomUUID();
      await server.db.insert(reports).values({ id, name: "R", email: secretAddress, details: "" });
      return {
        path: "/manage/selected",
        fields: { action: "delete reports", id, back: "/manage/reports" },
        async happened() {
          const [row] = await server.db.select().from(reports).where(eq(reports.id, id));
          return row?.removalId !== null;
        },
      };
    },
  },
  ...(["delete", "verify", "end sessions"] as const).map((intent) => ({
    action: `${intent} on a user's page`,
    who: admin,
    async prepare() {
      const account = await addAccount(server.db, { userType: "Seller" });
      const { id } = account;
      await openSession(server.db, account, { seconds: 60 });
      return {
        path: `/manage/users/${id}`,
        fields: { intent },
        async happened() {
          const [row] = await server.db.select().from(users).where(eq(users.id, id));
          if (intent === "delete") return row?.removalId !== null;
          if (intent === "verify") return row?.verified === true;
          return (await server.db.$count(sessions, eq(sessions.userId, id))) === 0;
        },
      };
    },
  })),
  ...(["appoint moderator", "withdraw moderator"] as const).map((intent) => ({
    action: `${intent} on a user's page`,
    who: admin,
    async prepare() {
      const isAppointment = intent === "appoint moderator";
      const { id } = await addAccount(server.db, { moderatorSince: isAppointment ? null : new Date() });
      return {
        path: `/manage/users/${id}`,
        fields: { intent },
        async happened() {
          const [row] = await server.db.select().from(users).where(eq(users.id, id));
          return (row?.moderatorSince !== null) === isAppointment;
        },
      };
    },
  })),
  {
    action: "undo another's deletion",
    who: [],
    powerless: signedIn,
    async prepare() {
      const phone = await addPhone(server.db);
      const removalId = crypto.randomUUID();
      await server.db
        .insert(removals)
        .values({ id: removalId, kind: "phone", targetId: phone.id, actorId: phone.sellerId });
      await server.db.update(phones).set({ hiddenById: removalId }).where(eq(phones.id, phone.id));
      return {
        path: "/manage/undo",
        fields: { _id: removalId, redirectTo: "https://elsewhere.example/" },
        async happened() {
          const [row] = await server.db.select().from(phones).where(eq(phones.id, phone.id));
          return row?.hiddenById === null;
        },
      };
    },
  },
  {
    action: "remove another's passkey",
    who: [],
    powerless: signedIn,
    async prepare() {
      const { id: userId } = await hiddenPerson();
      const [passkey] = await server.db
        .insert(passkeys)
        .values({
          id: crypto.randomUUID(),
          userId,
          publicKey: "",
          counter: 0,
          transports: [],
          backedUp: false,
          name: "Theirs",
        })
        .returning();
      return {
        path: "/manage/account/passkeys",
        fields: { _id: passkey?.id ?? "" },
        happened: async () => (await server.db.$count(passkeys, eq(passkeys.id, passkey?.id ?? ""))) === 0,
      };
    },
  },
  {
    action: "create a token",
    who: signedIn,
    staysOnPage: true,
    async prepare() {
      const name = `Forged ${crypto.randomUUID()}`;
      const { id } = await hiddenPerson();
      return {
        path: "/manage/account/tokens",
        fields: { name, scope: "read", days: "30", userId: id, email: secretAddress, expiresAt: "9999" },
        async happened() {
          const [row] = await server.db
            .select()
            .from(personalAccessTokens)
            .where(eq(personalAccessTokens.name, name));
          // The token is the session's account's, whatever the form has.
          expect(row?.userId).not.toBe(id);
          return row !== undefined;
        },
      };
    },
  },
  {
    action: "revoke another's token",
    who: [],
    powerless: signedIn,
    async prepare() {
      const owner = await hiddenPerson();
      const fields = { name: "Theirs", scope: "read", days: "30" } as const;
      await createPersonalAccessToken(server.db, owner, fields, crypto.randomUUID());
      const [token] = await listPersonalAccessTokens(server.db, owner);
      const id = token?.id ?? "";
      const stored = eq(personalAccessTokens.id, id);
      return {
        path: "/manage/account/tokens",
        fields: { intent: "revoke", _id: id },
        happened: async () => (await server.db.$count(personalAccessTokens, stored)) === 0,
      };
    },
  },
  ...[
    { action: "delete another's search", path: () => "/manage/searches", powerless: signedIn },
    { action: "edit another's search", path: (id: string) => `/manage/searches/${id}/edit`, blind: signedIn },
  ].map(({ path, ...row }) => ({
    ...row,
    who: [],
    async prepare() {
      const search = {
        category: { key: "products" },
        query: parseSearchQuery(new URLSearchParams("to=9")),
      } as const;
      const theirs = { name: "Theirs", frequency: "daily" } as const;
      const saved = await saveSearch(server.db, await addAccount(server.db), theirs, search);
      const id = typeof saved === "object" ? saved.id : "";
      return {
        path: path(id),
        fields: { _id: id, name: "Forged", frequency: "never" },
        async happened() {
          const [row] = await server.db.select().from(savedSearches).where(eq(savedSearches.id, id));
          return row?.name !== "Theirs";
        },
      };
    },
  })),
  {
    action: "request the email that verifies one's address",
    who: signedIn,
    async prepare() {
      return {
        path: "/manage/account/verify",
        fields: { redirectTo: "https://elsewhere.example/", email: secretAddress },
        happened: emailGoesTo,
      };
    },
  },
  {
    action: "change one's name",
    who: signedIn,
    async prepare() {
      const name = `Renamed ${crypto.randomUUID()}`;
      return {
        path: "/manage/account",
        fields: { intent: "name", name, email: secretAddress, id: (await hiddenPerson()).id },
        async happened() {
          // The name is of the session's account, whatever the form has.
          expect((await hiddenPerson()).name).not.toBe(name);
          return (await server.db.$count(users, eq(users.name, name))) > 0;
        },
      };
    },
  },
  {
    action: "request the email that sets one's password",
    who: signedIn,
    async prepare() {
      return {
        path: "/manage/account",
        fields: { intent: "password link", email: secretAddress },
        happened: emailGoesTo,
      };
    },
  },
  {
    action: "sign another's session out",
    who: [],
    powerless: signedIn,
    async prepare() {
      const victim = await addAccount(server.db);
      const id = await openSession(server.db, victim, { seconds: 60 });
      const listed = await listSessions(server.db, victim, id);
      return {
        path: "/manage/account",
        fields: { intent: "log out", session: listed.sessions[0]?.idHash ?? "", userId: victim.id },
        happened: async () => (await server.db.$count(sessions, eq(sessions.userId, victim.id))) === 0,
      };
    },
  },
];

async function hiddenPerson() {
  const [row] = await server.db.select().from(users).where(eq(users.email, secretAddress));
  if (!row) throw new Error("The hidden person is not there.");
  return row;
}

const wholePhone = {
  brandName: "Sony",
  ram: "8 GB",
  rom: "256 GB",
  camera: "12 MP",
  processor: "Snapdragon 865",
  os: "Android",
  deviceType: "Smart Phone",
  image: "https://pictures.example/xperia.jpg",
  battery: "4000 mAh",
  sellingReason: "Too small for me.",
  marketPrice: "949",
  sellingPrice: "349.50",
  postDate: "2026-11-20",
  usedTime: "14",
};

/** Whether an email with a link is due to this account, or was sent. Whatever the form has, none goes to another. */
async function emailGoesTo(who: Who): Promise<boolean> {
  const takeAll = async (userId: string) => {
    const taken = await server.db.batch([
      server.db.delete(accountEmails).where(eq(accountEmails.userId, userId)).returning(),
      server.db.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId)).returning(),
    ]);
    return taken.flat().length > 0;
  };
  expect(await takeAll((await hiddenPerson()).id)).toBe(false);
  return who !== "anonymous" && takeAll(accounts[who].id);
}

describe.each(actions)("$action", ({ who: allowed, powerless = [], blind = [], staysOnPage, prepare }) => {
  /** What those who may not change it post to; each of the others has a target of their own. */
  let protectedTarget: ReturnType<typeof prepare> | undefined;
  const targetFor = (who: Who) => {
    if (allowed.includes(who)) return prepare();
    protectedTarget ??= prepare();
    return protectedTarget;
  };

  test.concurrent.each(whos)("by %s", async (who) => {
    const { path, fields, happened } = await targetFor(who);
    const response = await people[who].post(path, fields);
    expect(await happened(who)).toBe(allowed.includes(who));
    const location = response.headers.get("Location") ?? "";
    if (staysOnPage && allowed.includes(who)) {
      expect(response.status).toBe(200);
    } else if (allowed.includes(who) || powerless.includes(who)) {
      expect(response.status).toBe(303);
      expect(location).toMatch(/^\/(?!login)/);
    } else if (blind.includes(who)) {
      expect(response.status).toBe(404);
    } else {
      // 303 if the post ended a session that was no longer valid.
      expect(response.status).toBeOneOf(who === "removed" ? [302, 303] : [302]);
      expect(location).toMatch(/^\/login\?redirectTo=/);
    }
  });

  const alsoByData: Who[] = ["anonymous", "buyer", "admin"];
  // In a suite of its own, so that nobody sends both at once.
  describe("as a data request", () =>
    test.concurrent.each(alsoByData)("by %s", async (who) => {
      const { path, fields, happened } = await targetFor(who);
      const response = await people[who].post(dataPath(path), fields);
      expect(await happened(who)).toBe(allowed.includes(who));
      const ownStatus = staysOnPage && allowed.includes(who) ? 200 : 204;
      expect(response.status).toBe(blind.includes(who) ? 404 : ownStatus);
      const mayEnter = allowed.includes(who) || powerless.includes(who) || blind.includes(who);
      const location = response.headers.get("X-Remix-Redirect") ?? "";
      expect(location.startsWith("/login?redirectTo=")).toBe(!mayEnter);
    }));
});

test("a buyer who has published deletes their own listings only, and keeps My Sellings to undo it", async () => {
  const { id, email } = await addAccount(server.db);
  const buyer = visitor(server);
  await buyer.signIn(email);
  expect((await buyer.get("/manage/mysells")).status).toBe(302);
  const own = await addPhone(server.db, { sellerId: id, model: "Sideline" });
  const other = await addPhone(server.db, { model: "Of a stranger" });
  const listed = await (await buyer.get("/manage/mysells")).text();
  expect(listed).toContain("Sideline");
  expect(listed).not.toContain("Of a stranger");
  expect(listed).not.toContain("You’re not verified yet");
  await buyer.post("/manage/mysells", { _id: other.id });
  expect(await (await buyer.get("/manage/mysells")).text()).not.toContain("Post Deleted");
  await buyer.post("/manage/mysells", { _id: own.id });
  const emptied = await (await buyer.get("/manage/mysells")).text();
  expect(emptied).toContain("Post Deleted");
  expect(emptied).toContain("Undo");
});

test("My Sellings always offers to add a phone, and tells sellers that they are not verified yet", async () => {
  for (const [who, verified] of [
    ["seller", false],
    ["verified seller", true],
    ["admin", true],
  ] as const) {
    await addPhone(server.db, { sellerId: accounts[who].id });
    const page = await (await people[who].get("/manage/mysells")).text();
    expect(page).toContain("Add a phone");
    expect([who, page.includes("You’re not verified yet")]).toEqual([who, !verified]);
  }
});

test("a seller deletes their own listing, and a second deletion shows no success", async () => {
  const own = await addPhone(server.db, { sellerId: accounts.seller.id });
  const response = await people.seller.post("/manage/mysells", { _id: own.id });
  expect(response.status).toBe(303);
  expect(await (await people.seller.get("/manage/mysells")).text()).toContain("Post Deleted");
  await people.seller.post("/manage/mysells", { _id: own.id });
  expect(await (await people.seller.get("/manage/mysells")).text()).not.toContain("Post Deleted");
});
