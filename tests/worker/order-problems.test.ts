import { beforeAll, expect, test } from "vitest";
import { bookPhone } from "#app/features/orders/booking.server.ts";
import { handOver } from "#app/features/orders/order-steps.server.ts";
import { signedInClient } from "../harness/api-client.ts";
import { textOf } from "../harness/html.ts";
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
  const { orderId = "" } = await bookPhone(server.db, buyer.account, phone.id, details);
  await handOver(server.db, seller.account, orderId);
  const path = `/bookings/problem/${orderId}`;
  expect((await buyer.get(path)).status).toBe(404);
  const opened = { kind: "not arrived", text: "Nothing came." };
  expect((await stranger.post(path, opened)).status).toBe(404);
  expect((await buyer.post(path, { kind: "not arrived" })).status).toBe(422);
  expect((await buyer.post(path, opened)).status).toBe(200);
  expect((await seller.post(path, { kind: "not paid", text: "No." })).status).toBe(409);
  expect((await stranger.get(path)).status).toBe(404);
  const { body } = await seller.get(path);
  expect([body.state, body.openedBy, body.answers]).toEqual(["open", "buyer", ["offer", "ask"]]);
  expect(body.steps[0]).toMatchObject({ kind: "opened", text: "Nothing came.", offer: null });

  expect((await buyer.delete(`/bookings/delete/${orderId}`)).status).toBe(409);
  expect((await buyer.putJson(`/bookings/steps/${orderId}`, { step: "receive" })).status).toBe(409);
  expect((await buyer.putJson(path, { answer: "accept" })).status).toBe(409);
  const offer = { answer: "offer", offer: "something else", text: "It comes on Friday." };
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
  const after = await buyer.get(path);
  expect([after.body.state, after.body.deadline, after.body.answers]).toEqual(["returned", null, []]);

  // The order has ended, but the buyer has paid.
  expect((await buyer.post(path, opened)).status).toBe(409);
  expect((await buyer.post(path, { kind: "not refunded", text: "$300 paid." })).status).toBe(200);
  expect((await seller.putJson(path, { answer: "offer", offer: "return", text: "?" })).status).toBe(409);
  expect((await seller.putJson(path, { answer: "offer", offer: "refund", text: "Today." })).status).toBe(200);
  expect((await buyer.putJson(path, { answer: "accept" })).status).toBe(200);
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
  const closing = await owner.post("/manage/account", { intent: "close", password });
  expect(closing.status).toBe(409);
  expect(textOf(await closing.text())).toContain("while a problem with an order is open");
});
