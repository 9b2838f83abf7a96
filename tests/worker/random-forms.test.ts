/** @module-tag slow */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { LocalServer } from "../../scripts/local-server.ts";
import { anyField, anyText, wellFormed } from "../harness/arbitraries.ts";
import { addAccount, addPhone, sharedServer, type Visitor, visitor } from "../harness/server.ts";

let server: LocalServer;
let person: Visitor;
let phoneId: string;

beforeAll(async () => {
  server = await sharedServer();
  const admin = await addAccount(server.db, { userType: "Admin" });
  phoneId = (await addPhone(server.db)).id;
  person = visitor(server);
  await person.signIn(admin.email);
});

const forms: [string, string[]][] = [
  ["/login", ["email", "password"]],
  ["/signup", ["name", "email", "password", "userType"]],
  ["/addphone", ["brandName", "marketPrice", "postDate", "image", "os", "formKey"]],
  ["/report", ["name", "email", "details"]],
  ["/products/PHONE/book", ["address", "phone", "price"]],
  ["/manage?index", ["_id"]],
  ["/manage/mysells", ["_id"]],
  ["/manage/users", ["_id", "intent"]],
  ["/manage/sellers", ["_id", "intent"]],
  ["/manage/undo", ["_id", "redirectTo"]],
  ["/forgot", ["email"]],
  ["/reset", ["password", "token"]],
  ["/verify", ["token"]],
  ["/manage/account", ["intent", "name", "session"]],
  ["/manage/account/verify", ["redirectTo"]],
  ["/manage/account/data", ["x"]],
  ["/manage/account/passkeys", ["_id", "intent", "response"]],
  ["/manage/searches", ["_id"]],
  ["/manage/searches/new?q=iphone", ["name", "frequency"]],
  ["/manage/account/tokens", ["_id", "intent", "name", "scope", "days", "formKey"]],
  ["/login/passkey", ["response"]],
  ["/logout", ["x"]],
  ["/google", ["x"]],
];

test.each(forms)("no form posted to %s causes a 500", async (path, fields) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyField(fields), { maxLength: 8 }), async (entries) => {
      const body = new FormData();
      for (const [name, value] of entries) body.append(name, value);
      const response = await person.send(path.replace("PHONE", phoneId), {
        method: "POST",
        body,
        headers: { Origin: server.url },
      });
      expect(response.status).toBeLessThan(500);
    }),
    { numRuns: 8 },
  );
});

test("no URL causes a 500", async () => {
  const before = ["/products", "/android", "/manage", "/manage/users", "/login", "/reset", "/verify", ""];
  const parameters = ["after", "before", "page", "redirectTo", "_data", "index", "token"];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...before),
      anyText(),
      fc.constantFrom(...parameters),
      anyText(),
      async (path, segment, parameter, value) => {
        const tail = encodeURIComponent(wellFormed(segment).slice(0, 500));
        const query = encodeURIComponent(wellFormed(value).slice(0, 500));
        for (const address of [`${path}?${parameter}=${query}`, `${path}/${tail}?${parameter}=${query}`]) {
          const response = await person.get(address.startsWith("/") ? address : `/${address}`);
          expect(response.status, address).toBeLessThan(500);
        }
      },
    ),
    { numRuns: 20 },
  );
});
