/** @module-tag slow */
import { beforeAll, expect, test } from "vitest";
import { orders, phones, users } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { dataPath } from "../harness/data-path.ts";
import { addAccount, addPhone, sharedServer, type Visitor, visitor } from "../harness/server.ts";

let server: LocalServer;
let admin: Visitor;
let phoneId: string;
beforeAll(async () => {
  server = await sharedServer();
  admin = visitor(server);
  const account = await addAccount(server.db, { userType: "Admin" });
  await admin.signIn(account.email);
  // Their own phones, because a booking form may be blank, and would book any other phone.
  phoneId = (await addPhone(server.db, { sellerId: account.id })).id;
});

const pages = [
  "/login",
  "/signup",
  "/sellersignup",
  "/products/PHONE/book",
  "/addphone",
  "/report",
  "/manage?index",
  "/manage/mysells",
  "/manage/users",
  "/manage/sellers",
  "/forgot",
  "/reset",
  "/verify",
  "/manage/undo",
  "/manage/account",
  "/manage/account/verify",
  "/manage/account/security",
  "/manage/account/addresses",
  "/manage/account/emails",
  "/manage/account/data",
  "/manage/account/export",
  "/manage/account/passkeys",
  "/manage/account/tokens",
  "/manage/searches",
  "/login/passkey",
  "/google",
];

type Sent = [what: string, body: BodyInit | undefined, type?: string];

const form = "application/x-www-form-urlencoded";
const names = [
  "name",
  "email",
  "password",
  "address",
  "phone",
  "brandName",
  "marketPrice",
  "details",
  "_id",
  "intent",
];
const everyField = (value: string) => names.map((name) => `${encodeURIComponent(name)}=${value}`).join("&");
const intent = (value: unknown) =>
  new URLSearchParams({ __intent__: typeof value === "string" ? value : JSON.stringify(value) });
const parts = (...lines: string[]) => lines.join("\r\n");

function files(): FormData {
  const data = new FormData();
  for (const name of names) data.append(name, new File(["x"], "picture.svg", { type: "image/svg+xml" }));
  return data;
}

const hostile: Sent[] = [
  ["nothing", undefined],
  ["an empty form", "", form],
  ["an empty body of no kind", ""],
  ["text", "hello", "text/plain"],
  ["JSON", `{"email":"a@b"}`, "application/json"],
  ["a kind of body nobody knows", "x", "nonsense"],
  ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00, 0x80]), form],
  ["broken escapes", "email=%zz&password=%", form],
  ["multipart without its boundary", "x", "multipart/form-data"],
  ["multipart that is no multipart", "x", "multipart/form-data; boundary=b"],
  [
    "multipart that breaks off",
    parts("--b", 'Content-Disposition: form-data; name="email"', "", "a@b"),
    "multipart/form-data; boundary=b",
  ],
  [
    "multipart without names",
    parts("--b", "Content-Disposition: form-data", "", "x", "--b--", ""),
    "multipart/form-data; boundary=b",
  ],
  ["files where text belongs", files()],
  ["every field twice", `${everyField("one")}&${everyField("two")}`, form],
  ["lists and objects", names.map((name) => `${name}[0]=a&${name}[x][y]=b&${name}[]=c`).join("&"), form],
  ["a very deep name", `a${"[b]".repeat(2_000)}=c`, form],
  ["a very long list", "name[999999999]=x", form],
  ["many fields", Array.from({ length: 5_000 }, (_, index) => `f${index}=x`).join("&"), form],
  ["names of the prototype", "__proto__=x&__proto__[y]=x&constructor.prototype.z=1&toString=x", form],
  ["fields under a prototype", "email.__proto__.x=1&name.constructor=2&hasOwnProperty=3", form],
  ["null bytes and controls", everyField("%00%01%1b%7f"), form],
  ["half characters", everyField("%ed%a0%80"), form],
  ["SQL", everyField(encodeURIComponent("'; DROP TABLE users; --")), form],
  ["markup", everyField(encodeURIComponent(`"></textarea><script>alert(1)</script>`)), form],
  ["very long values", everyField("9".repeat(5_000)), form],
  ["an intent that is garbage", intent("garbage"), form],
  ["an intent that is broken", intent("{"), form],
  ["an intent that is null", intent("null"), form],
  ["an intent that is a number", intent("7"), form],
  ["an intent that is a list", intent([]), form],
  ["an intent without a payload", intent({ type: "validate" }), form],
  ["an intent of no kind", intent({ type: "__proto__", payload: {} }), form],
  ["an intent to validate nothing", intent({ type: "validate", payload: null }), form],
  ["an intent to validate a prototype", intent({ type: "validate", payload: { name: "__proto__" } }), form],
  ["an intent to reset", intent({ type: "reset", payload: {} }), form],
  ["an intent to update", intent({ type: "update", payload: { name: "__proto__.x", value: 1 } }), form],
  ["an intent to insert", intent({ type: "insert", payload: { name: "email", index: 1e9 } }), form],
  ["an intent to remove", intent({ type: "remove", payload: { name: "nothing", index: -1 } }), form],
  ["an intent to reorder", intent({ type: "reorder", payload: { name: 1, from: "a", to: {} } }), form],
  ["a state that is garbage", new URLSearchParams({ __state__: "{" }), form],
  ["several intents", "__intent__=%7B%7D&__intent__=x&__state__=null", form],
];

test.each(pages)("%s handles hostile forms without a 500, and stores nothing", async (page) => {
  const counts = () =>
    Promise.all([server.db.$count(users), server.db.$count(phones), server.db.$count(orders)]);
  const before = await counts();
  const faults = [];
  const address = page.replace("PHONE", phoneId);
  for (const [index, [what, body, type]] of hostile.entries()) {
    // Every other form as a data request.
    const path = index % 2 ? dataPath(address) : address;
    const response = await admin.send(path, {
      method: "POST",
      body,
      headers: { Origin: server.url, ...(type && { "Content-Type": type }) },
    });
    const calm = [200, 204, 303, 400, 409, 410, 415, 429].includes(response.status);
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
    const clean = !(await response.text()).includes("<script>alert") || !isPage;
    if (!calm || !clean) faults.push([what, path, response.status]);
  }
  expect(faults).toEqual([]);
  expect(await counts()).toEqual(before);
});
