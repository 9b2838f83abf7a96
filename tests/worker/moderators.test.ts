import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { decisions, tickets, users } from "#app/db/schema.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { signedInClient } from "../harness/api-client.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import { waitForEmail } from "../harness/emails.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import {
  addAccount,
  addPhone,
  addProblem,
  sharedServer,
  type TestServer,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function person(values: Partial<typeof users.$inferInsert> = {}) {
  const account = await addAccount(server.db, values);
  const someone = visitor(server);
  await someone.signIn(account.email);
  await (await someone.get("/about")).text();
  return { ...someone, account };
}

const moderator = () => person({ moderatorSince: new Date() });
const administrator = () => person({ userType: "Admin" });

/** A listing that somebody has reported. */
async function reported() {
  const owner = await addAccount(server.db, { userType: "Seller", name: "Olga Owner" });
  const reporter = await addAccount(server.db, { name: "Rita Reporter" });
  const phone = await addPhone(server.db, { sellerId: owner.id });
  const spam = { reason: "duplicate", details: "" } as const;
  await reportContent(server.db, reporter, "listing", phone.id, spam);
  return { owner, reporter, phone, path: `/manage/moderation/listing/${phone.id}` };
}

test("an administrator makes a seller a moderator, who is notified, and takes it back", async () => {
  const [admin, seller] = [await administrator(), await person({ userType: "Seller" })];
  const path = `/manage/users/${seller.account.id}`;
  const row = async () =>
    (await server.db.select().from(users).where(eq(users.id, seller.account.id)))[0]?.moderatorSince;
  await admin.post(path, { intent: "appoint moderator" });
  const appointed = await (await admin.get(path)).text();
  expect(textOf(appointed)).toMatch(/Now a moderator.*Undo/);
  expect(textOf(appointed)).toMatch(/Role Seller , moderator since|Role Seller, moderator since/);
  expect(textOf(appointed)).toContain("You can’t suspend a moderator. Remove the role first.");
  expect(textOf(appointed)).toMatch(/Remove .+ as a moderator\? They lose Work and Moderation at once/);
  expect(textOf(await (await seller.get("/manage/notifications")).text())).toContain(
    "You’re now a moderator.",
  );
  expect((await seller.get("/manage/moderation")).status).toBe(200);
  const id = fieldValue(appointed, "_id") ?? "";
  await admin.post("/manage/undo", { _id: id, redirectTo: path });
  expect(textOf(await (await admin.get(path)).text())).toContain("The user isn’t a moderator.");
  expect(await row()).toBeNull();
  expect((await seller.get("/manage/moderation")).status).toBe(302);

  await admin.post(path, { intent: "appoint moderator" });
  await admin.post(path, { intent: "withdraw moderator" });
  expect(textOf(await (await admin.get(path)).text())).toMatch(/No longer a moderator.*Make a moderator/);
  expect((await seller.get("/manage/moderation")).status).toBe(302);
});

test("a moderator's menu and pages lead only where they may go", async () => {
  const someone = await moderator();
  const { path, owner, reporter } = await reported();
  const forbidden =
    /href="\/manage\/(?:users|sellers|reports|orders|listings|activity|numbers|system|search|selected)\b|\.csv|Search users/;
  for (const page of ["/manage", "/manage/work", "/manage/moderation", "/manage/content-reports", path]) {
    const html = await (await someone.get(page)).text();
    expect(textOf(html)).toContain("Moderation");
    expect(html).not.toMatch(forbidden);
  }
  const html = await (await someone.get(path)).text();
  const data = await (await someone.get(dataPath(path, "manage-moderation-case"))).text();
  for (const { email, id, name } of [owner, reporter]) {
    expect(textOf(html)).toContain(name);
    expect(html + data).not.toContain(email);
    // A filter does not tell whose address it is.
    const found = await (await someone.get(`/manage/content-reports?q=${email}&owner=`)).text();
    expect(found).not.toContain(`/manage/moderation/seller/${id}`);
  }
  expect(html).toContain(`href="/manage/moderation/seller/${owner.id}"`);
  const page = textOf(await (await someone.get(`/manage/moderation/seller/${owner.id}`)).text());
  expect(page).toContain("Olga Owner");
});

