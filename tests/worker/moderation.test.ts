import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decisions, notifications, orders, phones, signals, type users } from "#app/db/schema.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { appealDecision } from "#app/features/moderation/decisions/own-decisions.server.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { mutations } from "#app/server/http/mutations.server.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import { waitForEmail, waitForEmailTo } from "../harness/emails.ts";
import { textOf } from "../harness/html.ts";
import { validListing } from "../harness/listing-form.ts";
import { examples, ofStaff, prepareExample } from "../harness/mutations/mutations.ts";
import { addPerson } from "../harness/mutations/records.ts";
import {
  addAccount,
  addPhone,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
let person: Visitor;
let moderator: Visitor;
let account: typeof users.$inferSelect;
let decisionPath: string;
const ids = { own: "", order: "" };

beforeAll(async () => {
  server = await startServer({
    bindings: { HOLD_FIRST_LISTINGS: "on", PUBLIC_ORIGIN: "https://ringback.example" },
  });
  account = await addAccount(server.db, { userType: "Seller" });
  person = visitor(server);
  await person.signIn(account.email);
  const buyer = await addAccount(server.db);
  ids.own = (await addPhone(server.db, { sellerId: account.id })).id;
  const reserved = await addPhone(server.db, { sellerId: account.id });
  const order = await bookWithoutLimits(server.db, buyer, reserved.id, { address: "", phone: "" });
  ids.order = order.orderId ?? "";
  await reportContent(server.db, buyer, "seller", account.id, { reason: "spam", details: "" });
  const administrator = await newAdministrator();
  moderator = visitor(server);
  await moderator.signIn(administrator.email);
  const choice = { decision: "suspend", reason: "Spam on spam.", days: "permanent" } as const;
  const { id } = await decide(server.db, administrator, "seller", account.id, choice, null);
  decisionPath = `/manage/decisions/${id}`;
});
afterAll(() => server?.stop());

const newAdministrator = () => addAccount(server.db, { userType: "Admin" });

/** What suspended accounts may not do. */
const refused = examples.filter(
  ({ mutation }) => mutations[mutation].whileSuspended === "refused" && !ofStaff.includes(mutation),
);

describe("a suspended account cannot", () => {
  test.each(refused)("$name", async (example) => {
    const by = await addPerson(server, { userType: "Seller" });
    const { person, form, rest, rows } = await prepareExample(server, example, by);
    const { id = "", email = "" } = person.account ?? {};
    const choice = { decision: "suspend", reason: "Spam on spam.", days: "permanent" } as const;
    const suspension = await decide(server.db, await newAdministrator(), "seller", id, choice, null);
    const before = await rows();
    if (form) {
      // As the form says whom it was rendered for.
      form.fields.set("account", email);
      const response = await person.send(form.path, form.init);
      const typed = example.typed && String(form.fields.get(example.typed));
      if (typed) {
        expect([response.status, await response.text()]).toEqual([403, expect.stringContaining(typed)]);
        const asData = await person.send(dataPath(form.path), form.init);
        expect([asData.status, await asData.text()]).toEqual([403, expect.stringContaining(typed)]);
      } else if (response.status !== 403) {
        const location = response.headers.get("Location");
        expect([response.status, location]).toEqual([303, `/manage/decisions/${suspension.id}`]);
      }
    }
    if (rest) {
      const answer = await person.send(rest.path, rest.init);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({
        detail: expect.stringMatching(/^You can’t .+ while your account is suspended\.$/),
      });
    }
    expect(await rows()).toBe(before);
  });
});

test("a suspended account reads, finishes its orders and appeals once", async () => {
  for (const path of [
    "/manage",
    "/manage/mysells",
    "/manage/account",
    "/products",
    `/manage/orders/${ids.order}`,
  ]) {
    const page = await person.get(path);
    expect([path, page.status]).toEqual([path, 200]);
    if (path.startsWith("/manage"))
      expect(textOf(await page.text())).toContain("Your account is suspended permanently");
  }
  expect((await person.get(`/phones/${ids.own}`)).status).toBe(404);
  await person.post(`/manage/orders/${ids.order}`, { intent: "hand over" });
  const [order] = await server.db.select().from(orders).where(eq(orders.id, ids.order));
  expect(order?.stage).toBe("handed over");
  const renamed = await person.post("/manage/account", { intent: "name", name: "Write to me elsewhere" });
  expect(renamed.status).toBe(403);
  expect(textOf(await renamed.text())).toContain(
    "You can’t change your name while your account is suspended.",
  );
  const review = { intent: "review", stars: "5", text: "Never mind the wait.", account: account.email };
  const tooEarly = await person.post(`/manage/orders/${ids.order}/reviews`, review);
  expect(tooEarly.status).toBe(403);
  const refusedPage = textOf(await tooEarly.text());
  expect(refusedPage).toContain("Your account is suspended");
  expect(refusedPage).toContain(review.text);
  const accountPage = textOf(await (await person.get("/manage/account/data")).text());
  expect(accountPage).toContain("Ask us on the Report page to delete it.");
  expect(accountPage).not.toContain("You can’t undo this");
  const appeal = await person.post(decisionPath, { appeal: "It was not spam." });
  expect([appeal.status, appeal.headers.get("Location")]).toEqual([303, decisionPath]);
  const [decision] = await server.db.select().from(decisions).where(eq(decisions.ownerId, account.id));
  expect(decision?.appeal).toBe("It was not spam.");
  expect((await person.post(decisionPath, { appeal: "Once more." })).status).toBe(409);
  const notice = textOf(await (await person.get("/manage")).text());
  expect(notice).toContain("You can still finish your orders. See why");
  expect(notice).not.toContain("appeal");
});

test("a new seller's first listing goes on sale when a moderator approves it, the next at once", async () => {
  const seller = visitor(server);
  await seller.signIn((await addAccount(server.db, { userType: "Seller" })).email);
  const publish = async () => {
    const answer = await seller.post("/addphone", validListing);
    const [added] = await server.db.select().from(phones).orderBy(desc(phones.number)).limit(1);
    const shown = textOf(await (await seller.get(answer.headers.get("Location") ?? "")).text());
    const status = async () => (await visitor(server).get(`/phones/${added?.id}`)).status;
    return { id: added?.id ?? "", shown, status };
  };
  const first = await publish();
  expect(first.shown).toContain("We check it first, then it goes on sale.");
  expect(await first.status()).toBe(404);
  const overview = textOf(await (await seller.get("/manage/mysells")).text());
  expect(overview).toContain("Held for approval");
  const queues = textOf(await (await moderator.get("/manage/moderation")).text());
  expect(queues).toContain("Held for approval (1)");
  await moderator.post(`/manage/moderation/listing/${first.id}`, { decision: "approve" });
  expect(await first.status()).toBe(200);
  const second = await publish();
  expect(second.shown).not.toContain("We check it first");
  expect(await second.status()).toBe(200);
});

async function hiddenListing(decision: "hide" | "suspend" = "hide") {
  const owner = await addAccount(server.db, { userType: "Seller", verified: true });
  const phone = await addPhone(server.db, { sellerId: owner.id });
  const choice = { decision, reason: "It is a copy.", days: "7" } as const;
  const administrator = await newAdministrator();
  const { id } = await decide(server.db, administrator, "listing", phone.id, choice, null);
  const seller = visitor(server);
  await seller.signIn(owner.email);
  return { phone, owner, seller, decisionId: id ?? "" };
}

test.each(["page", "API"])(
  "a seller deletes a hidden listing in the %s, and undoing that shows it to nobody",
  async (way) => {
    const { phone, seller, decisionId } = await hiddenListing();
    const { seller: stranger } = await hiddenListing();
    const path = `/phones/delete/${phone.id}`;
    const erase = (person: Visitor) =>
      person.send(path, { method: "DELETE", headers: { Origin: server.url, Accept: "application/json" } });
    expect((await erase(stranger)).status).toBe(404);
    const page = await (await seller.get("/manage/mysells")).text();
    expect(page).toContain(`name="_id" value="${phone.id}"`);
    if (way === "API") expect((await erase(seller)).status).toBe(200);
    else expect((await seller.post("/manage/mysells", { _id: phone.id })).status).toBe(303);
    const deleted = await (await seller.get("/manage/mysells")).text();
    expect(deleted).not.toContain(phone.id);
    expect((await erase(seller)).status).toBe(404);

    const [row] = await server.db.select().from(phones).where(eq(phones.id, phone.id));
    await seller.post("/manage/undo", { _id: row?.hiddenById ?? "" });
    expect(textOf(await (await seller.get("/manage/mysells")).text())).toContain("Hidden: see why");
    expect((await visitor(server).get(`/phones/${phone.id}`)).status).toBe(404);
    await moderator.post(`/manage/moderation/listing/${phone.id}`, {
      decision: "reverse",
      reason: "It is none.",
      lastDecisionId: decisionId,
    });
    expect((await visitor(server).get(`/phones/${phone.id}`)).status).toBe(200);
  },
);

test("a conversation says that its listing is hidden, and another that it is removed", async () => {
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);
  const phone = await addPhone(server.db);
  await buyer.post(`/manage/messages/new?phone=${phone.id}`, { text: "Is it still there?" });
  const read = async () => {
    const list = await (await buyer.get("/manage/messages")).text();
    const path = /\/manage\/messages\/[0-9a-f-]{36}/.exec(list)?.[0] ?? "";
    return [textOf(list), textOf(await (await buyer.get(path)).text())];
  };
  const administrator = await newAdministrator();
  const choice = { decision: "hide", reason: "It is a copy.", days: "7" } as const;
  await decide(server.db, administrator, "listing", phone.id, choice, null);
  const [hiddenList, hidden] = await read();
  expect(hiddenList).toContain("Hidden");
  expect(hiddenList).not.toContain("Removed");
  expect(hidden).toContain("The listing is hidden for now, so nobody can open or book it.");
  expect(hidden).not.toContain("Removed");
  await server.db.update(phones).set({ hiddenById: "some removal" }).where(eq(phones.id, phone.id));
  for (const text of await read()) {
    expect(text).toContain("Removed");
    expect(text).not.toContain("Hidden");
  }
});

