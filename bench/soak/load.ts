import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { seedDemoData } from "../../scripts/demo/seed.ts";
import { addAccount, addPhone, password } from "../../tests/harness/fixtures.ts";
import { picture } from "../../tests/harness/images.ts";
import { type Visitor, visitor } from "../../tests/harness/visitor.ts";
import { listUrl } from "../list-combinations.ts";
import { percentile } from "../statistics.ts";
import { type Market, memoryOf, openMarket } from "./market.ts";
import type { PartOptions, PartResult } from "./part.ts";
import { type Answer, answerOf, callApi } from "./responses.ts";

const runsPerSecond = 5;
/** Those of ten minutes. */
const runsOfWindow = 10 * 60 * runsPerSecond;
const runsBetweenSamples = 10 * runsPerSecond;
const buyerCount = 20;
const maxGrowthKb = 64 * 1024;
const maxSlowdown = 1.1;

/**
 * An hour of reads, searches, bookings, messages and uploads at a fixed pace, whether or not earlier ones have been
 * answered. All succeed; after ten minutes the Worker takes no more memory, and answers become no slower.
 */
export async function load(options: PartOptions): Promise<PartResult> {
  const { backend = "D1", buildFolder, seed } = options;
  // A few buyers send what many would in an hour.
  const bindings = { EDGE_CACHE_SECONDS: "60", MAX_MESSAGES_A_DAY: "999999" };
  const market = await openMarket({ backend, buildFolder, bindings });
  const acts = Object.entries(await prepareActs(market, seed));
  const failures: string[] = [];
  const times: number[] = [];
  /** In kilobytes. */
  const memory: number[] = [];
  const underWay: Promise<void>[] = [];
  const start = performance.now();
  let runs = 0;
  while (runs < options.runs && Date.now() < options.until && failures.length < 10) {
    const run = runs;
    const due = start + (run * 1000) / runsPerSecond;
    await pause(due - performance.now());
    if (run % runsBetweenSamples === 0) memory.push(memoryOf(market.pid));
    const [name, act] = acts[run % acts.length] as (typeof acts)[number];
    const answered = act().then(({ status, text }) => {
      times[run] = performance.now() - due;
      if (status !== 200) throw new Error(`${status} ${text.slice(0, 300)}`);
    });
    underWay.push(
      answered.catch((error) => void failures.push(`run ${run} of seed ${seed}, ${name}: ${error}`)),
    );
    runs += 1;
  }
  await Promise.all(underWay);
  failures.push(...market.errors.slice(0, 10));
  await market.stop();

  // Shorter loads say nothing of the rest.
  if (runs < 2 * runsOfWindow) return { runs, failures };
  const [first = 0, last = 0] = [times.slice(0, runsOfWindow), times.slice(-runsOfWindow)].map((window) =>
    Math.round(percentile(window, 0.99)),
  );
  if (last > maxSlowdown * first) failures.push(`99 % within ${first} ms became ${last} ms`);
  const [warm = 0, ...later] = memory.slice(runsOfWindow / runsBetweenSamples);
  const growth = Math.max(...later) - warm;
  if (growth > maxGrowthKb) failures.push(`memory of ${warm} KB grew by ${growth} KB`);
  const notes = `(${backend}; 99 % within ${first} ms in the first ten minutes, ${last} ms in the last; ${warm} KB after ten minutes, then at most ${growth} KB more)`;
  return { runs, failures, notes };
}

/** What people do, each as often. */
async function prepareActs(market: Market, seed: number): Promise<Record<string, () => Promise<Answer>>> {
  const { db } = market;
  await seedDemoData(db);
  const guest = visitor(market);
  const seller = await logIn(market, { userType: "Seller" });
  const buyers: Visitor[] = [];
  while (buyers.length < buyerCount) buyers.push((await logIn(market)).visitor);
  const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
  const lists = fc.sample(listUrl, { seed, numRuns: 1000 });
  const next = counter();
  const buyer = () => buyers[next() % buyers.length] as Visitor;
  const json = (answer: Answer) => JSON.parse(answer.text) as { insertedId: string };

  return {
    home: () => answerOf(guest.get("/")),
    list: () => answerOf(buyer().get("/products")),
    search: () => answerOf(guest.get(lists[next() % lists.length] ?? "")),
    listing: () => answerOf(guest.get(`/phones/${phoneId}`)),
    async booking() {
      const { id } = await addPhone(db, { sellerId: seller.id });
      return callApi(buyer(), "POST", "/bookings", {
        phoneId: id,
        buyerAddress: "1 Quay Street",
        phone: "555 0100",
      });
    },
    orders: () => answerOf(buyer().get("/manage")),
    message: () => callApi(buyer(), "POST", "/messages", { phoneId, text: `Is it scratched? (${next()})` }),
    async upload() {
      const background = `#${(next() % 0xffffff).toString(16).padStart(6, "0")}`;
      const body = new Uint8Array(await picture("jpeg", { width: 1600, height: 1200, background }));
      const headers = { "Content-Type": "image/jpeg" };
      const path = `/phones/photos/${phoneId}`;
      const added = await answerOf(seller.visitor.send(path, { method: "POST", body, headers }));
      return added.status === 200
        ? callApi(seller.visitor, "DELETE", `${path}/${json(added).insertedId}`)
        : added;
    },
  };
}

async function logIn(market: Market, account: Parameters<typeof addAccount>[1] = {}) {
  const { id, email } = await addAccount(market.db, account);
  const person = visitor(market);
  await person.logIn(email, password);
  return { id, visitor: person };
}

function counter() {
  let count = 0;
  return () => {
    count += 1;
    return count;
  };
}
