import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { blocks, orderProblems, users } from "#app/db/schema.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { carryOutDecisions } from "#app/features/order-problems/pending-decisions.server.ts";
import { handOver } from "#app/features/orders/order-steps.server.ts";
import { hourMs } from "#app/time.ts";
import { accessTokenOf, signedInClient } from "../harness/api-client.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { removeUser } from "../harness/fixtures.ts";
import { textOf } from "../harness/html.ts";
import { picture } from "../harness/images.ts";
import { addPhone, addProblem, password, sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

test("the API opens, answers, reads and decides a problem", async () => {
  const [buyer, seller, moderator, stranger] = [
    await signedInClient(server),
    await signedInClient(server, { userType: "Seller" }),
    await signedInClient(server, { moderatorSince: new Date() }),
    await signedInClient(server),
  ];
  const phone = await addPhone(server.db, { sellerId: seller.account.id });
  const details = { address: "", phone: "" };
  const { orderId = "" } = await bookWithoutLimits(server.db, buyer.account, phone.id, details);
  await handOver(server.db, seller.account, orderId);
  const path = `/bookings/problem/${orderId}`;
  expect((await buyer.get(path)).status).toBe(404);
  const opened = { kind: "not arrived", text: "Nothing came." };
  expect((await stranger.post(path, opened)).status).toBe(404);
  expect((await buyer.post(path, { kind: "not arrived" })).status).toBe(422);
  expect((await buyer.post(path, opened)).status).toBe(200);
  expect((await buyer.post(path, { ...opened, text: "Still nothing." })).status).toBe(409);
  expect((await stranger.get(path)).status).toBe(404);
  const { body } = await seller.get(path);
  expect([body.state, body.openedBy, body.answers]).toEqual(["open", "buyer", ["offer", "ask", "write"]]);
  expect(body.steps[0]).toMatchObject({ kind: "opened", text: "Nothing came.", offer: null });

  expect((await buyer.delete(`/bookings/delete/${orderId}`)).status).toBe(409);
  expect((await buyer.putJson(`/bookings/steps/${orderId}`, { step: "receive" })).status).toBe(409);
  expect((await buyer.putJson(path, { answer: "accept" })).status).toBe(409);
  const offer = { answer: "offer", offer: "something else", text: "It comes on Friday." };
  expect((await seller.putJson(path, { ...offer, text: "" })).status).toBe(422);
  expect((await seller.putJson(path, { ...offer, lastStepId: "an older one" })).status).toBe(409);
  expect((await seller.putJson(path, { ...offer, lastStepId: body.lastStepId })).status).toBe(200);
  expect((await buyer.putJson(path, { answer: "ask", text: "It never comes." })).status).toBe(200);
  const decision = { decision: "returned", reason: "Nothing came." };
  expect((await buyer.putJson(`/problems/${body._id}`, decision)).status).toBe(403);
  expect((await moderator.putJson(`/problems/${body._id}`, { decision: "returned" })).status).toBe(422);
  expect((await moderator.putJson(`/problems/${body._id}`, decision)).status).toBe(200);
  expect((await moderator.putJson(`/problems/${body._id}`, { ...decision, decision: "solved" })).status).toBe(
    409,
  );
  const pending = (await moderator.get(`/problems/${body._id}`)).body;
  expect([pending.decisions, pending.pendingDecision]).toEqual([
    [],
    expect.objectContaining({ decision: "returned", amount: null, reason: "Nothing came." }),
  ]);
  expect((await buyer.get(path)).body.state).toBe("with moderators");
  await carryOutDecisions(server.db, new Date(Date.now() + hourMs));
  const after = await buyer.get(path);
  expect([after.body.state, after.body.deadline, after.body.answers]).toEqual(["returned", null, []]);

  const shown = async (path: string) => textOf(await (await buyer.visitor.get(path)).text());
  const orderPage = await shown(`/manage/orders/${orderId}`);
  expect(orderPage).toMatch(/Ended order Booked on .* Order ended This order ended because of a problem/);
  expect(orderPage).not.toMatch(/Cancelled|Returned/);
  expect(await shown("/manage?stage=returned")).toMatch(
    /Status .* Order ended .* Ended because of a problem/,
  );

  // The order has ended, but the buyer has paid.
  expect((await buyer.post(path, opened)).status).toBe(409);
  expect((await buyer.post(path, { kind: "not refunded", text: "$300 paid." })).status).toBe(200);
  expect((await seller.putJson(path, { answer: "offer", offer: "return", text: "?" })).status).toBe(409);
  expect((await seller.putJson(path, { answer: "offer", offer: "refund", text: "Today." })).status).toBe(200);
  expect((await buyer.putJson(path, { answer: "accept" })).status).toBe(200);
});

test("the API takes photos of a problem until it ends, and shows its case to moderators", async () => {
  const [buyer, seller, moderator] = [
    await signedInClient(server),
    await signedInClient(server, { userType: "Seller" }),
    await signedInClient(server, { moderatorSince: new Date() }),
  ];
  const { orderId, problem } = await addProblem(server.db, {
    buyer: buyer.account,
    seller: seller.account,
    isAsked: true,
  });
  const { id } = await problem();
  const add = async (client: typeof buyer, background: string) => {
    const body = new Uint8Array(await picture("png", { background }));
    return client.send("POST", `/problems/photos/${id}`, { body, headers: { "Content-Type": "image/png" } });
  };
  const added = await add(buyer, "#111111");
  expect([added.status, (await add(buyer, "#111111")).body]).toEqual([200, added.body]);
  for (const client of [seller, moderator]) expect((await add(client, "#222222")).status).toBe(404);
  for (const background of ["#2", "#3", "#4", "#5", "#6"].map((color) => color.padEnd(7, "0")))
    expect((await add(buyer, background)).status).toBe(200);
  const full = await add(buyer, "#777777");
  expect([full.status, full.body.detail]).toEqual([409, "A problem can have at most 6 photos."]);

  const path = `/photos/${added.body.insertedId}/gallery`;
  const photo = { _id: added.body.insertedId, width: 640, height: 480, path };
  const own = (await seller.get(`/bookings/problem/${orderId}`)).body.photos;
  expect([own.length, own[0]]).toEqual([6, photo]);
  const shown = (await moderator.get(`/problems/${id}`)).body;
  expect(shown).toMatchObject({
    _id: id,
    kind: "something missing",
    decisions: ["returned", "solved", "refused"],
    booking: { _id: orderId, buyerName: buyer.account.name, sellerName: seller.account.name },
    history: [{ kind: "reserved" }, { kind: "handed over" }, { kind: "received" }],
    messages: [],
    others: [],
  });
  expect(shown.photos[0]).toEqual(photo);
  // Moderators see them large, the two sides as small ones.
  const pageFor = async (client: typeof buyer, page: string) => (await client.visitor.get(page)).text();
  const card = `src="/photos/${added.body.insertedId}/card"`;
  expect(await pageFor(moderator, `/manage/problems/${id}`)).toContain(card);
  const small = await pageFor(buyer, `/manage/orders/${orderId}/problem`);
  expect([small.includes(card), small.includes("/thumbnail")]).toEqual([false, true]);
  const tokens = await Promise.all([moderator, await signedInClient(server)].map(accessTokenOf));
  const answers = tokens.map((token) =>
    visitor(server).send(path, { headers: { Authorization: `Bearer ${token}` } }),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 404]);

  const waiting = (await moderator.get("/problems?limit=1000")).body as { _id: string }[];
  expect(waiting.at(-1)).toMatchObject({ _id: id, sellerName: seller.account.name });
  await moderator.putJson(`/problems/${id}`, { decision: "refused", reason: "It’s there." });
  await carryOutDecisions(server.db, new Date(Date.now() + hourMs));
  const late = await add(buyer, "#888888");
  expect([late.status, late.body.detail]).toEqual([409, "This problem is closed."]);
  expect((await moderator.get(`/problems/${id}`)).body.decisions).toEqual([]);
});

