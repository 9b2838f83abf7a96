/** @module-tag slow */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { gt, isNull } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notifications, photos } from "#app/db/schema.ts";
import { withDatabase } from "../../scripts/database.ts";
import { photographs } from "../../scripts/demo/photographs/photographs.ts";
import { openLocalState } from "../../scripts/local-state.ts";
import { builtFolder } from "../harness/built-folder.ts";
import { emailsTo, waitForEmail } from "../harness/emails.ts";
import { textOf } from "../harness/html.ts";
import { visitor } from "../harness/server.ts";

let folder: string;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringback-start-"));
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Runs `npm start`, or another script, with its own state. */
function start(environment: Record<string, string> = {}, script = "start", ...args: string[]) {
  const { LIBSQL_URL: _, SESSION_SECRET: _secret, GOOGLE_CLIENT_ID: _id, ...inherited } = process.env;
  const child = spawn(
    process.execPath,
    ["--import", "./scripts/typescript.js", `scripts/${script}.ts`, ...args],
    {
      env: { ...inherited, PORT: "0", STATE_DIR: folder, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  running.add(child);
  const ended = once(child, "exit").then(([code, signal]) => {
    running.delete(child);
    return { code, signal, log };
  });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });

  const lines = createInterface(child.stdout);
  async function line(pattern: RegExp): Promise<RegExpMatchArray> {
    const printed = new Promise<RegExpMatchArray>((resolve) => {
      lines.on("line", (text) => {
        const match = text.match(pattern);
        if (match) resolve(match);
      });
    });
    const over = ended.then(() => {
      throw new Error(`It ended before it printed ${pattern}:\n${log}`);
    });
    return Promise.race([printed, over]);
  }

  return { pid: child.pid ?? 0, kill: (signal: NodeJS.Signals) => child.kill(signal), ended, line };
}

/** The child processes whose command has a word, which excludes the transpiler's helper. */
function childrenOf(parent: number, word: string): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const rows = [...table.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)];
  return rows.flatMap(([, pid, ppid, command]) =>
    Number(ppid) === parent && command?.includes(word) ? [Number(pid)] : [],
  );
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const opened = /^Ringback is running at (http:\/\/localhost:\d+)(.*)$/;

