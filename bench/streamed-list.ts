import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { deviceVariantStatements } from "#app/features/listings/device-variants.server.ts";
import { buildInto } from "../scripts/build.ts";
import { openMarket } from "../scripts/market.ts";
import { median, ratios } from "./ratios.ts";

// How the list of all listings behaves as it grows: when its first byte comes, and what memory it takes. The
// same list is asked for to its end from different places, so that only the number of listings differs.

const listings = 100_000;
const sizes = [100, 10_000, 100_000];
const rounds = 15;

const folder = await mkdtemp(join(tmpdir(), "ringback-bench-"));
try {
  await buildInto(join(folder, "build"));
  const market = await openMarket({
    buildFolder: join(folder, "build"),
    persist: join(folder, "state"),
    bindings: { SESSION_SECRET: "a secret for measuring of more than 32 characters" },
  });
  try {
    await fill(market.db);
    await measure(market.url);
  } finally {
    await market.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The key of the listing at a place, counted from the oldest: of the form of real keys, and in their order. */
function key(place: number): string {
  return `01990000-0000-7000-8000-${String(place).padStart(12, "0")}`;
}

async function fill(db: Db) {
  const [seller] = await db
    .insert(users)
    .values({ name: "Seller", email: "seller@example.com", userType: "Seller" })
    .returning();
  const [variant, words] = deviceVariantStatements(db, {
    ...{ brandName: "Brand", model: "Model", ram: "8 GB", rom: "256 GB", processor: "A processor" },
    ...{ os: "Android", deviceType: "Smart Phone" },
  });
  await db.batch([variant, words]);
  await db.run(sql`
    WITH RECURSIVE places(place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM places WHERE place < ${listings})
    INSERT INTO phones (id, seller_id, brand_name, model, ram, rom, image, camera, processor, battery, os,
      device_type, selling_reason, market_cents, selling_cents, post_date, used_time, status, created_at)
    SELECT '01990000-0000-7000-8000-' || printf('%012d', place), ${seller?.id}, 'Brand', 'Model', '8 GB',
      '256 GB', 'https://pictures.example/phone.jpg', '50 MP wide, 12 MP ultra-wide', 'A processor', '4500 mAh',
      'Android', 'Smart Phone', 'One phone is enough, and this one is as good as new.', 69900, 34900,
      '2026-11-20', '14', 'available', 0
    FROM places`);
}

async function measure(url: string) {
  const firsts = new Map<number, number[]>();
  const peaks = new Map<number, number[]>();
  // The first round meets a fresh runtime, which takes memory then that it keeps: it is told apart.
  const fresh: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    for (const size of sizes) {
      const { first, peak, records } = await ask(url, size);
      if (records !== size) throw new Error(`${size} listings were asked for, ${records} came.`);
      if (round < 0) {
        fresh.push(peak);
        continue;
      }
      push(firsts, size, first);
      push(peaks, size, peak);
    }
  }
  const least = sizes[0] as number;
  console.log(
    "listings | first byte, ratio to 100 listings (spread) | peak memory, ratio to 100 listings (spread)",
  );
  for (const size of sizes) {
    const first = ratios(firsts.get(size), firsts.get(least));
    const peak = ratios(peaks.get(size), peaks.get(least));
    console.log(`${size.toLocaleString("en-US")} | ${first} | ${peak}`);
  }
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  console.log(
    `Peak of a fresh runtime's resident memory, one after the other: ${fresh.map(megabytes).join(", ")} MB`,
  );
  const medians = sizes.map((size) => megabytes(median(peaks.get(size) ?? [])));
  console.log(`Peak afterwards, median of ${rounds} rounds: ${medians.join(", ")} MB`);
}

/** Reads the last so many listings of the list: milliseconds to the first byte, and the runtime's peak memory. */
async function ask(url: string, size: number): Promise<{ first: number; peak: number; records: number }> {
  const path = size === listings ? "/phoneInfoCollection" : `/phoneInfoCollection?cursor=${key(size + 1)}`;
  const runtime = await runtimePid();
  let peak = 0;
  const watch = async () => {
    peak = Math.max(peak, await residentBytes(runtime));
  };
  await watch();
  const start = performance.now();
  return new Promise((resolve, reject) => {
    request(new URL(path, url), async (answer) => {
      let first = 0;
      let records = 0;
      let rest = "";
      try {
        for await (const chunk of answer) {
          first ||= performance.now() - start;
          // The end of the chunk before may hold the beginning of a name.
          const text = rest + chunk;
          records += text.split('"_id"').length - 1;
          rest = text.slice(-'"_id'.length);
          await watch();
        }
        resolve({ first, peak, records });
      } catch (fault) {
        reject(fault);
      }
    })
      .once("error", reject)
      .end();
  });
}

/** The process that runs the Worker: a child of this one. */
async function runtimePid(): Promise<string> {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (/^Name:\s+workerd$/m.test(status) && status.includes(`\nPPid:\t${process.pid}\n`)) return pid;
  }
  throw new Error("There is no workerd among the children of this process.");
}

async function residentBytes(pid: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function push(map: Map<number, number[]>, at: number, value: number) {
  map.set(at, [...(map.get(at) ?? []), value]);
}