test("a suspension reads the same for the moderator and the seller", async () => {
  const { phone, seller, decisionId } = await hiddenListing("suspend");
  const texts = [
    textOf(await (await seller.get(`/manage/decisions/${decisionId}`)).text()),
    textOf(await (await seller.get("/manage")).text()),
    textOf(await (await moderator.get(`/manage/moderation/listing/${phone.id}`)).text()),
  ];
  const [end] = /suspended until \w{3} \d+, \d{4}/.exec(texts[1] ?? "") ?? [""];
  expect(end).not.toBe("");
  for (const text of texts) expect(text).toContain(`account is ${end}`);
  const [own, , ofModerator] = texts;
  // It hides the listing, but deletes nothing.
  expect(ofModerator).not.toMatch(/deleted (this listing|the seller)/);
  for (const text of [own, ofModerator]) {
    expect(text).toContain("It is a copy.");
    expect(text).toContain("can’t publish, edit, book, review or send messages");
  }
});

test("a moderator decides about a listing with a signal, and undoes it in the list of decisions", async () => {
  const { id, sellerId } = await addPhone(server.db, { brandName: "Nokia", model: "Cheap 8" });
  const found = [{ kind: "low price" as const, figure: 31 }];
  await server.db.insert(signals).values({ targetKind: "listing", targetId: id, ownerId: sellerId, found });
  const read = async (show: string) => {
    const page = await (await moderator.get(`/manage/moderation?show=${show}`)).text();
    const current = /<nav aria-label="Queues".*?<\/nav>/s
      .exec(page)?.[0]
      .match(/<a [^>]*aria-current[^>]*>/)?.[0];
    expect(current).toContain(`show=${show}`);
    return page;
  };
  const casePath = `/manage/moderation/listing/${id}`;
  const listed = await read("signals");
  expect(listed).toContain(`${casePath}?show=signals`);
  const openedFromSignals = await (await moderator.get(`${casePath}?show=signals`)).text();
  expect(openedFromSignals).toContain('href="/manage/moderation?show=signals"');
  expect(textOf(listed)).toContain("The price is 31% of what this model usually sells for.");
  expect(textOf(await (await moderator.get(casePath)).text())).toContain("No reports.");
  const decided = await moderator.post(casePath, { decision: "dismiss" });
  expect(decided.status).toBe(303);
  const decisionsPage = await read("decided");
  expect(decisionsPage).toContain(casePath);
  const [decision] = await server.db.select().from(decisions).where(eq(decisions.targetId, id));
  expect(decisionsPage).toContain(`name="_id" value="${decision?.id}"`);
  expect(textOf(await read("signals"))).toContain("No signals");
  await moderator.post("/manage/undo", { _id: decision?.id ?? "" });
  expect(await read("signals")).toContain(casePath);
  expect((await moderator.get(`/manage/moderation/listing/${crypto.randomUUID()}`)).status).toBe(404);
});