test("a moderator hides a listing, and suspends for a month at most", async () => {
  const someone = await moderator();
  const { path, owner } = await reported();
  const seller = `/manage/moderation/seller/${owner.id}`;
  const offered = await (await someone.get(seller)).text();
  expect(offered).toContain('<option value="30"');
  expect(offered).not.toMatch(/<option value="(?:90|permanent)"/);
  const refused = await someone.post(seller, { decision: "suspend", reason: "Fraud.", days: "90" });
  expect([refused.status, textOf(await refused.text())]).toEqual([
    403,
    expect.stringContaining("Moderators suspend for up to 30 days. Ask an administrator for more."),
  ]);
  const hide = { decision: "hide", reason: "Twice.", days: "7", confirmed: "hide" };
  expect((await someone.post(path, hide)).status).toBe(303);
  expect(textOf(await (await someone.get(path)).text())).toMatch(
    /It’s hidden. We’ll email the owner in 10 minutes.*Undo/,
  );
  const admin = await administrator();
  const known = textOf(await (await admin.get(`/manage/users/${owner.id}`)).text());
  expect(known).toMatch(/Hid .+ by .+ Notifications \d+ We hid this: .+\. /);
  const suspend = { decision: "suspend", reason: "Fraud.", days: "30" };
  const question = await (await someone.post(seller, suspend)).text();
  expect(textOf(question)).toContain("Suspend the account for 30 days? The owner reads it at once.");
  const confirmed = fieldValue(question, "confirmed") ?? "";
  // Another length is asked about again.
  expect((await someone.post(seller, { ...suspend, days: "14", confirmed })).status).toBe(400);
  expect((await someone.post(seller, { ...suspend, confirmed })).status).toBe(303);
  await someone.get(seller);
  // The toast is gone.
  expect(textOf(await (await someone.get(seller)).text())).toMatch(
    /Earlier decisions about this Suspended until .* Undo/,
  );
});

test("a moderator reads why moderators and administrators are left to administrators", async () => {
  const [someone, admin] = [await moderator(), await administrator()];
  const pathOf = ({ account }: typeof someone) => `/manage/moderation/seller/${account.id}`;
  expect((await someone.get(pathOf(someone))).status).toBe(404);
  for (const other of [await moderator(), admin]) {
    const { account } = other;
    const path = pathOf(other);
    const text = textOf(await (await someone.get(path)).text());
    expect(text).toContain("This is for administrators: it’s about a moderator or an administrator.");
    expect(text).not.toContain("Save decision");
    const response = await someone.post(path, { decision: "warn", reason: "No.", days: "7" });
    expect(response.status).toBe(403);
    expect(await server.db.$count(decisions, eq(decisions.ownerId, account.id))).toBe(0);
  }
});

test("a case that one takes says so to colleagues, who can still decide", async () => {
  const [dana, eva] = [
    await person({ moderatorSince: new Date(), name: "Dana Wirth" }),
    await person({ userType: "Admin", name: "Eva Kern" }),
  ];
  const { path } = await reported();
  const textAt = async (who: typeof dana, page: string) => textOf(await (await who.get(page)).text());
  const waiting = async (who: typeof dana) =>
    Number(/Work (\d+) waiting/.exec(await textAt(who, "/manage"))?.[1] ?? 0);
  expect(await waiting(dana)).toBeGreaterThan(0);
  expect(await textAt(dana, path)).toContain("Nobody’s on this yet. Take");
  const take = { intent: "take", path, redirectTo: path };
  expect((await dana.post("/manage/work", take)).headers.get("Location")).toBe(path);
  expect(await textAt(dana, path)).toMatch(
    /It’s yours now.*You took this less than a minute ago\. Give back/,
  );
  const taken = "Dana Wirth took this less than a minute ago.";
  expect(await textAt(eva, "/manage/work?kind=reports")).toContain(taken);
  await eva.post("/manage/work", take);
  const shown = await textAt(eva, path);
  expect(shown.split(taken)).toHaveLength(3);
  expect(shown).toContain("You can still decide.");
  await eva.post(path, { decision: "dismiss" });
  expect(await textAt(dana, path)).not.toContain("took this");
  await dana.post("/manage/work", take);
  expect(await textAt(dana, path)).toContain("This isn’t open anymore.");
  expect((await dana.post("/manage/work", { intent: "grab", path })).status).toBe(400);
});

