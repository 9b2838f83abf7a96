import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { deviceVariantStatements } from "#app/features/listings/device-variants.server.ts";
import { parseArguments } from "../scripts/arguments.ts";
import { buildInto } from "../scripts/build.ts";
import { startLocalServer } from "../scripts/local-server.ts";
import { workerdPid } from "./runtime.ts";
import { isSmoke } from "./smoke.ts";
import { median, ratios } from "./statistics.ts";

// Measures the time to first byte and the peak memory of the REST list of all listings. Cursors select how many listings
// of one database follow, so that only their number differs. Then the same of the product feed, which has all of them.

parseArguments("bench:list [--smoke]", { options: { smoke: { type: "boolean" } } });

const sizes = isSmoke ? [100, 200, 1500] : [100, 10_000, 100_000];
const listings = Math.max(...sizes);
const rounds = isSmoke ? 1 : 15;

const folder = await mkdtemp(join(tmpdir(), "ringback-bench-"));
try {
  const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
  if (!process.env.READY_BUILD) await buildInto(buildFolder);
  const server = await startLocalServer({
    buildFolder,
    persist: join(folder, "state"),
    bindings: { SESSION_SECRET: "a secret for benchmarks of more than 32 characters" },
    onLog() {},
  });
  try {
    await fill(server.db);
    await measure(server.url);
    await measureFeed(server.url);
  } finally {
    await server.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The id of a listing by its position from the oldest. */
function idAt(position: number): string {
  return `01990000-0000-7000-8000-${String(position).padStart(12, "0")}`;
}

async function fill(db: Db) {
  const [seller] = await db
    .insert(users)
    .values({ name: "Seller", email: "seller@example.com", userType: "Seller" })
    .returning();
  const statements = deviceVariantStatements(db, {
    ...{ brandName: "Brand", model: "Model", ram: "8 GB", rom: "256 GB", processor: "A processor" },
    ...{ os: "Android", deviceType: "Smart Phone" },
  });
  await db.batch(statements);
  await db.run(sql`
    WITH RECURSIVE places(place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM places WHERE place < ${listings})
    INSERT INTO phones (id, seller_id, brand_name, model, ram, rom, image, camera, processor, battery, os,
      device_type, selling_reason, market_cents, selling_cents, post_date, used_time, status, created_at, cover)
    SELECT '01990000-0000-7000-8000-' || printf('%012d', place), ${seller?.id}, 'Brand', 'Model', '8 GB',
      '256 GB', 'https://pictures.example/phone.jpg', '50 MP wide, 12 MP ultra-wide', 'A processor', '4500 mAh',
      'Android', 'Smart Phone', 'One phone is enough, and this one is as good as new.', 69900, 34900,
      '2026-11-20', '14', 'available', 0, 'photo ' || place
    FROM places`);
  await db.run(sql`INSERT INTO photos (id, phone_id, position, width, height, digest, created_at)
    SELECT cover, id, 0, 1200, 900, cover, 0 FROM phones`);
}

async function measure(url: string) {
  const firsts = new Map<number, number[]>();
  const peaks = new Map<number, number[]>();
  // The first round grows the memory of a fresh runtime, so it is reported apart.
  const fresh: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    for (const size of sizes) {
      const { first, peak, records } = await readList(url, size);
      if (records !== size) throw new Error(`Expected ${size} listings, got ${records}.`);
      if (round < 0) {
        fresh.push(peak);
        continue;
      }
      append(firsts, size, first);
      append(peaks, size, peak);
    }
  }
  const smallest = sizes[0] as number;
  console.log(
    "listings | first byte, ratio to 100 listings (spread) | peak memory, ratio to 100 listings (spread)",
  );
  for (const size of sizes) {
    const first = ratios(firsts.get(size), firsts.get(smallest));
    const peak = ratios(peaks.get(size), peaks.get(smallest));
    console.log(`${size.toLocaleString("en-US")} | ${first} | ${peak}`);
  }
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  console.log(
    `Peak of a fresh runtime's resident memory, one after the other: ${fresh.map(megabytes).join(", ")} MB`,
  );
  const medians = sizes.map((size) => megabytes(median(peaks.get(size) ?? [])));
  console.log(`Peak afterwards, median of ${rounds} rounds: ${medians.join(", ")} MB`);
}

async function measureFeed(url: string) {
  for (let round = 0; round < (isSmoke ? 1 : 3); round += 1) {
    const { records, first, total, start, peak } = await readFeed(url);
    if (records !== listings) throw new Error(`Expected ${listings} items, got ${records}.`);
    const [begun, most] = [start, peak].map((bytes) => Math.round(bytes / 1024 / 1024));
    console.log(
      `Product feed of ${listings.toLocaleString("en-US")} listings: first byte ${Math.round(first)} ms, all ${(total / 1000).toFixed(1)} s, resident memory ${begun} MB before, ${most} MB at most`,
    );
  }
}

/** Reads the parts of the feed one after the other. @returns of the first byte the latest */
async function readFeed(url: string): Promise<Run> {
  const parts: Run[] = [];
  for (let part = 1; parts.at(-1)?.next ?? part === 1; part += 1)
    parts.push(await readAll(new URL(`/feeds/google.xml?part=${part}`, url), "<item>"));
  const sum = (of: (run: Run) => number) => parts.reduce((total, run) => total + of(run), 0);
  return {
    first: Math.max(...parts.map(({ first }) => first)),
    total: sum(({ total }) => total),
    start: parts[0]?.start ?? 0,
    peak: Math.max(...parts.map(({ peak }) => peak)),
    records: sum(({ records }) => records),
    next: false,
  };
}

/** Reads the oldest listings. @returns milliseconds to the first byte, and the runtime's peak memory in bytes */
function readList(url: string, size: number) {
  const path = size === listings ? "/phoneInfoCollection" : `/phoneInfoCollection?cursor=${idAt(size + 1)}`;
  return readAll(new URL(path, url), '"_id"');
}

interface Run {
  first: number;
  total: number;
  /** Resident memory in bytes. */
  start: number;
  peak: number;
  records: number;
  /** Whether the response names a next part. */
  next: boolean;
}

async function readAll(address: URL, marker: string): Promise<Run> {
  const runtime = await workerdPid();
  let peak = 0;
  const sampleMemory = async () => {
    peak = Math.max(peak, await residentBytes(runtime));
  };
  await sampleMemory();
  const before = peak;
  const start = performance.now();
  return new Promise((resolve, reject) => {
    // A connection of its own: the server may close the last one just now.
    request(address, { agent: false }, async (response) => {
      let first = 0;
      let records = 0;
      let rest = "";
      try {
        for await (const chunk of response) {
          first ||= performance.now() - start;
          // A marker may be split between two chunks.
          const text = rest + chunk;
          records += text.split(marker).length - 1;
          rest = text.slice(1 - marker.length);
          await sampleMemory();
        }
        const next = /rel="next"/.test(String(response.headers.link));
        resolve({ first, total: performance.now() - start, start: before, peak, records, next });
      } catch (error) {
        reject(error);
      }
    })
      .once("error", reject)
      .end();
  });
}

async function residentBytes(pid: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function append(map: Map<number, number[]>, key: number, value: number) {
  map.set(key, [...(map.get(key) ?? []), value]);
}