test("a moderator goes on to the next case", async () => {
  const waiting = [await addPhone(server.db), await addPhone(server.db)];
  for (const { id, sellerId } of waiting) {
    const found = [{ kind: "low price" as const, figure: 31 }];
    await server.db.insert(signals).values({ targetKind: "listing", targetId: id, ownerId: sellerId, found });
  }
  const path = `/manage/moderation/listing/${waiting[0]?.id}`;
  const decided = await moderator.post(path, { decision: "dismiss", intent: "next" });
  const next = decided.headers.get("Location") ?? "";
  expect([decided.status, next]).toEqual([303, expect.stringMatching(/^\/manage\/moderation\/\w+\/./)]);
  expect(next).not.toBe(path);
  expect((await moderator.get(next)).status).toBe(200);
});

test("the email about a decision has its reason", async () => {
  const owner = await addAccount(server.db, { userType: "Seller", emailVerifiedAt: new Date() });
  const { id } = await addPhone(server.db, { sellerId: owner.id });
  await moderator.post(`/manage/moderation/listing/${id}`, {
    decision: "hide",
    reason: "It shows a box only.",
    confirmed: "hide",
  });
  await endUndo(owner.id);
  await server.tick();
  const mail = await waitForEmailTo(server, owner.email, "/manage/decisions/");
  expect(mail.text).toContain("Reason: It shows a box only.");
});

