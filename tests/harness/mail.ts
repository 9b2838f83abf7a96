import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { TestMarket } from "./market.ts";

/** A mail as it lies in a market's outbox. */
export interface PostedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The path and query its link leads to. */
  path: string;
  token: string;
}

/** What has been sent to an address so far, oldest first. */
export async function mailsTo(market: Pick<TestMarket, "outbox">, address: string): Promise<PostedMail[]> {
  return (await allMails(market)).filter(({ to }) => to === address);
}

/** Everything that has been sent so far, oldest first. */
export async function allMails({ outbox }: Pick<TestMarket, "outbox">): Promise<PostedMail[]> {
  // The folder is made with the first mail.
  const all = await readdir(outbox).catch(() => []);
  const names = all.filter((name) => name.endsWith(".txt")).sort();
  return Promise.all(names.map((name) => readMail(join(outbox, name))));
}

/** Waits for the mail to an address that is its `count`-th, and is its last so far. */
export async function newestMail(
  market: Pick<TestMarket, "outbox">,
  address: string,
  count = 1,
): Promise<PostedMail> {
  return vi.waitFor(
    async () => {
      const mails = await mailsTo(market, address);
      expect(mails).toHaveLength(count);
      return mails[count - 1] as PostedMail;
    },
    // What is slower than this on a loaded machine is stuck.
    { timeout: 20_000 },
  );
}

async function readMail(file: string): Promise<PostedMail> {
  const [whole, html] = await Promise.all([
    readFile(file, "utf8"),
    readFile(file.replace(/txt$/, "html"), "utf8"),
  ]);
  const end = whole.indexOf("\n\n");
  const header = (name: string) => whole.slice(0, end).match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "";
  const text = whole.slice(end + 2);
  const link = new URL(text.match(/^https?:\S+$/m)?.[0] ?? "none:");
  return {
    to: header("To"),
    subject: header("Subject"),
    text,
    html,
    path: link.pathname + link.search,
    token: link.searchParams.get("token") ?? "",
  };
}
