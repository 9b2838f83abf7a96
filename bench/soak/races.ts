import { inspect } from "node:util";
import { and, eq } from "drizzle-orm";
import fc from "fast-check";
import { offers, orders } from "#app/db/schema.ts";
import { answerOffer, makeOffer } from "#app/features/orders/offers.server.ts";
import { dataPath } from "../../tests/harness/data-path.ts";
import { addAccount, addPhone, password } from "../../tests/harness/fixtures.ts";
import { validListing } from "../../tests/harness/listing-form.ts";
import { addPerson, type Person, reportListing } from "../../tests/harness/mutations/records.ts";
import { visitor } from "../../tests/harness/visitor.ts";
import { findViolations } from "./invariants.ts";
import { type Market, openMarket } from "./market.ts";
import { type Backend, onBothBackends, type PartOptions, type PartResult } from "./part.ts";
import { type Booking, type Disturbance, maxBuyers, type Race, race } from "./race-plan.ts";
import { type Answer, acknowledgedOrder, callApi, postForm } from "./responses.ts";

/** A new database after so many, so that counting everything again stays quick. */
const racesPerMarket = 250;

/** What the first buyer offers for a listing. */
const offeredCents = 25_000;
const editedCents = 30_000;

/** Many buyers book one phone at once, while it is edited, removed and restored, and offers and deadlines end. */
export const races = onBothBackends(async (backend, options): Promise<PartResult> => {
  const failures: string[] = [];
  let runs = 0;
  let requests = 0;
  let unanswered = 0;
  while (runs < options.runs && Date.now() < options.until) {
    const market = await openMarket({ backend, buildFolder: options.buildFolder });
    const people = await addPeople(market);
    for (let number = 0; number < racesPerMarket; number += 1) {
      if (runs >= options.runs || Date.now() >= options.until) break;
      const [planned] = fc.sample(race, { seed: options.seed + runs, numRuns: 1 });
      if (!planned) break;
      requests += planned.bookings.length;
      const result = await runRace(market, people, planned).catch((error) => ({
        wrong: [inspect(error)],
        unanswered: 0,
      }));
      unanswered += result.unanswered;
      failures.push(...result.wrong.map((what) => describe(backend, options, runs, what, planned)));
      runs += 1;
      if (failures.length >= 10) break;
    }
    await market.stop();
    if (failures.length >= 10) break;
  }
  return { runs, failures, notes: `(${requests} bookings, ${unanswered} timeouts)` };
});

function describe(backend: Backend, { seed }: PartOptions, number: number, what: string, planned: Race) {
  return `${backend}, race ${number} of seed ${seed}: ${what}\n  ${JSON.stringify(planned)}`;
}

interface People {
  buyers: Person[];
  admin: Person;
}

async function addPeople(market: Market): Promise<People> {
  const admin = await addPerson(market, { userType: "Admin" });
  const buyers: Person[] = [];
  for (let count = 0; count < maxBuyers; count += 1) buyers.push(await addPerson(market));
  return { buyers, admin };
}