/** The time for an undo of what was decided about an account is over. */
function endUndo(ownerId: string) {
  const createdAt = new Date(Date.now() - 15 * 60_000);
  return server.db.update(notifications).set({ createdAt }).where(eq(notifications.userId, ownerId));
}

test("the jobs email the owner about a reversal, also as the answer to an appeal made at once", async () => {
  const owner = await addAccount(server.db, { userType: "Seller", emailVerifiedAt: new Date() });
  const decideAbout = async (id: string, choice: Record<string, string>) => {
    const path = `/manage/moderation/listing/${id}`;
    const newest = eq(decisions.targetId, id);
    const [last] = await server.db
      .select()
      .from(decisions)
      .where(newest)
      .orderBy(desc(decisions.id))
      .limit(1);
    expect((await moderator.post(path, { ...choice, lastDecisionId: last?.id ?? "" })).status).toBe(303);
    return textOf(await (await moderator.get(path)).text());
  };
  const hide = { decision: "hide", reason: "It shows a box only.", confirmed: "hide" };
  const later = "The decision is reversed. We’ll email the owner in 10 minutes.";

  const mailed = await addPhone(server.db, { sellerId: owner.id });
  await decideAbout(mailed.id, hide);
  await endUndo(owner.id);
  await server.tick();
  await waitForEmail(server, owner.email, 1);
  expect(await decideAbout(mailed.id, { decision: "reverse" })).toContain(later);
  await endUndo(owner.id);
  await server.tick();
  const back = await waitForEmail(server, owner.email, 2);
  expect(back.subject).toMatch(/^We made a mistake. Your listing is back/);

  const appealed = await addPhone(server.db, { sellerId: owner.id });
  await decideAbout(appealed.id, hide);
  const [hidden] = await server.db.select().from(decisions).where(eq(decisions.targetId, appealed.id));
  expect(await appealDecision(server.db, owner, hidden?.id ?? "", "There’s a device in it.")).toBe(true);
  expect(await decideAbout(appealed.id, { decision: "reverse" })).toContain(later);
  const unmailed = await addPhone(server.db, { sellerId: owner.id });
  await decideAbout(unmailed.id, hide);
  expect(await decideAbout(unmailed.id, { decision: "reverse" })).toContain(
    "The decision is reversed. We hadn’t emailed the owner about it yet, so we won’t now. They’ll read it in their notifications.",
  );
  await endUndo(owner.id);
  await server.tick();
  expect((await waitForEmail(server, owner.email, 3)).path).toBe(`/manage/decisions/${hidden?.id}`);
});

test("of two tabs, the later keeps its reason, and the owner reads that the suspension is over", async () => {
  const casePath = `/manage/moderation/seller/${account.id}`;
  const read = async (who: Visitor, path: string) => textOf(await (await who.get(path)).text());
  const casePage = await read(moderator, casePath);
  expect(casePage).toContain("Nothing else changes. The owner reads your reason.");
  expect(casePage).toContain("You don’t need one to reverse.");
  expect(await (await moderator.get(casePath)).text()).toMatch(/<h2 id="owner"[^>]*>Account</);
  const lastDecisionId = decisionPath.split("/").at(-1) ?? "";
  const decided = await moderator.post(casePath, { decision: "reverse", lastDecisionId });
  expect(decided.status).toBe(303);
  const reason = "A second moderator's reason.";
  const late = await moderator.post(casePath, { decision: "uphold", reason, lastDecisionId });
  expect(late.status).toBe(409);
  const latePage = textOf(await late.text());
  expect(latePage).toContain("You have reversed the decision.");
  expect(latePage).toContain(reason);
  const ownPage = await read(person, decisionPath);
  expect(ownPage).toContain("Your account was suspended");
  expect(ownPage).toContain("You couldn’t publish");
  expect(ownPage).not.toMatch(/You can’t publish|Your account is suspended|was suspended permanently/);
});
