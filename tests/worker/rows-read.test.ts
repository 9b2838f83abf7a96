/** @module-tag slow */
import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { phones, users } from "#app/db/schema.ts";
import { modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { fillWithListings } from "../../bench/million-listings.ts";
import { addAccount, password, startServer, type TestServer, visitor } from "../harness/server.ts";

// D1 bills rows read and written. docs/performance.md says how many the commonest requests take.

const header = "X-Rows";

/** A Worker in front of the product that counts the rows of a request, with those of its work after the response. */
const countingWorker = `
  import worker from "./index.js";

  function counting(database, rows) {
    return {
      withSession(constraint) {
        const session = database.withSession(constraint);
        async function batch(statements) {
          const results = await session.batch(statements.map(({ statement }) => statement));
          for (const { meta } of results) {
            rows.read += meta.rows_read;
            rows.written += meta.rows_written;
          }
          return results;
        }
        const counted = (statement, isRead) => ({
          statement,
          bind: (...values) => counted(statement.bind(...values), isRead),
          all: async () => (await batch([{ statement }]))[0],
          run: async () => (await batch([{ statement }]))[0],
          // Has no meta figures, so a read is repeated. Columns of the same name would be one in an object.
          async raw() {
            const [{ results }] = await batch([{ statement }]);
            return isRead ? statement.raw() : results.map(Object.values);
          },
        });
        const prepare = (text) => counted(session.prepare(text), /^\\s*(select|with)/i.test(text));
        return { batch, prepare, getBookmark: () => session.getBookmark() };
      },
    };
  }

  export default {
    ...worker,
    async fetch(request, bindings, execution) {
      const rows = { read: 0, written: 0 };
      const background = [];
      const waitUntil = (promise) => void background.push(promise);
      const DB = counting(bindings.DB, rows);
      const response = await worker.fetch(request, { ...bindings, DB }, { waitUntil });
      for (const promise of background) await promise.catch(() => {});
      const answer = new Response(response.body, response);
      answer.headers.set("${header}", [rows.read, rows.written].join());
      return answer;
    },
  };
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ wrapper: countingWorker });
  await fillWithListings(server.db, 20_000, "catalog");
  // A sale for each listing, since cards show usual prices.
  await server.db.run(sql`insert into users (id, name, email, user_type, email_verified_at, created_at)
    select 'buyer ' || number, '', 'buyer ' || number, 'Buyer', 0, 0 from phones where number <= 1000`);
  await server.db.update(users).set({ emailVerifiedAt: new Date(0) });
  await server.db.run(sql`insert into orders
    (id, phone_id, buyer_id, product_name, ram, rom, buyer_name, buyer_address, email, phone, price_cents, stage, status, created_at)
    select 'sale ' || number, id, 'buyer ' || (number % 1000 + 1), brand_name || ' ' || model, ram, rom, '', '', '', '',
      selling_cents, 'received', 'cancelled', 0
    from phones`);
  await refreshUsualPrices(server.db, Number.MAX_SAFE_INTEGER);
});
afterAll(() => server?.stop());

/** The rows of the table: the request, with the most rows that it may read and write. */
async function documented(): Promise<[request: string, read: number, written: number][]> {
  const page = await readFile("docs/performance.md", "utf8");
  const rows = page.matchAll(/^\| `((?:GET|POST) [^`]+)`[^|]* \| ([\d,]+) \| ([\d,]+) \|$/gm);
  const numberOf = (text = "") => Number(text.replaceAll(",", ""));
  return [...rows].map(([, request = "", read, written]) => [request, numberOf(read), numberOf(written)]);
}

test("the commonest requests read and write no more rows than docs/performance.md says", async () => {
  const [phone] = await server.db.select().from(phones).where(sql`listed and status = 'available'`).limit(1);
  if (!phone) throw new Error("There is no listing.");
  const stranger = visitor(server);
  const buyer = visitor(server);
  const { email } = await addAccount(server.db);
  await buyer.signIn(email);
  const places = { ":phone": phone.id, ":model": modelSlug(phone), ":seller": phone.sellerId };
  const fields: Record<string, Record<string, string>> = {
    "/login": { email, password },
    "/phones/:phone/book": { address: "1 Street", phone: "5550100" },
  };
  const limits = await documented();
  expect(limits).toHaveLength(12);
  for (const [request, mostRead, mostWritten] of limits) {
    const [method, path = ""] = request.split(" ");
    const address = path.replace(/:\w+/g, (place) => places[place as keyof typeof places]);
    const who = path.startsWith("/manage") || path.endsWith("/book") ? buyer : stranger;
    const response = method === "POST" ? await who.post(address, fields[path]) : await who.get(address);
    const [read = Number.NaN, written = Number.NaN] = (response.headers.get(header) ?? "")
      .split(",")
      .map(Number);
    expect.soft(response.status, request).toBe(method === "POST" ? 303 : 200);
    expect.soft(read, `${request} reads`).toBeLessThanOrEqual(mostRead);
    expect.soft(written, `${request} writes`).toBeLessThanOrEqual(mostWritten);
  }
});
