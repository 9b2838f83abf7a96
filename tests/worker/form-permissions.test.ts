import { beforeAll, describe, expect, test } from "vitest";
import { dataPath } from "../harness/data-path.ts";
import { forgedFields, isForged, namesHidden } from "../harness/mutations/forged-fields.ts";
import { forms, type MutationRequest, prepareExample } from "../harness/mutations/mutations.ts";
import { addPerson, type Person } from "../harness/mutations/records.ts";
import { pageRoutes } from "../harness/page-routes.ts";
import { allRows } from "../harness/personal-traces.ts";
import { admin, roleAccounts, signInEachRole, type Who, whoMay, whos } from "../harness/roles.ts";
import {
  addAccount,
  addPhone,
  sharedServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
let people: Record<Who, Visitor>;
let accounts: Awaited<ReturnType<typeof signInEachRole>>["accounts"];
/** Whose id and address each form has in fields that nothing asks for. */
let hidden: Awaited<ReturnType<typeof addAccount>>;
let hiddenRows: string[];

const rowsOfHidden = async () => (await allRows(server.db)).filter((row) => namesHidden(row, hidden));

beforeAll(async () => {
  const shared = await sharedServer();
  // Passkeys do not work at an IP address.
  server = { ...shared, url: shared.url.replace("127.0.0.1", "localhost") };
  ({ people, accounts, hidden } = await signInEachRole(server));
  hiddenRows = await rowsOfHidden();
});

const accessOf = new Map(pageRoutes.map(({ path, access }) => [path, access]));
/** Public forms are for those who have a link or a password. */
const guardedForms = forms.filter(({ form, triedOnce }) => accessOf.get(form) !== "anyone" && !triedOnce);

describe.each(guardedForms)("$name on $form", (example) => {
  const { of, refused, isRead } = example;
  const entering = whoMay(accessOf.get(example.form) ?? "");
  const allowed =
    of === undefined ? entering : of === "owner" ? [] : entering.filter((who) => admin.includes(who));
  const prepare = (by?: Person) =>
    prepareExample(server, example, by, { ...forgedFields(hidden), price: "1", priceCents: "1" });

  /** What those who may not change it post to; each of the others has a target of their own. */
  let protectedTarget: ReturnType<typeof prepare> | undefined;
  async function targetFor(who: Who) {
    if (!allowed.includes(who) || who === "anonymous") {
      protectedTarget ??= prepare();
      return { ...(await protectedTarget), person: people[who] };
    }
    const person = await addPerson(server, roleAccounts[who]);
    return { ...(await prepare(person)), person };
  }

  /** Sends the form, which takes effect or not. */
  async function submit(
    { person, form, rows }: Awaited<ReturnType<typeof targetFor>>,
    isAllowed: boolean,
    path = (request: MutationRequest) => request.path,
  ) {
    if (!form) throw new Error("There is no form.");
    const before = await rows();
    const response = await person.send(path(form), form.init);
    const after = await rows();
    expect(after !== before).toBe(isAllowed && !isRead);
    if (isAllowed) expect(isForged(after, hidden, person)).toBe(false);
    return response;
  }

  test.concurrent.each(whos)("by %s", async (who) => {
    const isAllowed = allowed.includes(who);
    const response = await submit(await targetFor(who), isAllowed);
    const location = response.headers.get("Location") ?? "";
    if (!entering.includes(who)) {
      // 303 if the post ended a session that was no longer valid.
      expect(response.status).toBeOneOf(who === "removed" ? [302, 303] : [302]);
      expect(location).toMatch(/^\/login\?redirectTo=/);
    } else {
      expect(response.status).toBeOneOf(isAllowed ? [200, 201, 303] : [refused?.form ?? 404]);
      if (response.status === 303) expect(location).toMatch(/^\/(?!login)/);
    }
  });

  // In suites of their own, so that nobody sends both at once.
  describe("as a data request", { tags: ["slow"] }, () =>
    test.concurrent.each(["anonymous", "buyer", "admin"] as const)("by %s", async (who) => {
      const isAllowed = allowed.includes(who);
      const response = await submit(await targetFor(who), isAllowed, ({ path }) => dataPath(path));
      const isBlind = entering.includes(who) && !isAllowed && !refused?.form;
      expect(response.status).toBeOneOf(isBlind ? [404] : isAllowed ? [200, 201, 204] : [204]);
      const location = response.headers.get("X-Remix-Redirect") ?? "";
      expect(location.startsWith("/login?redirectTo=")).toBe(!entering.includes(who));
    }),
  );

  describe.runIf(of?.startsWith("owner"))("after the others", () =>
    test("by the owner", async () => {
      const response = await submit(await (protectedTarget ?? prepare()), true);
      expect(response.status).toBeOneOf([200, 201, 303]);
    }),
  );
});

test("nothing was done for the person whom the forms name", async () => {
  expect(await rowsOfHidden()).toEqual(hiddenRows);
});

test("a buyer who has published deletes their own listings only, and keeps My Sellings to undo it", async () => {
  const { id, email } = await addAccount(server.db);
  const buyer = visitor(server);
  await buyer.signIn(email);
  expect((await buyer.get("/manage/mysells")).status).toBe(302);
  const own = await addPhone(server.db, { sellerId: id, model: "Sideline" });
  const other = await addPhone(server.db, { model: "Of a stranger" });
  const listed = await (await buyer.get("/manage/mysells")).text();
  expect(listed).toContain("Sideline");
  expect(listed).not.toContain("Of a stranger");
  expect(listed).not.toContain("You’re not verified yet");
  await buyer.post("/manage/mysells", { _id: other.id });
  expect(await (await buyer.get("/manage/mysells")).text()).not.toContain("Post Deleted");
  await buyer.post("/manage/mysells", { _id: own.id });
  const emptied = await (await buyer.get("/manage/mysells")).text();
  expect(emptied).toContain("Post Deleted");
  expect(emptied).toContain("Undo");
});

test("My Sellings always offers to add a phone, and tells sellers that they are not verified yet", async () => {
  for (const [who, verified] of [
    ["seller", false],
    ["verified seller", true],
    ["admin", true],
  ] as const) {
    await addPhone(server.db, { sellerId: accounts[who].id });
    const page = await (await people[who].get("/manage/mysells")).text();
    expect(page).toContain("Add a phone");
    expect([who, page.includes("You’re not verified yet")]).toEqual([who, !verified]);
  }
});

test("a seller deletes their own listing, and a second deletion shows no success", async () => {
  const own = await addPhone(server.db, { sellerId: accounts.seller.id });
  const response = await people.seller.post("/manage/mysells", { _id: own.id });
  expect(response.status).toBe(303);
  expect(await (await people.seller.get("/manage/mysells")).text()).toContain("Post Deleted");
  await people.seller.post("/manage/mysells", { _id: own.id });
  expect(await (await people.seller.get("/manage/mysells")).text()).not.toContain("Post Deleted");
});
