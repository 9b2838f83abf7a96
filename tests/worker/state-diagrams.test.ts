/** @module-tag slow */
import { readFile } from "node:fs/promises";
import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { ProblemKind } from "#app/db/enums.ts";
import { offers, orderProblems, orders, phones } from "#app/db/schema.ts";
import { carryOutDecisions } from "#app/features/order-problems/pending-decisions.server.ts";
import { selectOwnOffers } from "#app/features/orders/offers.server.ts";
import { handOver } from "#app/features/orders/order-steps.server.ts";
import { hourMs } from "#app/time.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import { addAccount, addPhone, sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const [ofOrders = [], ofProblems = [], ofOffers = []] = [
  ...(await readFile("docs/orders.md", "utf8")).matchAll(/stateDiagram-v2\n([\s\S]*?)```/g),
].map(([, diagram = ""]) => {
  const arrows = diagram.matchAll(/^ +(\S+) --> (\w+):/gm);
  return [...new Set([...arrows].map(([, from, to]) => `${from} --> ${to}`))].toSorted();
});

type Account = NonNullable<Parameters<typeof addAccount>[1]>;
const details = { address: "1 Quay Street", phone: "555 0100" };

/** People who submit forms as pages do, and the arrows that they have walked. */
function walker(javaScript: "off" | "on") {
  const walked = new Set<string>();

  async function someone(account: Account = {}) {
    const row = await addAccount(server.db, account);
    const person = visitor(server);
    await person.signIn(row.email);
    return {
      row,
      async post(path: string, fields: Record<string, string>) {
        const response = await person.post(javaScript === "on" ? dataPath(path) : path, fields);
        await response.arrayBuffer();
        // A data request is redirected by a header.
        expect(response.status).toBe(javaScript === "on" ? 204 : 303);
      },
    };
  }
  type Person = Awaited<ReturnType<typeof someone>>;

  async function walk(stateOf: () => Promise<string>, act: () => Promise<unknown>) {
    const nameOf = async () => (await stateOf()).replace(" ", "_");
    const before = await nameOf();
    await act();
    const after = await nameOf();
    walked.add(`${before} --> ${after}`);
    return after;
  }

  async function sides() {
    const [seller, buyer] = [await someone({ userType: "Seller" }), await someone()];
    const phone = await addPhone(server.db, { sellerId: seller.row.id, sellingCents: 40_000 });
    return { seller, buyer, phone, bookPath: `/products/${phone.id}/book` };
  }

  async function order(admin: Person) {
    const { seller, buyer, phone, bookPath } = await sides();
    const find = async () =>
      (await server.db.select().from(orders).where(eq(orders.phoneId, phone.id))).at(0);
    const stateOf = async () => {
      const row = await find();
      return row?.status === "cancelled" ? "cancelled" : (row?.stage ?? "[*]");
    };
    expect(await walk(stateOf, () => buyer.post(bookPath, details))).toBe("reserved");
    const page = `/manage/orders/${(await find())?.id}`;
    const people = { seller, buyer, administrator: admin };
    return {
      act: (who: keyof typeof people, intent: string) =>
        walk(stateOf, () => people[who].post(page, { intent, reason: "Both sides asked." })),
      async undo(who: keyof typeof people) {
        const removal = { _id: (await find())?.removalId ?? "", redirectTo: page };
        return walk(stateOf, () => people[who].post("/manage/undo", removal));
      },
      wait: () =>
        walk(stateOf, async () => {
          const isOrder = eq(orders.phoneId, phone.id);
          await server.db
            .update(orders)
            .set({ deadlineAt: new Date(0) })
            .where(isOrder);
          await server.tick();
        }),
    };
  }

  async function problem(moderator: Person, by: "buyer" | "seller", kind: ProblemKind) {
    const { seller, buyer, phone } = await sides();
    const { orderId = "" } = await bookWithoutLimits(server.db, buyer.row, phone.id, details);
    await handOver(server.db, seller.row, orderId);
    const page = `/manage/orders/${orderId}/problem`;
    const find = async () =>
      (await server.db.select().from(orderProblems).where(eq(orderProblems.orderId, orderId))).at(0);
    const stateOf = async () => (await find())?.state ?? "[*]";
    const people = by === "buyer" ? { opener: buyer, other: seller } : { opener: seller, other: buyer };
    await walk(stateOf, () => people.opener.post(page, { intent: "open", kind, text: "See the photos." }));
    const answer = (who: keyof typeof people, fields: Record<string, string>) =>
      walk(stateOf, () => people[who].post(page, { intent: "answer", ...fields }));
    return {
      answer,
      offer: (offer = "something else") => answer("other", { answer: "offer", offer, text: "By Friday." }),
      async decide(decision: string) {
        const path = `/manage/problems/${(await find())?.id}`;
        return walk(stateOf, async () => {
          const fields = { decision, confirmed: `${decision} handed over`, reason: "Both have said enough." };
          await moderator.post(path, fields);
          await carryOutDecisions(server.db, new Date(Date.now() + hourMs));
        });
      },
      wait: () =>
        walk(stateOf, async () => {
          await server.db
            .update(orderProblems)
            .set({ deadlineAt: new Date(0) })
            .where(eq(orderProblems.orderId, orderId));
          await server.tick();
        }),
    };
  }

  async function offer(another: Person) {
    const { seller, buyer, phone, bookPath } = await sides();
    const idOfNewest = async () => {
      const made = server.db.select().from(offers).where(eq(offers.phoneId, phone.id));
      return (await made.orderBy(desc(offers.id)).limit(1)).at(0)?.id;
    };
    const stateOf = async (id: string | undefined) =>
      (await selectOwnOffers(server.db, seller.row, null, 10)).find((row) => row.id === id)?.state ?? "[*]";
    const newest = async () => stateOf(await idOfNewest());
    const made = { intent: "offer", amount: "300" };
    expect(await walk(newest, () => buyer.post(`/phones/${phone.id}/offer`, made))).toBe("pending");
    const id = await idOfNewest();
    const people = { seller, buyer, another };
    const during = (act: () => Promise<unknown>) => walk(() => stateOf(id), act);
    return {
      newest,
      answer: (who: keyof typeof people, intent: string) =>
        during(() => people[who].post("/manage/offers", { offer: id ?? "", intent, amount: "350" })),
      book: (who: keyof typeof people) => during(() => people[who].post(bookPath, details)),
      takeDown: () => during(() => seller.post("/manage/mysells", { _id: phone.id })),
      async putBack() {
        const [row] = await server.db.select().from(phones).where(eq(phones.id, phone.id));
        const removal = { _id: row?.hiddenById ?? "", redirectTo: "/manage/mysells" };
        return during(() => seller.post("/manage/undo", removal));
      },
      wait: () =>
        during(() =>
          server.db
            .update(offers)
            .set({ expiresAt: new Date(0), usableUntil: new Date(0) })
            .where(eq(offers.phoneId, phone.id)),
        ),
    };
  }
  return { walked: () => [...walked].toSorted(), someone, order, problem, offer };
}

for (const javaScript of ["off", "on"] as const) {
  test(`every arrow of an order is walked with JavaScript ${javaScript}`, async () => {
    const { walked, someone, order } = walker(javaScript);
    const admin = await someone({ userType: "Admin" });
    for (const who of ["buyer", "seller", "administrator"] as const) {
      const { act, undo, wait } = await order(admin);
      expect(await act(who, "cancel")).toBe("cancelled");
      expect(await undo(who)).toBe("reserved");
      await act("seller", "hand over");
      const isAdministrator = who === "administrator";
      expect(await (isAdministrator ? act(who, "cancel") : wait())).toBe(
        isAdministrator ? "cancelled" : "received",
      );
    }
    const { act } = await order(admin);
    expect(await act("seller", "hand over")).toBe("handed_over");
    expect(await act("seller", "undo handover")).toBe("reserved");
    await act("seller", "hand over");
    expect(await act("buyer", "receive")).toBe("received");
    expect(await act("buyer", "undo receipt")).toBe("handed_over");
    const { wait } = await order(admin);
    expect(await wait()).toBe("cancelled");
    expect(walked()).toEqual(ofOrders);
  });

  test(`every arrow of a problem is walked with JavaScript ${javaScript}`, async () => {
    const { walked, someone, problem } = walker(javaScript);
    const moderator = await someone({ moderatorSince: new Date() });
    const open = (by: "buyer" | "seller" = "buyer") =>
      problem(moderator, by, by === "buyer" ? "not as described" : "not paid");
    const declined = await open();
    expect(await declined.offer()).toBe("offered");
    expect(await declined.answer("opener", { answer: "decline" })).toBe("open");
    expect(await declined.answer("opener", { answer: "close" })).toBe("solved");
    for (const [offer, end] of Object.entries({ repair: "solved", return: "returned" })) {
      const taken = await open();
      await taken.offer(offer);
      expect(await taken.answer("opener", { answer: "accept" })).toBe(end);
    }
    const closed = await open("seller");
    await closed.offer();
    expect(await closed.answer("opener", { answer: "close" })).toBe("solved");
    for (const isOffered of [false, true]) {
      const [byOpener, byOther, late] = [await open(), await open("seller"), await open()];
      if (isOffered) for (const each of [byOpener, byOther, late]) await each.offer();
      expect(await byOpener.answer("opener", { answer: "ask" })).toBe("with_moderators");
      expect(await byOther.answer("other", { answer: "ask" })).toBe("with_moderators");
      expect(await late.wait()).toBe("with_moderators");
      if (isOffered) expect(await byOpener.answer("opener", { answer: "close" })).toBe("solved");
      else expect(await byOpener.decide("solved")).toBe("solved");
      expect(await byOther.decide("returned")).toBe("returned");
      expect(await late.decide("refused")).toBe("refused");
    }
    expect(walked()).toEqual(ofProblems);
  });

  test(`every arrow of an offer is walked with JavaScript ${javaScript}`, async () => {
    const { walked, someone, offer } = walker(javaScript);
    const another = await someone();
    for (const [by, intent, state] of [
      ["seller", "accept", "accepted"],
      ["seller", "refuse", "refused"],
      ["buyer", "withdraw", "withdrawn"],
      ["seller", "counter", "countered"],
    ] as const) {
      const { answer, newest, book } = await offer(another);
      expect(await answer(by, intent)).toBe(state);
      if (state === "countered") expect(await newest()).toBe("pending");
      if (state === "accepted") expect(await book("buyer")).toBe("booked");
    }
    for (const isAccepted of [false, true]) {
      const [lost, late, removed] = [await offer(another), await offer(another), await offer(another)];
      if (isAccepted) for (const each of [lost, late, removed]) await each.answer("seller", "accept");
      expect(await lost.book("another")).toBe("gone");
      expect(await removed.takeDown()).toBe("gone");
      expect(await removed.putBack()).toBe(isAccepted ? "accepted" : "pending");
      await removed.takeDown();
      for (const each of [late, removed]) expect(await each.wait()).toBe(isAccepted ? "unused" : "lapsed");
    }
    expect(walked()).toEqual(ofOffers);
  });
}
