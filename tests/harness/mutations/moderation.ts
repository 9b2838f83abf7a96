import { eq } from "drizzle-orm";
import {
  contentReports,
  decisions,
  messages,
  pendingDecisions,
  ticketMessages,
  tickets,
} from "#app/db/schema.ts";
import { listingSchema } from "#app/features/listings/listing.schema.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { appealDecision } from "#app/features/moderation/decisions/own-decisions.server.ts";
import { signedToken } from "#app/server/config/signed-links.server.ts";
import { addAccount, addProblem } from "../fixtures.ts";
import { validListing } from "../listing-form.ts";
import { publish } from "../publish.ts";
import { sessionSecret, visitor } from "../visitor.ts";
import { type Example, type Examples, type Fields, type Market, rowsWith } from "./example.ts";
import {
  addConversation,
  addListing,
  addReport,
  addReportedListing,
  addReviews,
  findReview,
  newEmail,
  sellerOf,
} from "./records.ts";

const spam = { reason: "something else", details: "Look at it." };
const reason = "It is listed five times.";
const triedOnce = { triedOnce: true };

const decision = (
  addCase: (market: Market) => Promise<{ phone: { id: string } }>,
  fields: Fields,
  more: Partial<Example>,
): Example => ({
  form: "/manage/moderation/:kind/:targetId",
  hasKey: true,
  fields,
  ...more,
  async prepare(market) {
    const { id } = (await addCase(market)).phone;
    return { ids: ["listing", id], rows: rowsWith(decisions.targetId, id) };
  },
});

const problemDecision = (fields: Fields, more: Partial<Example> = {}): Example => ({
  form: "/manage/problems/:problemId",
  fields,
  ...more,
  async prepare(market) {
    const { problem } = await addProblem(market.db, { isAsked: true });
    const { id } = await problem();
    // As the page asks of a received order.
    const confirmed = `${fields.decision} received`;
    return { ids: [id], fields: { confirmed }, rows: rowsWith(pendingDecisions.problemId, id) };
  },
});

/** Reports, the decisions about them, and the owners' appeals. */
export const moderation = {
  "send ticket": [
    {
      form: "/report",
      rest: "POST /report",
      hasKey: true,
      typed: "name",
      async prepare(market) {
        const report = { name: "Mia Sund", email: newEmail(), details: `Broken ${crypto.randomUUID()}` };
        const rows = rowsWith(tickets.details, report.details);
        return { person: visitor(market), fields: report, body: report, rows };
      },
    },
    {
      form: "/ticket",
      hasKey: true,
      fields: { intent: "answer", text: "It still does." },
      typed: "text",
      async prepare(market) {
        const id = await addReport(market);
        const token = await signedToken([sessionSecret], "report", id);
        return {
          person: visitor(market),
          query: `?token=${token}`,
          rows: rowsWith(ticketMessages.ticketId, id),
        };
      },
    },
  ],
  "report content": [
    {
      form: "/report/:kind/:targetId",
      rest: "POST /contentReports",
      fields: spam,
      typed: "details",
      async prepare(market) {
        const { id } = (await addListing(market)).phone;
        const body = { kind: "listing", targetId: id, ...spam };
        return { ids: ["listing", id], body, rows: rowsWith(contentReports.targetId, id) };
      },
    },
    {
      rest: "POST /contentReports",
      async prepare(market) {
        const { id } = (await addReviews(market)).seller.account;
        const body = { kind: "seller", targetId: id, ...spam };
        return { body, rows: rowsWith(contentReports.targetId, id) };
      },
    },
    {
      form: "/report/:kind/:targetId",
      fields: spam,
      of: "owner",
      async prepare(market) {
        const { seller, conversationId } = await addConversation(market);
        const own = eq(messages.conversationId, conversationId);
        const [message] = await market.db.select({ id: messages.id }).from(messages).where(own);
        const id = message?.id ?? "";
        return { person: seller, ids: ["message", id], rows: rowsWith(contentReports.targetId, id) };
      },
    },
    // A review of a buyer, which only its subject can see.
    {
      form: "/report/:kind/:targetId",
      fields: spam,
      of: "owner",
      async prepare(market) {
        const { seller, person } = await addReviews(market);
        const id = await findReview(market, seller.account.id);
        return { person, ids: ["review", id], rows: rowsWith(contentReports.targetId, id) };
      },
    },
  ],
  "decide report": [
    decision(
      addReportedListing,
      { decision: "hide", reason, days: "7", confirmed: "hide" },
      { typed: "reason" },
    ),
    decision(addReportedListing, { decision: "dismiss" }, triedOnce),
    decision(addReportedListing, { decision: "warn", reason }, triedOnce),
    decision(addReportedListing, { decision: "remove", reason, confirmed: "remove" }, triedOnce),
    decision(
      addReportedListing,
      { decision: "suspend", reason, days: "7", confirmed: "suspend 7" },
      triedOnce,
    ),
    // What nobody has reported.
    decision(addListing, { decision: "warn", reason }, triedOnce),
    decision(addHeldListing, { decision: "approve" }, triedOnce),
    {
      rest: "PUT /seller/approve/{id}",
      isByRow: true,
      async prepare(market) {
        const { phone } = await addHeldListing(market);
        const [held] = await market.db.select().from(decisions).where(eq(decisions.targetId, phone.id));
        return { ids: [held?.ownerId ?? ""], rows: rowsWith(decisions.targetId, phone.id) };
      },
    },
    decision(addAnsweredDecision, { decision: "uphold", reason }, triedOnce),
    decision(addAnsweredDecision, { decision: "reverse" }, triedOnce),
  ],
  "decide problem": [
    problemDecision(
      { decision: "returned", reason: "It is broken." },
      {
        rest: "PUT /problems/{id}",
        body: { decision: "refused", reason: "It works." },
        typed: "reason",
      },
    ),
    problemDecision({ decision: "refused", reason: "Nothing is wrong." }),
  ],
  "appeal decision": [
    {
      form: "/manage/decisions/:decisionId",
      fields: { appeal: "It is listed once." },
      typed: "appeal",
      of: "owner",
      async prepare(market) {
        const { person, decisionId } = await addDecision(market);
        return { person, ids: [decisionId], rows: rowsWith(decisions.id, decisionId) };
      },
    },
  ],
} satisfies Examples;

/** The first listing of a new seller, which waits for approval. */
async function addHeldListing(market: Market) {
  const { account } = await sellerOf(market);
  const id = await publish(market.db, account, listingSchema.parse(validListing), null, true);
  return { phone: { id } };
}

async function addDecision(market: Market) {
  const { person, phone } = await addReportedListing(market);
  // Not by who answers an appeal.
  const account = await addAccount(market.db, { userType: "Admin" });
  const hide = { decision: "hide", reason, days: "7" } as const;
  const { id: decisionId = "" } = await decide(market.db, account, "listing", phone.id, hide, null);
  return { person, phone, decisionId };
}

async function addAnsweredDecision(market: Market) {
  const { person, phone, decisionId } = await addDecision(market);
  await appealDecision(market.db, person.account, decisionId, "It is listed once.");
  return { phone };
}