test("the API and the page show the problems of both sides, and answer each", async () => {
  const { orderId, buyer, seller } = await addProblem(server.db);
  const [owner, person] = [await signedInClient(server, seller), visitor(server)];
  const path = `/bookings/problem/${orderId}`;
  expect((await owner.post(path, { kind: "not paid", text: "No money came." })).status).toBe(200);
  const { body } = await owner.get(path);
  expect([body.kind, body.answers, body.other.kind, body.other.answers]).toEqual([
    "not paid",
    ["ask", "close", "write"],
    "something missing",
    ["offer", "ask", "write"],
  ]);
  await person.signIn(buyer.email);
  const page = `/manage/orders/${orderId}/problem`;
  const shown = async () => (await person.get(page)).text();
  const [, unpaidId = ""] = /name="problemId" value="([^"]+)"/.exec(await shown()) ?? [];
  expect(unpaidId).toBe(body._id);
  expect(textOf(await shown())).toMatch(
    /Problems with this order.*Not paid: waiting for an answer.*Something is missing: waiting for an answer/s,
  );
  const fields = { intent: "answer", answer: "close", account: buyer.email, problemId: unpaidId };
  expect((await person.post(page, fields)).status).toBe(409);
  expect((await person.post(page, { ...fields, problemId: body.other._id })).status).toBe(303);
  const order = textOf(await (await person.get(`/manage/orders/${orderId}`)).text());
  // What it waits for comes first.
  expect(order).toMatch(
    /It’s on hold until that’s settled.*Problem: Not paid.*Next steps Message the seller/s,
  );
});

