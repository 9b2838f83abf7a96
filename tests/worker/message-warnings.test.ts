import { beforeEach, expect, test } from "vitest";
import { messages } from "#app/db/schema.ts";
import { type ApiClient, signedInClient } from "../harness/api-client.ts";
import { addAccount, addPhone, sharedServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let buyer: ApiClient;
let seller: ApiClient;
let phoneId: string;

beforeEach(async () => {
  server = await sharedServer();
  const account = await addAccount(server.db, { userType: "Seller" });
  seller = await signedInClient(server, account);
  buyer = await signedInClient(server, await addAccount(server.db));
  ({ id: phoneId } = await addPhone(server.db, { sellerId: account.id }));
});

const text = "I pay with a gift card, call me at 512-555-0147";

test("a program is asked about a message, and confirms what it was asked", async () => {
  const refused = await buyer.post("/messages", { phoneId, text });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    asked: ["gift card", "contact"],
    errors: [{ pointer: "#/text", detail: refused.body.detail }],
  });
  expect(refused.body.detail).toMatch(/^Gift cards .*send it anyway\.$/);
  expect(await server.db.$count(messages)).toBe(0);

  const sent = await buyer.post("/messages", { phoneId, text, confirmed: refused.body.asked });
  expect(sent.status).toBe(200);
  const { conversationId } = sent.body;
  const asked = async (confirmed?: string[]) =>
    buyer.post(`/messages/${conversationId}`, { text: "Bitcoin?", ...(confirmed && { confirmed }) });
  expect((await asked(["gift card"])).body.asked).toEqual(["crypto"]);
  expect((await asked(["crypto"])).status).toBe(200);

  const list = async (client: ApiClient) =>
    (await client.get(`/messages/${conversationId}`)).body.map(({ warning }: { warning: string }) => warning);
  expect(await list(seller)).toEqual([
    expect.stringContaining("cryptocurrency"),
    expect.stringContaining("gift cards"),
  ]);
  expect(await list(buyer)).toEqual([null, null]);
  expect((await seller.get("/messages")).body[0].otherIsNew).toBe(true);
});

test("a program is asked about the text of an offer", async () => {
  const offer = { phoneId, amount: 300, text };
  const { status, body } = await buyer.post("/offers", offer);
  expect([status, body.asked]).toEqual([409, ["gift card", "contact"]]);
  const refused = await buyer.post("/offers", { ...offer, amount: 10 });
  expect([refused.status, refused.body.asked]).toEqual([409, undefined]);
  const made = await buyer.post("/offers", { ...offer, confirmed: body.asked });
  expect(made.status).toBe(200);
  const counter = { answer: "counter", amount: 330, text: "Zelle code: send me the OTP" };
  const asked = await seller.putJson(`/offers/${made.body.insertedId}`, counter);
  expect([asked.status, asked.body.asked, asked.body.modifiedCount]).toEqual([409, ["code"], 0]);
});

test("what a form was asked about stays confirmed when it is refused for another reason", async () => {
  const asked = async (fields: { amount: string; confirmed?: string }) => {
    const page = await (
      await buyer.visitor.post(`/phones/${phoneId}/offer`, { intent: "offer", text: "Bitcoin?", ...fields })
    ).text();
    return [...page.matchAll(/name="confirmed" value="([^"]+)"/g)].map(([, value]) => value);
  };
  expect(await asked({ amount: "300" })).toEqual(["crypto"]);
  // Refused first: nobody is asked about what can’t be sent.
  expect(await asked({ amount: "10" })).toEqual([]);
  expect(await asked({ amount: "10", confirmed: "crypto" })).toEqual(["crypto"]);
});

test("what a form was asked about stays confirmed when its fields are mistaken", async () => {
  const asked = async (path: string, fields: Record<string, string>) => {
    const page = await (await buyer.visitor.post(path, { confirmed: "crypto", ...fields })).text();
    const kept = [...page.matchAll(/name="confirmed" value="([^"]+)"/g)].map(([, value]) => value);
    return { kept, isQuestion: page.includes("Send anyway") };
  };
  const kept = { kept: ["crypto"], isQuestion: false };
  const conversation = `/manage/messages/new?phone=${phoneId}`;
  expect(await asked(conversation, { text: "" })).toEqual(kept);
  expect(await asked(conversation, { text: "Bitcoin? ".repeat(300) })).toEqual(kept);
  const offer = { intent: "offer", text: "Bitcoin?" };
  expect(await asked(`/phones/${phoneId}/offer`, { ...offer, amount: "" })).toEqual(kept);
  expect(await asked(`/phones/${phoneId}/offer`, { ...offer, amount: "10" })).toEqual(kept);
  expect(await asked(conversation, { text: "Bitcoin or a gift card?" })).toEqual({
    kept: ["crypto", "gift card"],
    isQuestion: true,
  });
});

test("a link to the site itself is ordinary", async () => {
  const { host } = new URL(server.url);
  const own = await buyer.post("/messages", { phoneId, text: `Like https://${host}/phones/${phoneId}?` });
  expect(own.status).toBe(200);
});