describe("the start command", () => {
  test("serves the marketplace with demo data, keeps its state, on which jobs run, and ends all its processes", async () => {
    const READY_BUILD = await builtFolder();
    const first = start({ READY_BUILD });
    const [[, address = "", filled], [, outbox = ""]] = await Promise.all([
      first.line(opened),
      first.line(/^Emails are written to (.*)$/),
    ]);
    expect(filled).toBe(", filled with demo data");
    const someone = visitor({ url: address });
    const list = await (await someone.get("/products")).text();
    expect(textOf(list)).toContain("Buy Now");
    const [, cover = ""] = /"(\/photos\/[\w-]+\/card)"/.exec(list) ?? [];
    expect((await someone.get(cover)).headers.get("Content-Type")).toBe("image/webp");
    await someone.logIn("buyer@example.com", "ringback1");
    expect(outbox).toBe(join(folder, "outbox"));
    const signUp = { name: "Mia Sund", email: "mia@example.com", password: "secret1" };
    expect((await visitor({ url: address }).post("/signup", signUp)).status).toBe(303);
    expect((await waitForEmail({ outbox }, signUp.email)).text).toContain(`${address}/verify?token=`);
    const workers = childrenOf(first.pid, "workerd");
    expect(workers).toHaveLength(1);
    expect(await start({ READY_BUILD }).ended).toEqual({
      code: 1,
      signal: null,
      log: `Another server, process ${first.pid}, uses ${folder}: stop it, or set STATE_DIR and PORT for a second one. If that process is no server, delete ${folder}/server-process.\n`,
    });
    expect((await visitor({ url: address }).get("/products")).status).toBe(200);
    first.kill("SIGTERM");
    expect(await first.ended).toMatchObject({ code: 0, signal: null });
    expect(workers.filter(lives)).toEqual([]);

    // The photographs of the demo data, each in four sizes, in another state.
    const copy = join(folder, "copy");
    const files = String(4 * photographs.length);
    const [, copied] = await start({}, "photos-export", copy).line(/^Copied (\d+) new files/);
    const elsewhere = { STATE_DIR: join(folder, "elsewhere") };
    const [, restored] = await start(elsewhere, "photos-restore", copy).line(/^Restored (\d+) files/);
    expect([copied, restored]).toEqual([files, files]);

    const jobs = start({ READY_BUILD, PUBLIC_ORIGIN: address }, "jobs");
    await jobs.line(/^The scheduled jobs have run\.$/);
    expect(await jobs.ended).toEqual({ code: 0, signal: null, log: "" });
    const isDue = isNull(notifications.emailDoneAt);
    const state = await openLocalState(folder);
    expect(await withDatabase(state, (db) => db.$count(notifications, isDue))).toBe(0);
    expect(await emailsTo({ outbox }, "moderator@example.com")).toHaveLength(1);

    // As if the first start had been interrupted while it added photographs.
    const photosThere = () => withDatabase(state, (db) => db.$count(photos));
    await withDatabase(state, (db) => db.delete(photos).where(gt(photos.position, 1)));
    expect(await photosThere()).toBeLessThan(photographs.length);
    await writeFile(join(folder, "demo-photos-unfinished"), "");

    const second = start({ READY_BUILD }, "start", "--demo-google", "--demo-payments");
    const [, again = "", refilled] = await second.line(opened);
    expect(refilled).toBe("");
    expect(await photosThere()).toBe(photographs.length);
    expect(existsSync(join(folder, "demo-photos-unfinished"))).toBe(false);
    await visitor({ url: again }).logIn(signUp.email, signUp.password);
    // The secret was kept, so sessions are still valid.
    const returned = visitor({ url: again });
    for (const [name, value] of someone.cookies) returned.cookies.set(name, value);
    expect((await returned.get("/manage")).status).toBe(200);

    const administrator = visitor({ url: again });
    await administrator.logIn("admin@example.com", "ringback1");
    const system = textOf(await (await administrator.get("/manage/system")).text());
    expect(system).toMatch(/Scheduled jobs OK: Last run on .* UTC\. Nothing failed\./);
    // So that its jobs send emails.
    expect(system).toContain("PUBLIC_ORIGIN is set.");

    // Jobs of their own use it, too, as long as it runs.
    const runJobs = () => start({ READY_BUILD }, "jobs");
    const moved = runJobs().line(/^Payments went through what stands in for Stripe\.$/);

    // Payouts, at what stands in for Stripe.
    const seller = visitor({ url: again });
    await seller.logIn("seller@example.com", "ringback1");
    expect(textOf(await (await seller.get("/manage/payouts")).text())).toContain("You can be paid");

    // Sign-in with Google, at the local provider.
    const stranger = visitor({ url: again });
    async function follow(location: string | null) {
      let [path, response] = [location ?? "", await stranger.get(location ?? "")];
      while (response.headers.has("Location")) {
        path = response.headers.get("Location") ?? "";
        response = await stranger.get(path);
      }
      return { path, text: textOf(await response.text()) };
    }
    const asked = (await stranger.post("/google?redirectTo=/manage")).headers.get("Location");
    expect(asked).toMatch(/^\/o\/oauth2\/v2\/auth\?/);
    const choice = await follow(asked);
    expect(choice.text).toContain("Choose an account");
    const arrived = await follow(`${choice.path}?account=demo-new`);
    expect([arrived.path, arrived.text]).toEqual(["/manage", expect.stringContaining("My Orders")]);

    await moved;
    const others = childrenOf(second.pid, "workerd");
    expect(others).toHaveLength(1);
    second.kill("SIGINT");
    expect(await second.ended).toMatchObject({ code: 0, signal: null });
    expect(others.filter(lives)).toEqual([]);
    await runJobs().line(/^Payments were left alone: .* runs only with `npm start -- --demo-payments`\.$/);

    const third = start({ READY_BUILD });
    await third.line(opened);
    for (const pid of childrenOf(third.pid, "workerd")) process.kill(pid, "SIGKILL");
    expect(await third.ended).toEqual({
      code: 1,
      signal: null,
      log: "The server process, workerd, has ended. Nothing is lost: run `npm start` again to go on.\n",
    });
  }, 240_000);

  test("stops at once during the build, and ends the build process", async () => {
    const broken = start();
    await broken.line(/^Building Ringback \(about a minute\)/);
    await expect.poll(() => childrenOf(broken.pid, "vite:build")).toHaveLength(1);
    const builders = childrenOf(broken.pid, "vite:build");
    broken.kill("SIGTERM");
    expect(await broken.ended).toMatchObject({ code: 0, signal: null, log: "" });
    expect(builders.filter(lives)).toEqual([]);
  });

  test("stops while it adds photographs, and leaves a note for the next start", async () => {
    const STATE_DIR = join(folder, "interrupted");
    const filling = start({ READY_BUILD: await builtFolder(), STATE_DIR });
    const note = join(STATE_DIR, "demo-photos-unfinished");
    await expect.poll(() => existsSync(note), { timeout: 60_000 }).toBe(true);
    filling.kill("SIGTERM");
    expect(await filling.ended).toMatchObject({ code: 0, signal: null, log: "" });
    expect(existsSync(note)).toBe(true);
  }, 90_000);

  test.each([["start"], ["dev"], ["export", join(tmpdir(), "never-written.sql")]])(
    "the script %s explains a wrong setting in one line, and does nothing",
    async (...script) => {
      const fresh = join(folder, `refused-${script[0]}`);
      // A port that nobody listens at.
      const { code, log } = await start({ STATE_DIR: fresh, LIBSQL_URL: "http://127.0.0.1:11111" }, ...script)
        .ended;
      expect(log).toBe(
        "LIBSQL_URL names a server that does not answer (ECONNREFUSED): start the server, or correct the address.\n",
      );
      expect(code).toBe(1);
      expect(existsSync(join(fresh, "build"))).toBe(false);
    },
  );
});

test("payments:sandbox says which key it needs", async () => {
  for (const STRIPE_SECRET_KEY of ["", "sk_live_1"])
    expect(await start({ STRIPE_SECRET_KEY }, "payments-sandbox").ended).toMatchObject({
      code: 1,
      log: "Set STRIPE_SECRET_KEY to a key of a Stripe test account with Connect, which begins with sk_test_ or rk_test_.\n",
    });
});

test("deploy:check says what a deployment lacks, and stops one that would fail", async () => {
  const shipped = await readFile("wrangler.toml", "utf8");
  const check = async (config: string) => {
    const file = join(folder, "wrangler.toml");
    await writeFile(file, config);
    return start({ SESSION_SECRET: "s".repeat(32) }, "deploy-check", file).ended;
  };
  const withDatabase = shipped.replace(/^database_id = .*/m, 'database_id = "1b2c3d"');
  expect(await check(shipped)).toMatchObject({
    code: 1,
    log: "database_id is a placeholder. See docs/deployment.md#cloudflare\n",
  });
  expect(await check(withDatabase)).toMatchObject({ code: 0, log: "" });
  expect(await check(withDatabase.replace('"WRITE_LIMIT"', '"OTHER_LIMIT"'))).toMatchObject({
    code: 1,
    log: "Ringback cannot run with these settings: WRITE_LIMIT is not bound: bind it as `wrangler.toml` does.\n",
  });
});
