import assert from "node:assert/strict";
import { isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, ticketMessages } from "#app/db/schema.ts";
import { countWork } from "#app/features/administration/work.server.ts";
import { findLateEmails, summarizeEmails } from "#app/features/notifications/due-emails.server.ts";
import {
  answerTicket,
  changeTicketState,
  createTicket,
  findOwnTicket,
  findTicket,
  listTickets,
  removeTicket,
  replyToAnswer,
  sendDueTicketAnswers,
} from "#app/features/support-tickets/tickets.server.ts";
import type { DueEmail, Mail } from "#app/server/mail/due-email.ts";
import { addAccount } from "../../harness/fixtures.ts";

const message = (text: string, formKey: string | null = null) => ({ text, formKey });

/** The form can be sent without a word. */
export const emptyReportsInARowAreStoredOnce = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const create = (details = "", email = "") =>
    createTicket(db, { name: "", email, details }, crypto.randomUUID());
  const first = await create();
  assert.deepEqual([await create(), await create()], [first, first]);
  // What says anything is a report of its own, and so is an empty one after it.
  const told = await create("It broke.");
  assert.notEqual(await create("It broke."), told);
  const later = await create();
  assert.notEqual(later, first);
  assert.notEqual(await create("", "mia@example.com"), later);
  const last = await create();
  await changeTicketState(db, admin, last, "closed");
  const reopened = await create();
  assert.notEqual(reopened, last);
  await removeTicket(db, admin, reopened);
  assert.notEqual(await create(), reopened);
};

export const aReportIsAnsweredAndWrittenBackTo = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin", name: "Ada Boss" });
  const id = await createTicket(db, { name: "Mia", email: " Mia@Example.com ", details: "It broke." }, null);
  const state = async () => (await findTicket(db, id))?.state;
  const open = async () => (await countWork(db, admin)).tickets;
  const answers = [1, 2].map(() => answerTicket(db, admin, id, message("Try again.", "key")));
  assert.deepEqual(await Promise.all(answers), ["done", "done"]);
  const sent: Mail[] = [];
  const route = { origin: "https://ringback.example", secrets: ["secret"] };
  await sendDueTicketAnswers(db, { ...route, send: async () => false });
  for (let runs = 0; runs < 2; runs += 1) {
    const send = async (email: DueEmail) => sent.push(await email.write()) > 0;
    await sendDueTicketAnswers(db, { ...route, send });
  }
  assert.deepEqual(
    sent.map(({ to }) => to),
    ["Mia@Example.com"],
  );
  assert.deepEqual([await state(), await open()], ["answered", 0]);
  for (let times = 0; times < 2; times += 1) {
    assert.equal(await replyToAnswer(db, id, message("The zebra still does.", "reply")), "done");
  }
  assert.deepEqual([await state(), await open()], ["open", 1]);
  assert.deepEqual(
    (await findTicket(db, id))?.messages.map(({ text, author, isAnswer }) => [text, author, isAnswer]),
    [
      ["Try again.", "Ada Boss", true],
      ["The zebra still does.", null, false],
    ],
  );
  const own = await findOwnTicket(db, id);
  assert.ok(own && !JSON.stringify(own).includes("Ada") && !JSON.stringify(own).includes("Mia"));
  const found = async (q: string) => (await listTickets(db, null, { filters: { q } })).rows.length;
  assert.deepEqual([await found("zebra"), await found("mia"), await found("horse")], [1, 1, 0]);
  await changeTicketState(db, admin, id, "closed");
  assert.deepEqual([await state(), await open()], ["closed", 0]);
  assert.deepEqual(
    (await db.select().from(activity)).map(({ action }) => action),
    ["answered report", "closed report"],
  );

  const nameless = await createTicket(db, { name: "", email: "no address", details: "" }, null);
  assert.equal(await answerTicket(db, admin, nameless, message("Hello?")), "no address");
  await removeTicket(db, admin, id);
  assert.equal(await findOwnTicket(db, id), null);
  assert.equal(await replyToAnswer(db, id, message("Hello?")), "not found");
  assert.equal(await answerTicket(db, admin, id, message("Hello?")), "not found");
};

export const whatBecomesOfTheEmailOfAnAnswerIsKept = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const id = await createTicket(db, { name: "", email: "mia@example.com", details: "It broke." }, null);
  const route = { origin: "https://ringback.example", secrets: ["secret"] };
  const outcomes = async () =>
    (await findTicket(db, id))?.messages.map(({ isDue, outcome }) => [isDue, outcome]);
  await answerTicket(db, admin, id, message("Try again."));
  await sendDueTicketAnswers(db, { ...route, send: async () => false });
  assert.deepEqual([await outcomes(), (await summarizeEmails(db)).waiting], [[[true, null]], 1]);
  const inAnHour = new Date(Date.now() + 3_600_000);
  assert.notEqual(await findLateEmails(db, inAnHour), null);
  await sendDueTicketAnswers(db, { ...route, send: async () => true });
  assert.deepEqual([await outcomes(), await findLateEmails(db, inAnHour)], [[[false, "sent"]], null]);

  await answerTicket(db, admin, id, message("And again."));
  const dayAgo = new Date(Date.now() - 25 * 3_600_000);
  await db.update(ticketMessages).set({ createdAt: dayAgo }).where(isNull(ticketMessages.emailDoneAt));
  await sendDueTicketAnswers(db, { ...route, send: async () => true });
  assert.deepEqual((await outcomes())?.[1], [false, "too late"]);
  const { hasTooLate, waiting } = await summarizeEmails(db);
  assert.deepEqual([hasTooLate, waiting], [true, 0]);

  // What was deleted together with its report is none that could not be sent.
  await db.delete(ticketMessages);
  await answerTicket(db, admin, id, message("At last."));
  await db.update(ticketMessages).set({ createdAt: dayAgo });
  await removeTicket(db, admin, id);
  await sendDueTicketAnswers(db, { ...route, send: async () => true });
  assert.deepEqual(
    (await db.select().from(ticketMessages)).map(({ emailOutcome }) => emailOutcome),
    ["undone"],
  );
  assert.equal((await summarizeEmails(db)).hasTooLate, false);
};
