import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { activity, decisions, removals, savedReplies, tickets, type users } from "#app/db/schema.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import {
  addAccount,
  addPhone,
  addProblem,
  sharedServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const page = "/manage/replies";

async function person(values: Partial<typeof users.$inferInsert>): Promise<Visitor> {
  const someone = visitor(server);
  await someone.signIn((await addAccount(server.db, values)).email);
  return someone;
}
const moderator = () => person({ moderatorSince: new Date() });
const administrator = () => person({ userType: "Admin" });

const read = async (someone: Visitor, path = page) => await (await someone.get(path)).text();
const key = () => ({ formKey: crypto.randomUUID() });
const save = { intent: "save" };

const reply = async (title: string, text = "Hello") => {
  const [added] = await server.db
    .insert(savedReplies)
    .values({ title, text, changedAt: new Date() })
    .returning();
  if (!added) throw new Error("No reply was added.");
  return added;
};

const area = (html: string) => /<textarea[^>]*>([^<]*)<\/textarea>/.exec(html)?.[1] ?? "";

test("a moderator adds, changes and deletes a saved reply, which the log names", async () => {
  const someone = await moderator();
  expect(textOf(await read(someone))).toContain("No saved replies yet");
  const fields = { ...save, ...key(), title: "Blurred photos", text: "Hi {name},\nyour photos are blurred." };
  for (let times = 0; times < 2; times += 1) expect((await someone.post(page, fields)).status).toBe(303);
  expect(textOf(await read(someone))).toMatch(/Saved reply saved.*Blurred photos Hi \{name\}/s);
  const [added] = await server.db.select().from(savedReplies);
  const edit = `${page}?edit=${added?.id}`;
  const opened = await read(someone, edit);
  expect([fieldValue(opened, "title"), area(opened)]).toEqual([fields.title, fields.text]);
  const shown = { replyId: added?.id ?? "", changedAt: fieldValue(opened, "changedAt") ?? "" };
  const changed = { ...save, ...shown, title: fields.title, text: "Take them by daylight." };
  expect((await someone.post(edit, { ...changed, ...key() })).status).toBe(303);
  // From a second tab, which still shows the old text.
  const stale = await someone.post(edit, { ...changed, ...key(), text: "Old" });
  expect([stale.status, textOf(await stale.text())]).toEqual([
    409,
    expect.stringContaining("Someone has changed or deleted this reply since you opened it."),
  ]);
  const taken = await someone.post(page, { ...save, ...key(), title: "BLURRED photos", text: "Again" });
  expect([taken.status, textOf(await taken.text())]).toEqual([
    409,
    expect.stringContaining("There’s already a saved reply with this title."),
  ]);
  const empty = await someone.post(page, { ...save, ...key(), title: "", text: "x".repeat(2001) });
  expect(textOf(await empty.text())).toMatch(/Enter a title.*Text must be 2,000 characters or shorter/);
  const gone = { intent: "delete", _id: shown.replyId };
  expect((await someone.post(page, gone)).status).toBe(303);
  expect(textOf(await read(someone))).toMatch(/Saved reply deleted.*No saved replies yet/);
  await someone.post(page, gone);
  const later = await read(someone);
  expect(textOf(later)).not.toContain("Saved reply deleted");
  // The Undo stays, also for moderators, who see no activity.
  expect(textOf(later)).toMatch(/You’ve just deleted Blurred photos Undo/);
  const logged = await server.db.select().from(activity).orderBy(desc(activity.id)).limit(3);
  expect(logged.map(({ action, target }) => [action, target])).toEqual([
    ["deleted saved reply", "Blurred photos"],
    ["changed saved reply", "Blurred photos"],
    ["added saved reply", "Blurred photos"],
  ]);
});

test("the deletion of a saved reply can be undone, unless its title is taken since", async () => {
  const someone = await moderator();
  const { id } = await reply("Undone soon");
  const undo = async () => {
    const [removal] = await server.db.select().from(removals).where(eq(removals.targetId, id));
    await someone.post("/manage/undo", { _id: removal?.id ?? "", redirectTo: page });
    return textOf(await read(someone));
  };
  await someone.post(page, { intent: "delete", _id: id });
  expect(textOf(await read(someone))).toMatch(/Saved reply deleted.*Undo/s);
  const { id: other } = await reply("Undone SOON");
  expect(await undo()).toContain("there’s another one with its title");
  await server.db.delete(savedReplies).where(eq(savedReplies.id, other));
  expect(await undo()).toMatch(/Saved reply restored.*Undone soon/s);
});

