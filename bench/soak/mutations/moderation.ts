import { eq } from "drizzle-orm";
import { messages } from "#app/db/schema.ts";
import { phoneSchema } from "#app/features/listings/phone.schema.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import type { NewDecision } from "#app/features/moderation/decisions/decision.schema.ts";
import { appealDecision } from "#app/features/moderation/decisions/own-decisions.server.ts";
import { addProblem } from "../../../tests/harness/fixtures.ts";
import { validListing } from "../../../tests/harness/listing-form.ts";
import { publish } from "../../../tests/harness/publish.ts";
import { visitor } from "../../../tests/harness/visitor.ts";
import type { Market, Person } from "../market.ts";
import { type MutationCase, type MutationCases, request } from "./mutation-case.ts";
import {
  addConversation,
  addListing,
  addReportedListing,
  addReviews,
  adminOf,
  buyerOf,
  newEmail,
  sellerOf,
} from "./records.ts";

const spam = { reason: "Something else", details: "Look at it." };
const reason = "It is listed five times.";

/** Reports, the decisions about them, and the owners' appeals. */
export const moderation = {
  report: [
    request(async (market) => ({
      person: visitor(market),
      path: "/report",
      fields: { name: "Mia Sund", email: newEmail(), details: "Broken", formKey: crypto.randomUUID() },
    })),
    request(async (market) => ({
      person: visitor(market),
      path: "/report",
      method: "POST",
      body: { name: "Mia Sund", email: newEmail(), details: "Broken" },
    })),
  ],
  "report content": [
    request(async (market) => {
      const { phone } = await addListing(market);
      return { person: await buyerOf(market), path: `/report/listing/${phone.id}`, fields: spam };
    }),
    request(async (market) => {
      const { seller } = await addReviews(market);
      const body = { kind: "seller", targetId: seller.account.id, ...spam };
      return { person: await buyerOf(market), path: "/contentReports", method: "POST", body };
    }),
    request(async (market) => {
      const { seller, conversationId = "" } = await addConversation(market);
      const own = eq(messages.conversationId, conversationId);
      const [message] = await market.db.select({ id: messages.id }).from(messages).where(own);
      return { person: seller, path: `/report/message/${message?.id}`, fields: spam };
    }),
  ],
  "decide report": [
    decisionCase(addReportedListing, { decision: "dismiss" }),
    decisionCase(addReportedListing, { decision: "warn", reason }),
    decisionCase(addReportedListing, { decision: "hide", reason }),
    decisionCase(addReportedListing, { decision: "remove", reason }),
    decisionCase(addReportedListing, { decision: "suspend", reason, days: "7" }),
    // What nobody has reported.
    decisionCase(addListing, { decision: "warn", reason }),
    decisionCase(addHeldListing, { decision: "approve" }),
    decisionCase(addAnsweredDecision, { decision: "uphold", reason }),
    decisionCase(addAnsweredDecision, { decision: "reverse" }),
  ],
  "decide problem": [
    request(async (market) => {
      const { problem } = await addProblem(market.db, { isAsked: true });
      const fields = { decision: "returned", reason: "It is broken." };
      return { person: await adminOf(market), path: `/manage/problems/${(await problem()).id}`, fields };
    }),
    request(async (market) => {
      const { problem } = await addProblem(market.db, { isAsked: true });
      const body = { decision: "refused", reason: "It works." };
      const path = `/problems/${(await problem()).id}`;
      return { person: await adminOf(market), path, method: "PUT", body };
    }),
  ],
  "appeal decision": [
    request(async (market) => {
      const { person, decisionId } = await addDecision(market);
      const fields = { appeal: "It is listed once." };
      return { person, path: `/manage/decisions/${decisionId}`, fields };
    }),
  ],
} satisfies MutationCases;

type Case = { person: Person; phone: { id: string } };

function decisionCase(
  addCase: (market: Market) => Promise<Case>,
  decision: Partial<NewDecision>,
): MutationCase {
  return request(async (market) => {
    const { phone } = await addCase(market);
    const fields = { ...decision, formKey: crypto.randomUUID() };
    return { person: await adminOf(market), path: `/manage/moderation/listing/${phone.id}`, fields };
  });
}

/** The first listing of a new seller, which waits for approval. */
async function addHeldListing(market: Market): Promise<Case> {
  const person = await sellerOf(market);
  const phone = phoneSchema.parse(validListing);
  return { person, phone: { id: await publish(market.db, person.account, phone, null, true) } };
}

async function addDecision(market: Market) {
  const { person, phone } = await addReportedListing(market);
  const { account } = await adminOf(market);
  const hide = { decision: "hide", reason, days: "7" } as const;
  const { id: decisionId = "" } = await decide(market.db, account, "listing", phone.id, hide, null);
  return { person, phone, decisionId };
}

async function addAnsweredDecision(market: Market): Promise<Case> {
  const { person, phone, decisionId } = await addDecision(market);
  await appealDecision(market.db, person.account, decisionId, "It is listed once.");
  return { person, phone };
}
