import { boundedMemory } from "./bounded-memory.ts";
import { standing } from "./cache-age.ts";
import {
  answerWith,
  type CacheEntry,
  entryOf,
  fromStored,
  handOn,
  isShowable,
  sizeOf,
  toStored,
} from "./cache-entry.server.ts";
import { type Generation, generations } from "./cache-generation.server.ts";
import type { CachedAddress } from "./cached-routes.server.ts";
import { type SharedWork, sharedWork } from "./shared-work.ts";

/** How a request fared: answered from what was kept (fresh or not any more), made, or none of the cache's business. */
export type CacheState = "hit" | "stale" | "miss" | "pass";

/** What the cache needs to answer a request. */
export interface Asked {
  request: Request;
  /** For the scripts of this answer. */
  nonce: string;
  at: CachedAddress;
  /** Names what makes the pages, so that another build finds nothing of this one. */
  build: string;
  /** The host that all hosts of this deployment share their generations under. */
  home: string;
  freshSeconds: number;
  /** Renders what is asked for, for anybody: nothing of the asking request goes into it. */
  render(nonce: string, since: Generation): Promise<Response>;
  waitUntil(work: Promise<unknown>): void;
  /** Something was made anew in the background, in so many milliseconds. */
  onRefresh(milliseconds: number): void;
  onFault(fault: unknown): void;
}

const mostMemory = 16 * 1024 * 1024;

/** After a failure it is not tried again for so many milliseconds, while there is something to show. */
const restAfterFailure = 5000;

/** The edge cache: answers from the data centre's cache and from this isolate's memory in front of it. */
export function edgeCache() {
  const memory = boundedMemory(mostMemory, sizeOf);
  const generation = generations();
  const making: SharedWork<CacheEntry | null> = sharedWork();
  const resting = new Map<string, number>();

  async function find(key: string, mark: string, freshSeconds: number): Promise<CacheEntry | null> {
    const near = memory.get(key);
    if (standing(near, { now: Date.now(), mark, freshSeconds }) === "fresh") return near;
    // Another isolate may have made it anew.
    const stored = await caches.default.match(key);
    const far = stored ? await fromStored(stored) : null;
    if (!far || (near && near.keptAt >= far.keptAt)) return near;
    memory.set(key, far);
    return far;
  }

  /**
   * Renders, and keeps what came of it; an answer that is not kept is handed out for its own visitor, with the nonce
   * that it was rendered with.
   */
  async function make(key: string, since: Generation, asked: Asked) {
    const nonce = crypto.randomUUID().replaceAll("-", "");
    const answer = await asked.render(nonce, since);
    const made = await entryOf(answer, { nonce, mark: since.mark, now: Date.now() });
    const { entry } = made;
    if (entry && (await generation.current(asked.home)).mark === since.mark) {
      memory.set(key, entry);
      resting.delete(key);
      asked.waitUntil(caches.default.put(key, toStored(entry)).catch(asked.onFault));
    }
    if (!entry && made.answer.status < 500) {
      memory.drop(key);
      asked.waitUntil(caches.default.delete(key).catch(asked.onFault));
    }
    return { ...made, nonce };
  }

  /** Makes it for all who ask meanwhile; goes on when the visitor who asked first leaves. */
  function makeForAll(key: string, since: Generation, asked: Asked) {
    const made = make(key, since, asked);
    const entry = made.then((outcome) => outcome.entry);
    asked.waitUntil(making.share(nameOf(key, since), entry));
    return made;
  }

  async function makeAnew(key: string, since: Generation, asked: Asked): Promise<void> {
    if (making.isUnderWay(nameOf(key, since)) || isResting(key)) return;
    const startedAt = Date.now();
    try {
      const { answer } = await makeForAll(key, since, asked);
      await answer?.body?.cancel();
      if (answer && answer.status >= 500) rest(key);
      else asked.onRefresh(Date.now() - startedAt);
    } catch (fault) {
      rest(key);
      asked.onFault(fault);
    }
  }

  const isResting = (key: string) => (resting.get(key) ?? 0) > Date.now();

  function rest(key: string): void {
    if (resting.size > 1000) resting.clear();
    resting.set(key, Date.now() + restAfterFailure);
  }

  async function makeOrShare(key: string, since: Generation, asked: Asked, old: CacheEntry | null) {
    const { request, nonce } = asked;
    const shared = await making.join(nameOf(key, since));
    if (shared) return { answer: answerWith(shared, request, nonce), state: "hit" as const };
    if (old && isResting(key)) return { answer: answerWith(old, request, nonce), state: "stale" as const };
    try {
      const { entry, answer, nonce: own } = await makeForAll(key, since, asked);
      if (entry) return { answer: answerWith(entry, request, nonce), state: "miss" as const };
      if (answer.status < 500 || !old) {
        return { answer: await handOn(answer, request), state: "miss" as const, nonce: own };
      }
      await answer.body?.cancel();
    } catch (fault) {
      if (!old) throw fault;
      asked.onFault(fault);
    }
    rest(key);
    return { answer: answerWith(old, request, nonce), state: "stale" as const };
  }

  return {
    /**
     * Answers a request for what may be kept.
     *
     * @returns with a nonce where the answer has another than the asker's
     * @throws what rendering throws, when nothing else can be shown
     */
    async answer(asked: Asked): Promise<{ answer: Response; state: CacheState; nonce?: string }> {
      const { request, nonce, at, freshSeconds } = asked;
      const key = `${at.origin}/.edge/${asked.build}${at.address}`;
      const since = await generation.current(asked.home);
      const known = await find(key, since.mark, freshSeconds);
      const stands = standing(known, { now: Date.now(), mark: since.mark, freshSeconds });
      if (known && stands !== "spent") {
        if (stands === "stale") asked.waitUntil(makeAnew(key, since, asked));
        return { answer: answerWith(known, request, nonce), state: stands === "fresh" ? "hit" : "stale" };
      }
      const old = known && isShowable(known, Date.now()) ? known : null;
      return makeOrShare(key, since, asked, old);
    },

    /** Drops all that is kept: something was written. Returns when no request here will be shown it any more. */
    drop: (home: string, bookmark?: string): Promise<void> => generation.begin(home, bookmark),
  };
}

/** What is made of one address since one write is one work. */
function nameOf(key: string, { mark }: Generation): string {
  return `${key} ${mark}`;
}