test("what was typed about a reply that a colleague has deleted becomes a new one", async () => {
  const someone = await moderator();
  const { id } = await reply("Soon deleted");
  const edit = `${page}?edit=${id}`;
  const shown = (html: string) =>
    Object.fromEntries(
      ["replyId", "changedAt", "title", "text"].flatMap((name) => {
        const value = fieldValue(html, name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const opened = shown(await read(someone, edit));
  expect(opened.replyId).toBe(id);
  await server.db.delete(savedReplies).where(eq(savedReplies.id, id));
  const refused = await someone.post(edit, { ...save, ...key(), ...opened, text: "Better" });
  const html = await refused.text();
  expect([refused.status, textOf(html)]).toEqual([409, expect.stringContaining("Add saved reply")]);
  expect((await someone.post(edit, { ...save, ...key(), ...shown(html) })).status).toBe(303);
  const [added] = await server.db.select().from(savedReplies).where(eq(savedReplies.title, "Soon deleted"));
  expect(added?.text.trim()).toBe("Better");
});

test("a reply that is changed names a time", async () => {
  const someone = await moderator();
  const { id, title } = await reply("Timeless");
  for (const changedAt of ["yesterday", "9e15"]) {
    const fields = { ...save, ...key(), replyId: id, changedAt, title, text: "New" };
    expect([changedAt, (await someone.post(`${page}?edit=${id}`, fields)).status]).toEqual([changedAt, 400]);
  }
});

test("200 saved replies are all offered, and one more is refused", async () => {
  const someone = await moderator();
  await server.db.delete(savedReplies);
  const rows = Array.from({ length: 200 }, (_, number) => ({
    id: crypto.randomUUID(),
    title: `Reply ${number} ${"long ".repeat(13)}`.trim(),
    text: "x".repeat(2000),
    changedAt: new Date(),
  }));
  for (let from = 0; from < 200; from += 20)
    await server.db.insert(savedReplies).values(rows.slice(from, from + 20));
  const { id } = await addPhone(server.db);
  const html = await read(someone, `/manage/moderation/listing/${id}`);
  expect(html.match(/<option value="[^"]+">Reply \d+ long/g)).toHaveLength(200);
  expect(html.length).toBeLessThan(200_000);
  const refused = await someone.post(page, { ...save, ...key(), title: "One more", text: "Hi" });
  expect([refused.status, textOf(await refused.text())]).toEqual([
    409,
    expect.stringContaining("There are 200 saved replies. Delete one to add another."),
  ]);
  await server.db.delete(savedReplies);
});

test("a reply is inserted after what was typed, with the owner's name and the device", async () => {
  const someone = await moderator();
  const owner = await addAccount(server.db, { userType: "Seller", name: "Olga Owner" });
  const phone = await addPhone(server.db, { sellerId: owner.id, brandName: "Nokia", model: "G22" });
  const reporter = await addAccount(server.db);
  const spam = { reason: "duplicate", details: "" } as const;
  await reportContent(server.db, reporter, "listing", phone.id, spam);
  const path = `/manage/moderation/listing/${phone.id}`;
  const { id } = await reply("Blurred", "Hi {name}, the photos of your {Device} are blurred.");
  const typed = { decision: "hide", reason: "Twice now.", days: "30", insertReply: "yes" };
  const inserted = await someone.post(path, { ...typed, reply: id });
  const html = await inserted.text();
  expect(inserted.status).toBe(200);
  expect(area(html).trim()).toBe("Twice now.\n\nHi Olga Owner, the photos of your Nokia G22 are blurred.");
  expect(html).toMatch(/<input[^>]*checked=""[^>]*value="hide"|<input[^>]*value="hide"[^>]*checked=""/);
  expect(textOf(html)).not.toContain("Fix one field");
  expect(await server.db.select().from(decisions).where(eq(decisions.targetId, phone.id))).toEqual([]);
  for (const [chosen, message] of [
    ["", "Choose a saved reply first."],
    [crypto.randomUUID(), "This saved reply is gone. Choose another."],
  ] as const) {
    const refused = await someone.post(path, { ...typed, reply: chosen });
    const page = await refused.text();
    expect([refused.status, area(page).trim()]).toEqual([400, typed.reason]);
    expect(textOf(page)).toContain(message);
  }
});

test("a text that still has a placeholder is not sent, from page or API", async () => {
  const admin = await administrator();
  const [report] = await server.db
    .insert(tickets)
    .values({ name: "Tom", email: "tom@mail.example", details: "Help" })
    .returning();
  const path = `/manage/reports/${report?.id}`;
  const { id } = await reply("Your device", "Hi {name}, about your {device}:");
  const form = { intent: "answer", text: "", insertReply: "yes", reply: id, ...key() };
  const inserted = await (await admin.post(path, form)).text();
  expect(area(inserted).trim()).toBe("Hi Tom, about your {device}:");
  const text = area(inserted).trim();
  const refused = await admin.post(path, { intent: "answer", text, ...key() });
  expect([refused.status, textOf(await refused.text())]).toEqual([
    400,
    expect.stringContaining("Replace {device} first"),
  ]);
  const moderated = `/manage/moderation/listing/${(await addPhone(server.db)).id}`;
  const decided = await admin.post(moderated, { decision: "hide", reason: text, ...key() });
  expect(textOf(await decided.text())).toContain("Replace {device} first");
});

test("a reply is inserted into the decision about an order problem, with both names", async () => {
  const someone = await moderator();
  const { problem } = await addProblem(server.db, { isAsked: true });
  const { id: problemId } = await problem();
  const { id } = await reply("Settled", "{name}: the {device} goes back.");
  const path = `/manage/problems/${problemId}`;
  const html = await (await someone.post(path, { insertReply: "yes", reply: id })).text();
  expect(area(html).trim()).toMatch(/^.+ and .+: the (?!\{).+ goes back\.$/);
  expect(textOf(html)).not.toContain("Give a reason");
});