/** Runs a race and checks its result. */
async function runRace(market: Market, people: People, planned: Race) {
  const { db } = market;
  const seller = await addSeller(market, planned);
  const listing = await addPhone(db, { sellerId: seller.account.id });
  // So that an administrator can decide about it.
  if (planned.disturbances.length > 0) await reportListing(market, listing.id);
  const buyers = await chooseBuyers(market, people, planned);
  const [first] = buyers;
  const offer = { amountCents: offeredCents, text: "", formKey: null };
  const made = first && hasOffer(planned) ? await makeOffer(db, first.account, listing.id, offer) : null;
  // What ends was accepted before.
  if (made?.offerId && planned.disturbances.some(({ what }) => what === "offer ends"))
    await answerOffer(db, seller.account, made.offerId, "accepted");
  const wrong: string[] = [];
  /** Requests that the database did not answer in time: they may have been done or not. */
  const unanswered = new Set<string>();
  const check = (answer: Answer, who: string) => {
    if (answer.status === 503) unanswered.add(who);
    else if (answer.status >= 500) wrong.push(`${who}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  };
  const manage = async (person: Person, path: string, fields: Record<string, string>) =>
    check(await postForm(person, path, fields), `${path} ${fields.intent ?? ""}`);

  async function undo(person: Person, { toast }: Answer) {
    if (toast?.undo) await manage(person, "/manage/undo", { _id: toast.undo });
  }

  async function book(index: number, { way, twice, delayMs, next }: Booking): Promise<string[]> {
    const buyer = buyers[index] as Person;
    await pause(delayMs);
    const details = { address: `${index} Harbour Street`, phone: "555 0100" };
    const key = crypto.randomUUID();
    const path = `/products/${listing.id}/book`;
    const send = () => {
      if (way !== "API") return postForm(buyer, way === "form" ? path : dataPath(path), details);
      const body = { phoneId: listing.id, buyerAddress: details.address, phone: details.phone };
      return callApi(buyer, "POST", "/bookings", body, { "Idempotency-Key": key });
    };
    const answers = await Promise.all([send(), ...(twice ? [send()] : [])]);
    for (const answer of answers) check(answer, `buyer ${index}`);
    const orders = [...new Set(answers.map(acknowledgedOrder).filter((id) => id !== null))];
    const [orderId] = orders;
    if (orderId) await follow(buyer, orderId, next);
    return orders;
  }

  async function follow(buyer: Person, orderId: string, next: Booking["next"]) {
    const page = `/manage/orders/${orderId}`;
    if (next === "cancel") await manage(buyer, page, { intent: "cancel" });
    if (next === "cancel and undo") await undo(buyer, await manage(buyer, page, { intent: "cancel" }));
    if (next === "change delivery")
      await manage(buyer, page, { intent: "delivery", address: "2 Quay Street", phone: "1" });
    if (next === "report") {
      const report = { intent: "open", kind: "not arrived", text: "Nothing came." };
      await manage(buyer, `${page}/problem`, { ...report, account: buyer.account.email });
    }
    if (next === "complete") {
      await manage(seller, page, { intent: "hand over" });
      await manage(buyer, page, { intent: "receive" });
    }
  }

  const edit = (changes: Record<string, string>) => {
    const { brandName, model, ram, rom } = listing;
    const fields = { ...validListing, brandName, model, ram, rom, ...changes };
    return manage(seller, `/manage/mysells/${listing.id}/edit`, fields);
  };
  const close = (person = seller) => manage(person, "/manage/account", { intent: "close", password });
  const remove = async (person: Person, path: string) => check(await callApi(person, "DELETE", path), path);

  /** @param confirmed what the form would ask first */
  const decide = (decision: string, confirmed = decision) =>
    manage(people.admin, `/manage/moderation/listing/${listing.id}`, { reason: "Spam", decision, confirmed });

  const disturb: Record<Disturbance, () => Promise<unknown>> = {
    "edit price": () => edit({ sellingPrice: String(editedCents / 100) }),
    "edit model": () => edit({ model: `${listing.model} Pro`, condition: "Good" }),
    "accept offer": () => manage(seller, "/manage/offers", { intent: "accept", offer: made?.offerId ?? "" }),
    "offer ends": () =>
      db
        .update(offers)
        .set({ expiresAt: new Date(1), usableUntil: new Date(1) })
        .where(eq(offers.phoneId, listing.id)),
    "remove listing": () => remove(seller, `/phones/delete/${listing.id}`),
    "remove listing and undo": async () =>
      undo(seller, await manage(seller, "/manage/mysells", { _id: listing.id })),
    "close seller's account": () => close(),
    "close buyer's account": () => close(buyers[0]),
    "delete seller": () => remove(people.admin, `/users/delete/${seller.account.id}`),
    "delete seller and undo": async () =>
      undo(
        people.admin,
        await manage(people.admin, "/manage/users", { _id: seller.account.id, intent: "delete" }),
      ),
    async "administrator cancels"() {
      const active = and(eq(orders.phoneId, listing.id), eq(orders.status, "active"));
      const [order] = await db.select({ id: orders.id }).from(orders).where(active);
      if (order) await remove(people.admin, `/bookings/delete/${order.id}`);
    },
    // Two runs of the jobs at once end each order once.
    async "deadlines pass"() {
      await db
        .update(orders)
        .set({ deadlineAt: new Date(1) })
        .where(eq(orders.phoneId, listing.id));
      await Promise.all([market.tick(), market.tick()]);
    },
    "hide listing": () => decide("hide"),
    "hide listing and undo": async () => undo(people.admin, await decide("hide")),
    "remove listing for good": () => decide("remove"),
    "suspend seller": () => decide("suspend", "suspend 7"),
    "suspend seller and undo": async () => undo(people.admin, await decide("suspend", "suspend 7")),
  };

  const [acknowledged] = await Promise.all([
    Promise.all(planned.bookings.map((booking, index) => book(index, booking))),
    Promise.all(planned.disturbances.map(({ what, delayMs }) => pause(delayMs).then(disturb[what]))),
  ]);

  const stored = await db
    .select({ id: orders.id, buyerId: orders.buyerId, priceCents: orders.priceCents })
    .from(orders)
    .where(eq(orders.phoneId, listing.id));
  for (const { id, buyerId, priceCents } of stored) {
    const own = made && buyerId === first?.account.id ? [offeredCents] : [];
    if (![listing.sellingCents, editedCents, ...own].includes(priceCents))
      wrong.push(`order ${id} has the price ${priceCents}`);
  }
  for (const [index, buyer] of buyers.entries()) {
    const own = stored.filter(({ buyerId }) => buyerId === buyer.account.id).map(({ id }) => id);
    const reported = acknowledged[index] ?? [];
    const isRight = unanswered.has(`buyer ${index}`)
      ? reported.every((id) => own.includes(id))
      : own.toSorted().join() === reported.toSorted().join();
    if (!isRight) wrong.push(`buyer ${index} got the orders [${reported}], stored are [${own}]`);
  }
  if (planned.disturbances.length === 0 && unanswered.size === 0 && stored.length === 0)
    wrong.push("nobody got the phone");
  return { wrong: [...wrong, ...(await findViolations(db))], unanswered: unanswered.size };
}

/** A new seller, logged in if the race needs it. */
async function addSeller(market: Market, { bookings, disturbances }: Race): Promise<Person> {
  const acts = disturbances.length > 0 || bookings.some(({ next }) => next === "complete");
  if (acts) return addPerson(market, { userType: "Seller" });
  return { ...visitor(market), account: await addAccount(market.db, { userType: "Seller" }) };
}

const hasOffer = ({ disturbances }: Race) =>
  disturbances.some(({ what }) => what === "accept offer" || what === "offer ends");

/** As many buyers as the race has; the first is new if it closes its account or makes an offer. */
async function chooseBuyers(market: Market, { buyers }: People, planned: Race): Promise<Person[]> {
  const chosen = buyers.slice(0, planned.bookings.length);
  const closes = planned.disturbances.some(({ what }) => what === "close buyer's account");
  return closes || hasOffer(planned) ? [await addPerson(market), ...chosen.slice(1)] : chosen;
}

const pause = (ms: number) => new Promise((resolve) => (ms ? setTimeout(resolve, ms) : resolve(undefined)));
