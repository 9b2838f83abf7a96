import { describe, expect, test } from "vitest";
import type { Answer, Driver, Kind } from "#app/db/driver.ts";
import { type Chance, patient, usualLimitMs } from "#app/db/patience.ts";
import { isOutage, Unreachable } from "#app/db/unreachable.ts";

const question = [{ sql: "select 1", params: [] }];
const answer: Answer[] = [{ rows: [{ 1: 1 }] }];
const lost = () => new Unreachable(new Error("Network connection lost."), true);
const overloaded = () => new Unreachable(new Error("D1 DB is overloaded."), false);

/** Time that passes when it is told to, and chance that is always at its most. */
function heldTime() {
  const timers: { at: number; then(): void }[] = [];
  const pauses: number[] = [];
  let now = 0;
  const chance: Chance = {
    after(milliseconds, then) {
      const timer = { at: now + milliseconds, then };
      timers.push(timer);
      if (milliseconds !== usualLimitMs) pauses.push(milliseconds);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    random: () => 1,
  };
  /** Lets what is due next happen, and what follows from it. */
  async function step() {
    await new Promise(setImmediate);
    timers.sort((one, other) => one.at - other.at);
    const next = timers.shift();
    if (!next) return false;
    now = next.at;
    next.then();
    return true;
  }
  async function run() {
    while (await step());
  }
  return { chance, pauses, run, now: () => now };
}

/** A driver that fails so often before it answers; "never" is one that hangs. */
function ailing(faults: (() => Error)[] | "never") {
  const state = { asked: 0, given: [] as AbortSignal[] };
  const driver: Driver = {
    run(_statements, _kind, signal) {
      state.given.push(signal);
      state.asked += 1;
      if (faults === "never") return new Promise(() => {});
      const fault = faults[state.asked - 1];
      return fault ? Promise.reject(fault()) : Promise.resolve(answer);
    },
  };
  return Object.assign(state, { driver });
}

/** Asks, and lets time pass until there is an outcome. */
async function ask(faults: (() => Error)[] | "never", kind: Kind = "read") {
  const time = heldTime();
  const database = ailing(faults);
  const driver = patient(database.driver, { chance: time.chance });
  const outcome = driver.run(question, kind).catch((fault: unknown) => fault);
  await time.run();
  return { outcome: await outcome, database, driver, time };
}

describe("a read", () => {
  test("is asked for again after pauses that grow, and answered", async () => {
    const { outcome, database, time } = await ask([lost, lost, lost]);
    expect(outcome).toEqual(answer);
    expect(database.asked).toBe(4);
    expect(time.pauses).toEqual([50, 100, 200]);
  });

  test("is given up after four attempts, and with it the rest of the request", async () => {
    const { outcome, database, driver } = await ask([lost, lost, lost, lost]);
    expect(isOutage(outcome)).toBe(true);
    expect(database.asked).toBe(4);
    await expect(driver.run(question, "read")).rejects.toBe(outcome);
    expect(database.asked).toBe(4);
  });

  test("is not asked for again where that would make things worse, or where the database has said no", async () => {
    const outage = await ask([overloaded]);
    expect([isOutage(outage.outcome), outage.database.asked]).toEqual([true, 1]);
    const refusal = new Error("no such table");
    const refused = await ask([() => refusal]);
    expect([refused.outcome, refused.database.asked]).toEqual([refusal, 1]);
    expect(await refused.driver.run(question, "read")).toEqual(answer);
  });
});

test("a write is asked for once, and what follows is asked for all the same", async () => {
  const { outcome, database, driver } = await ask([lost], "write");
  expect([isOutage(outcome), database.asked]).toEqual([true, 1]);
  expect(await driver.run(question, "read")).toEqual(answer);
});

test.each(["read", "write"] as const)("nobody waits longer than the limit for a %s", async (kind) => {
  const { outcome, database, driver, time } = await ask("never", kind);
  expect(isOutage(outcome)).toBe(true);
  expect(time.now()).toBe(usualLimitMs);
  expect(database.given.map(({ aborted }) => aborted)).toEqual([true]);
  await expect(driver.run(question, "read")).rejects.toBe(outcome);
});