test("an administrator closes a support ticket and opens it again", async () => {
  const admin = await administrator();
  const [row] = await server.db
    .insert(tickets)
    .values({ name: "Mia Sund", email: "mia@example.com", details: "It broke." })
    .returning();
  const path = `/manage/reports/${row?.id}`;
  const sender = await addAccount(server.db, { email: "mia@example.com", userType: "Seller" });
  const listing = await addPhone(server.db, { sellerId: sender.id });
  const page = await (await admin.get(path)).text();
  for (const link of [`/manage/users/${sender.id}`, `/phones/${listing.id}`])
    expect(page).toContain(`href="${link}"`);
  const text = async (page: string) => textOf(await (await admin.get(page)).text());
  expect(await text("/manage/work?kind=tickets")).toContain("It broke.");
  await admin.post(path, { intent: "close" });
  expect(await text(path)).toMatch(/Report closed.*Report from Mia Sund Closed.*Reopen report/);
  expect(await text("/manage/reports?state=open")).not.toContain("It broke.");
  await admin.post(path, { intent: "reopen" });
  expect(await text("/manage/reports?state=open")).toContain("It broke.");
});

test("a support ticket is answered by email; its sender reads and writes back by the link, without an account", async () => {
  const [admin, email] = [await administrator(), `${crypto.randomUUID()}@example.com`];
  const sender = visitor(server);
  await sender.post("/report", { name: "Mia Sund", email, details: "It broke." });
  const [row] = await server.db.select().from(tickets).where(eq(tickets.email, email));
  const path = `/manage/reports/${row?.id}`;
  const empty = await admin.post(path, { intent: "answer", text: " " });
  expect([empty.status, textOf(await empty.text()).includes("Write a message")]).toEqual([400, true]);
  const formKey = crypto.randomUUID();
  for (let times = 0; times < 2; times += 1) {
    await admin.post(path, { intent: "answer", text: "Turn it off and on.", formKey });
  }
  expect(textOf(await (await admin.get(path)).text())).toMatch(/Answer sent.*Answered.*Turn it off and on\./);
  const mail = await waitForEmail(server, email);
  expect(mail.text).toContain("Turn it off and on.");
  expect(mail.text).not.toContain("It broke.");
  const api = await signedInClient(server, { userType: "Admin" });
  const open = async () => (await api.get("/report?state=open")).text.includes(row?.id ?? "?");
  expect(await open()).toBe(false);
  const page = await sender.get(mail.path);
  expect([page.status, page.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
  const shown = textOf(await page.text());
  expect(shown).toMatch(/You.*It broke\..*Ringback.*Turn it off and on\./);
  expect(shown).not.toContain(admin.account.name);
  const replied = await sender.post(mail.path, { intent: "answer", text: "Now it is on fire." });
  expect(replied.status).toBe(303);
  expect(textOf(await (await admin.get("/manage/reports?q=on+fire&state=open")).text())).toContain(email);
  expect(textOf(await (await admin.get(path)).text())).toContain("Now it is on fire.");
  expect(await open()).toBe(true);
  const { body } = await api.get(`/reports/${row?.id}`);
  expect(body).toMatchObject({ _id: row?.id, email, state: "open", details: "It broke." });
  expect(body.messages.map(({ text, isAnswer }: Record<string, unknown>) => [text, isAnswer])).toEqual([
    ["Turn it off and on.", true],
    ["Now it is on fire.", false],
  ]);
  expect((await api.post(`/reports/${row?.id}`, { text: "It’s fixed now." })).status).toBe(200);
  expect(textOf(await (await sender.get(mail.path)).text())).toContain("It’s fixed now.");
  expect((await api.putJson(`/reports/${row?.id}`, { state: "closed" })).status).toBe(200);
  const [closed] = await server.db
    .select()
    .from(tickets)
    .where(eq(tickets.id, row?.id ?? ""));
  expect(closed?.state).toBe("closed");
  const nameless = await api.post("/report", { details: "No address" });
  const unanswerable = await api.post(`/reports/${nameless.body.insertedId}`, { text: "Hi" });
  expect([unanswerable.status, unanswerable.body.detail]).toEqual([
    409,
    "There’s no email address to reply to.",
  ]);
  const forged = mail.path.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  for (const other of [`${forged}x`, "/ticket?token=x"]) {
    expect((await sender.get(other)).status).toBe(410);
    expect((await sender.post(other, { intent: "answer", text: "Hi" })).status).toBe(404);
  }
});

test("staff reads internal notes on users, listings, orders, problems and reports; the people they are about don't", async () => {
  const [admin, dana, buyer] = [await administrator(), await moderator(), await person()];
  const { phone, owner, path } = await reported();
  const textAt = async (who: typeof dana, page: string) => textOf(await (await who.get(page)).text());
  const { orderId = "" } = await bookWithoutLimits(server.db, buyer.account, phone.id, {
    address: "",
    phone: "",
  });
  for (const [page, text] of [
    [`/manage/users/${owner.id}`, "Calls every day."],
    [`/manage/orders/${orderId}`, "Wants an invoice."],
  ] as const) {
    const refused = await admin.post(page, { intent: "note", note: " " });
    expect([refused.status, textOf(await refused.text()).includes("Write a note")]).toEqual([400, true]);
    const posted = await admin.post(page, { intent: "note", note: text });
    expect(posted.headers.get("Location")).toBe(`${page}#notes`);
    expect(await textAt(admin, page)).toContain(text);
  }
  const aboutOwner = `/manage/moderation/seller/${owner.id}`;
  expect(await textAt(dana, aboutOwner)).toContain("Calls every day.");
  await dana.post(path, { intent: "note", note: "Listed twice before." });
  expect(await textAt(admin, path)).toContain("Listed twice before.");
  expect(await textAt(admin, `/manage/users/${owner.id}`)).toMatch(/Timeline .*Note: Listed twice before\./s);
  expect(await textAt(admin, "/manage/activity?action=wrote+note")).toContain(owner.email);
  const { orderId: disputedId, problem } = await addProblem(server.db, { isAsked: true });
  const problemPage = `/manage/problems/${(await problem()).id}`;
  const posted = await dana.post(problemPage, { intent: "note", note: "Both sent photos." });
  expect(posted.headers.get("Location")).toBe(`${problemPage}#notes`);
  for (const [who, page] of [[dana, problemPage] as const, [admin, `/manage/orders/${disputedId}`] as const])
    expect(await textAt(who, page)).toContain("Both sent photos.");
  // A decision is confirmed first. Of two one counts, and the other moderator reads so.
  const decision = { decision: "solved", reason: "The charger comes by Friday." };
  const question = await dana.post(problemPage, decision);
  const asked = await question.text();
  expect([question.status, textOf(asked)]).toEqual([
    400,
    expect.stringMatching(
      /Solve it and keep the order\? Nothing happens for 10 minutes, and you can undo it until then\./,
    ),
  ]);
  const confirmed = fieldValue(asked, "confirmed") ?? "";
  // Another one is asked about again.
  expect((await dana.post(problemPage, { ...decision, decision: "returned", confirmed })).status).toBe(400);
  expect((await dana.post(problemPage, { ...decision, confirmed })).status).toBe(303);
  const own = await (await dana.get(problemPage)).text();
  expect(textOf(own)).toMatch(/We’ll tell both sides in 10 minutes\. Undo .*Your decision Solve it/s);
  const late = await admin.post(problemPage, { ...decision, reason: "Another", confirmed });
  expect([late.status, textOf(await late.text())]).toEqual([
    409,
    expect.stringMatching(/Someone has already decided this.*By \S+.* It takes effect after/s),
  ]);
  await dana.post("/manage/undo", { _id: fieldValue(own, "_id") ?? "", redirectTo: problemPage });
  expect(await textAt(dana, problemPage)).toMatch(/Decision undone\. Nobody was told\..*Save decision/s);
  const seller = visitor(server);
  await seller.signIn(owner.email);
  for (const who of [seller, buyer]) {
    const page = textOf(await (await who.get(`/manage/orders/${orderId}`)).text());
    expect(page).toContain("Order details");
    expect(page).not.toMatch(/Wants an invoice|Internal notes/);
  }
});
