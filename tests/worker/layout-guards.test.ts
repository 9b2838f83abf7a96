import { beforeAll, expect, test } from "vitest";
import type { Role } from "#app/db/enums.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { addAccount, addPhone, sharedServer, type Visitor, visitor } from "../harness/server.ts";

type ClientRole = "Buyer" | "Seller" | "Admin" | "nobody" | "Publishing buyer";

let server: LocalServer;
let clients: Record<ClientRole, Visitor>;
beforeAll(async () => {
  server = await sharedServer();
  clients = {
    nobody: visitor(server),
    Buyer: await signedIn("Buyer"),
    "Publishing buyer": await publishingBuyer(),
    Seller: await signedIn("Seller"),
    Admin: await signedIn("Admin"),
  };
});

async function signedIn(userType: Role): Promise<Visitor> {
  const someone = visitor(server);
  await someone.signIn((await addAccount(server.db, { userType })).email);
  return someone;
}

async function publishingBuyer(): Promise<Visitor> {
  const { id, email } = await addAccount(server.db);
  await addPhone(server.db, { sellerId: id });
  const someone = visitor(server);
  await someone.signIn(email);
  return someone;
}

test("the drawer and the navigation bar show the links of each role", async () => {
  const links = async (role: ClientRole, page: string) =>
    [...(await (await clients[role].get(page)).text()).matchAll(/href="(\/manage[^"]*|\/login)"/g)].map(
      ([, href]) => href,
    );
  const drawer = async (role: ClientRole) => [...new Set(await links(role, "/manage"))];
  const pagesOfAll = [
    "/manage/messages",
    "/manage/offers",
    "/manage/notifications",
    "/manage/saved",
    "/manage/searches",
    "/manage/account",
  ];
  expect(await drawer("Buyer")).toEqual(["/manage", ...pagesOfAll]);
  expect(await drawer("Publishing buyer")).toEqual(["/manage", "/manage/mysells", ...pagesOfAll]);
  expect(await drawer("Seller")).toEqual(["/manage", "/manage/mysells", ...pagesOfAll]);
  expect(await drawer("Admin")).toEqual(
    expect.arrayContaining([
      "/manage",
      "/manage/mysells",
      "/manage/work",
      "/manage/users",
      "/manage/sellers",
      "/manage/reports",
      "/manage/orders",
      "/manage/listings",
      ...pagesOfAll,
    ]),
  );
  // "Add Review" leads to one's orders.
  expect(new Set(await links("nobody", "/"))).toEqual(new Set(["/login", "/manage"]));
  expect(new Set(await links("Buyer", "/"))).toEqual(new Set(["/manage"]));
});