test("a problem is between its two sides, and the account page says why it keeps them", async () => {
  const { orderId, seller, problem } = await addProblem(server.db);
  const [owner, stranger, admin] = [visitor(server), visitor(server), visitor(server)];
  await owner.signIn(seller.email);
  await stranger.signIn((await addProblem(server.db)).buyer.email);
  const { account } = await signedInClient(server, { userType: "Admin" });
  await admin.signIn(account.email);
  for (const person of [stranger, admin]) {
    expect((await person.get(`/manage/orders/${orderId}/problem`)).status).toBe(404);
    expect((await person.get(`/manage/problems/${(await problem()).id}`)).status).not.toBe(200);
  }
  const page = textOf(await (await owner.get(`/manage/orders/${orderId}`)).text());
  expect(page).toMatch(/Something is missing.*Answer by \w+ \d+, \d+\. After that, Ringback decides\./s);
  const closing = await owner.post("/manage/account/data", { intent: "close", password });
  expect(closing.status).toBe(409);
  expect(textOf(await closing.text())).toContain("First settle the problem with the order for the ");
});

test("nobody tells or offers something to a side that has left", async () => {
  const [{ orderId, buyer, seller }, person] = [await addProblem(server.db), visitor(server)];
  await person.signIn(seller.email);
  const order = `/manage/orders/${orderId}`;
  const shown = async (path = "") => textOf(await (await person.get(`${order}${path}`)).text());
  expect(await shown("/problem")).toContain("What do you offer?");
  const { account } = await signedInClient(server, { userType: "Admin" });
  await removeUser(server.db, account, buyer.id);
  const page = await shown("/problem");
  expect(page).toMatch(/waiting for an answer The buyer has left, so Ringback decides after /);
  expect(page).not.toContain("What do you offer?");
  expect(page).toContain("Ask Ringback to decide");
  const offer = { answer: "offer", offer: "part refund", text: "$20 back today." } as const;
  expect(await answerProblem(server.db, seller, orderId, offer)).toBe("not now");
  await server.db.delete(orderProblems).where(eq(orderProblems.orderId, orderId));
  expect(await shown()).toContain("The buyer has left: tell us what’s wrong, and we decide.");
  const form = await shown("/problem");
  expect(form).toContain("The buyer has left, so Ringback decides. Up to");
  expect(form).toContain("Send to Ringback");
});

test("the page of a problem says once how it ended", async () => {
  const { orderId, seller, buyer } = await addProblem(server.db);
  const [someone, path] = [visitor(server), `/manage/orders/${orderId}/problem`];
  await someone.signIn(buyer.email);
  const shown = async () => textOf(await (await someone.get(path)).text());
  const open = await shown();
  expect(open).toMatch(/Something is missing: waiting for an answer The seller has until/);
  const order = async () => textOf(await (await someone.get(`/manage/orders/${orderId}`)).text());
  expect(await order()).not.toContain("Report a problem");
  const offer = { answer: "offer", offer: "part refund", text: "$20 back today." } as const;
  expect(await answerProblem(server.db, seller, orderId, offer)).toBe("done");
  expect(await answerProblem(server.db, buyer, orderId, { answer: "accept", text: "" })).toBe("done");
  const solved = await shown();
  expect(solved).toContain("Something is missing This problem is solved. What both of you said");
  expect(solved.match(/solved/g)).toHaveLength(1);
  expect(await order()).toContain("Report a problem from your order.");
  const myOrders = textOf(await (await someone.get("/manage")).text());
  expect(myOrders).toContain("If that doesn’t happen, report it on the order’s page. Warranty ends");
});

