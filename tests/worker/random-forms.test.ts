/** @module-tag slow */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { LocalServer } from "../../scripts/local-server.ts";
import { anyField, anyText, wellFormed } from "../harness/arbitraries.ts";
import { forms, prepareExample } from "../harness/mutations/mutations.ts";
import { addAccount, sharedServer, type Visitor, visitor } from "../harness/server.ts";

let server: LocalServer;
let person: Visitor;

beforeAll(async () => {
  const shared = await sharedServer();
  // Passkeys do not work at an IP address.
  server = { ...shared, url: shared.url.replace("127.0.0.1", "localhost") };
  const admin = await addAccount(server.db, { userType: "Admin" });
  person = visitor(server);
  await person.signIn(admin.email);
});

/** Posts random fields to a path. */
async function postAnything(sender: Visitor, path: string, names: string[]) {
  await fc.assert(
    fc.asyncProperty(fc.array(anyField(names), { maxLength: 8 }), async (entries) => {
      const body = new FormData();
      for (const [name, value] of entries) body.append(name, value);
      const response = await sender.send(path, { method: "POST", body, headers: { Origin: server.url } });
      expect(response.status).toBeLessThan(500);
    }),
    { numRuns: 8 },
  );
}

test.each(forms)("no form posted to $form, as for $name, causes a 500", async (example) => {
  const { person: sender, form } = await prepareExample(server, example);
  if (!form) throw new Error("There is no form.");
  await postAnything(sender, form.path, [...form.fields.keys(), "_id", "redirectTo", "token"]);
});

test.each(["/logout", "/google"])("no form posted to %s causes a 500", (path) =>
  postAnything(person, path, ["x"]),
);

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
