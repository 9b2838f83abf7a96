import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { TestServer } from "./server.ts";

export interface SentEmail {
  to: string;
  subject: string;
  text: string;
  html: string;
  path: string;
  token: string;
  /** The URL of the List-Unsubscribe header; empty if there is none. */
  unsubscribe: string;
}

/** The emails sent to an address, oldest first. */
export async function emailsTo(server: Pick<TestServer, "outbox">, address: string): Promise<SentEmail[]> {
  return (await allEmails(server)).filter(({ to }) => to === address);
}

export async function allEmails({ outbox }: Pick<TestServer, "outbox">): Promise<SentEmail[]> {
  // The first email creates the folder.
  const all = await readdir(outbox).catch(() => []);
  const names = all.filter((name) => name.endsWith(".txt")).sort();
  return Promise.all(names.map((name) => readMail(join(outbox, name))));
}

/** Waits until exactly `count` emails were sent to an address, and returns the last. */
export async function waitForEmail(
  server: Pick<TestServer, "outbox">,
  address: string,
  count = 1,
): Promise<SentEmail> {
  return vi.waitFor(
    async () => {
      const mails = await emailsTo(server, address);
      expect(mails).toHaveLength(count);
      return mails[count - 1] as SentEmail;
    },
    { timeout: 20_000 },
  );
}

/** Waits for the email to an address that links to a path. */
export async function waitForEmailTo(
  server: Pick<TestServer, "outbox">,
  address: string,
  path: string,
): Promise<SentEmail> {
  return vi.waitFor(
    async () => {
      const mail = (await emailsTo(server, address)).find((each) => each.path.startsWith(path));
      expect(mail).toBeDefined();
      return mail as SentEmail;
    },
    { timeout: 20_000 },
  );
}

async function readMail(file: string): Promise<SentEmail> {
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
    unsubscribe: header("List-Unsubscribe").replace(/^<(.*)>$/, "$1"),
  };
}