test("no block and no suspension silences a side of an open problem", async () => {
  const [buyer, seller] = [
    await signedInClient(server),
    await signedInClient(server, { userType: "Seller" }),
  ];
  const { db } = server;
  const sides = [buyer.account, seller.account];
  const [first, second] = sides.map(({ id }) => id);
  const hindrances = {
    "the buyer blocks": () => db.insert(blocks).values({ blockerId: first ?? "", blockedId: second ?? "" }),
    "the seller blocks, too": () =>
      db.insert(blocks).values({ blockerId: second ?? "", blockedId: first ?? "" }),
    "the buyer is suspended": () =>
      db
        .update(users)
        .set({ suspensionId: "x" })
        .where(eq(users.id, first ?? "")),
    "the seller is suspended, too": () =>
      db
        .update(users)
        .set({ suspensionId: "y" })
        .where(eq(users.id, second ?? "")),
  };
  const orderIds: string[] = [];
  for (const _ of Object.keys(hindrances))
    orderIds.push((await addProblem(db, { buyer: buyer.account, seller: seller.account })).orderId);
  for (const [hindrance, begin] of Object.entries(hindrances)) {
    const orderId = orderIds.pop();
    await begin();
    const path = `/bookings/problem/${orderId}`;
    const page = `/manage/orders/${orderId}/problem`;
    const walk = async (state: string) => {
      for (const [side, { account, visitor, ...client }] of Object.entries({ buyer, seller })) {
        const text = `${state}: ${side}`;
        expect([hindrance, text, (await client.putJson(path, { answer: "write", text })).status]).toEqual([
          hindrance,
          text,
          200,
        ]);
        const { body } = await client.get(path);
        expect([body.state, body.answers.includes("write")]).toEqual([state, true]);
        expect(textOf(await (await visitor.get(page)).text())).toContain("Want to add something?");
        const fields = { intent: "answer", answer: "write", account: account.email, text: `${text}!` };
        expect((await visitor.post(page, { ...fields, problemId: body._id })).status).toBe(303);
      }
    };
    await walk("open");
    const offer = { answer: "offer", offer: "something else", text: "It’s on its way." };
    expect((await seller.putJson(path, offer)).status).toBe(200);
    await walk("offered");
    expect((await buyer.putJson(path, { answer: "decline", text: "No." })).status).toBe(200);
    expect((await seller.putJson(path, { ...offer, text: "Really." })).status).toBe(200);
    expect((await buyer.putJson(path, { answer: "ask" })).status).toBe(200);
    await walk("with moderators");
    expect((await buyer.putJson(path, { answer: "close" })).status).toBe(200);
    expect((await seller.putJson(path, { answer: "write", text: "Bye." })).status).toBe(409);
    expect(textOf(await (await seller.visitor.get(page)).text())).not.toContain("Want to add something?");
    expect((await seller.putJson(path, { answer: "write", text: "" })).status).toBe(422);
  }
});

test("an answer without a session is shown again in the words of its form", async () => {
  const { orderId, buyer } = await addProblem(server.db);
  const headers = { Origin: server.url, Accept: "text/html" };
  const fields = {
    intent: "answer",
    answer: "ask",
    account: buyer.email,
    lastStepId: crypto.randomUUID(),
    text: "It’s broken.",
  };
  const path = `/manage/orders/${orderId}/problem`;
  const response = await visitor(server).send(path, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers,
  });
  const text = textOf(await response.text());
  expect([response.status, text]).toEqual([401, expect.stringContaining("Your text It’s broken.")]);
  expect(text).not.toMatch(/Answer|Last step/);

  for (const [intent, label] of [
    ["offer", "Your offer"],
    ["counter", "Your counteroffer"],
  ] as const) {
    const body = new URLSearchParams({ intent, account: buyer.email, amount: "300", text: "Cash?" });
    const options = { method: "POST", body, headers };
    const offer = await visitor(server).send(`/phones/${crypto.randomUUID()}/offer`, options);
    expect(textOf(await offer.text())).toContain(`${label} 300 Message Cash?`);
  }
});
