import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mutations, type RateLimitName } from "#app/server/http/mutations.server.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import { validListing } from "../harness/listing-form.ts";
import { forms, prepareExample, writes } from "../harness/mutations/mutations.ts";
import { adminOf, type Person } from "../harness/mutations/records.ts";
import { readContract } from "../harness/openapi.ts";
import { pageRoutes } from "../harness/page-routes.ts";
import { addAccount, newAddress, password, startServer, visitor } from "../harness/server.ts";

// With a limit of one, the second request of an address is refused.
let server: LocalServer;
let admin: Person;
beforeAll(async () => {
  const started = await startServer({ maxRequests: 1 });
  // Passkeys do not work at an IP address.
  server = { ...started, url: started.url.replace("127.0.0.1", "localhost") };
  admin = await adminOf(server);
});
afterAll(() => server?.stop());

const tooMany = "Too many attempts. Try again in 1 minute.";
const nobody = { name: "Mia Sund", email: "nobody@example.com", password };
const id = "no-such-id";

/** A form that counts against each limit. */
const counted: Record<RateLimitName, { path: string; fields?: Record<string, string> }> = {
  LOGIN_LIMIT: { path: "/verify", fields: { intent: "disown" } },
  SIGN_UP_LIMIT: { path: "/signup", fields: nobody },
  RECOVERY_LIMIT: { path: "/forgot", fields: nobody },
  REPORT_LIMIT: { path: "/report", fields: { details: "Broken" } },
  BOOKING_LIMIT: { path: `/products/${id}/book`, fields: { address: "", phone: "" } },
  PUBLISH_LIMIT: { path: `/manage/mysells/${id}/edit`, fields: validListing },
  PHOTO_LIMIT: { path: `/manage/mysells/${id}/photos/upload` },
  MESSAGE_LIMIT: { path: "/manage/offers", fields: { intent: "accept", offer: id } },
  VIEW_LIMIT: { path: "/seen", fields: { id } },
  WRITE_LIMIT: { path: "/manage/saved", fields: { _id: id } },
};

/** Uses up a limit of an address. */
async function useUp(limit: RateLimitName, address: string) {
  const { path, fields } = counted[limit];
  const someone = visitor(server, address);
  if (path.startsWith("/manage") || path.startsWith("/products"))
    for (const [name, value] of admin.cookies) someone.cookies.set(name, value);
  const response = await someone.post(path, fields);
  expect([path, response.status === 429, response.headers.get("Retry-After")]).toEqual([path, false, null]);
}

/** Why a form with an action has no limit. */
const unlimited: Record<string, string> = {
  "/logout": "anyone may always log out",
  "/google": "stores nothing",
  "/payments/events": "the provider signs what it sends",
  "/manage/payments": "not found without a payment provider",
  "/manage/payouts": "not found without a payment provider",
  "/*": "stores nothing",
};

test("each route with an action has an example or a reason, and each of these a route", () => {
  const paths = pageRoutes.filter(({ hasAction }) => hasAction).map(({ path }) => path);
  const named = [...forms.map(({ form }) => form), ...Object.keys(unlimited)];
  expect([...new Set(named)].toSorted()).toEqual([...new Set(paths)].toSorted());
});

describe("too many attempts are refused:", { tags: ["slow"] }, () => {
  test.concurrent.each(forms)("$name on $form", async (example) => {
    const { mutation, refusal, typed, hasChallenge } = example;
    const { person, form, rows } = await prepareExample(server, example);
    if (!form) throw new Error("There is no form.");
    const address = newAddress();
    await useUp(mutations[mutation].limit, address);
    const before = await rows();
    // A challenge works once, so that it is what is limited.
    if (hasChallenge) form.fields.delete("response");
    const headers = { ...form.init.headers, "CF-Connecting-IP": address };
    const response = await person.send(form.path, { ...form.init, headers });
    const text = await response.text();
    expect([response.headers.get("Retry-After"), await rows()]).toEqual(["60", before]);
    if (refusal === "toast") {
      expect(response.status).toBe(303);
      const [flash = ""] = decodeURIComponent(person.cookies.get("__Host-flash") ?? "").split(".");
      expect(atob(flash)).toContain(tooMany);
      return;
    }
    expect(response.status).toBe(429);
    if (refusal === "script") expect(JSON.parse(text).result.error).toEqual({ "": [tooMany] });
    else expect(textOf(text)).toContain(tooMany);
    if (typed) expect(fieldValue(text, typed)).toBe(form.fields.get(typed));
    for (const [name, value] of form.fields) if (/password/i.test(name)) expect(text).not.toContain(value);
  });
});

test("a shop’s form that is refused keeps the opt-out, and what it showed", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const address = newAddress();
  const someone = visitor(server, address);
  await someone.signIn(seller.email);
  await useUp("WRITE_LIMIT", address);
  const shown = { "shown-shopText": "", "shown-inProductFeed": "yes" };
  const fields = { intent: "shop", account: seller.email, ...shown, shopText: "Hi", inProductFeed: "no" };
  const response = await someone.post("/manage/account", fields);
  const html = await response.text();
  expect(response.status).toBe(429);
  expect(
    tagsOf(html)
      .find(({ name, attributes }) => name === "option" && attributes.has("selected"))
      ?.attributes.get("value"),
  ).toBe("no");
  for (const [name, value] of Object.entries(shown)) expect(fieldValue(html, name)).toBe(value);
});

test("the second download of a table from an address is refused", async () => {
  const headers = { "CF-Connecting-IP": newAddress() };
  const [first, second] = [
    await admin.send("/manage/users.csv", { headers }),
    await admin.send("/manage/users.csv", { headers }),
  ];
  expect([first.status, second.status]).toEqual([200, 429]);
  expect(second.headers.get("Retry-After")).toBe("60");
  expect(second.headers.get("Content-Disposition")).toBeNull();
  expect(await second.text()).toBe(`${tooMany}\n`);
});

test("each write of the API has an example, and each example a write", async () => {
  const { operations } = await readContract(server);
  const described = operations.filter(({ method }) => method !== "GET");
  expect([...new Set(writes.map(({ rest }) => rest))].toSorted()).toEqual(
    described.map(({ method, template }) => `${method} ${template}`).toSorted(),
  );
});

describe("a page and the API share a limit:", () => {
  test.each(writes)("$rest of $name", async ({ rest, mutation }) => {
    const address = newAddress();
    await useUp(mutations[mutation].limit, address);
    const [method, template = ""] = rest.split(" ");
    const headers = { "CF-Connecting-IP": address };
    const response = await admin.send(template.replaceAll(/\{\w+\}/g, id), { method, headers });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await response.json()).toMatchObject({ detail: tooMany });
  });
});
