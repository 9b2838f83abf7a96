import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A mail as a Worker hands it to its `MAIL` binding. */
export interface OutgoingMail {
  from: { name: string; email: string };
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** A folder that mails are put into instead of being sent. */
export interface Outbox {
  /**
   * Writes a mail: its text with a few headers as a `.txt` file, and beside it, under the same name, its HTML.
   * Names ascend with time.
   */
  post(mail: OutgoingMail): Promise<void>;
  /** Waits until all that was posted is written, or has failed. */
  settled(): Promise<void>;
}

/** Opens a folder as an outbox; it is made with the first mail. */
export function openOutbox(folder: string): Outbox {
  const writing = new Set<Promise<void>>();
  let posted = 0;

  async function write({ from, to, subject, text, html }: OutgoingMail, name: string) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, `${name}.html`), html, { mode: 0o600 });
    // Last, so that who sees the text finds the whole mail.
    const headers = [`From: ${from.name} <${from.email}>`, `To: ${to}`, `Subject: ${subject}`];
    await writeFile(join(folder, `${name}.txt`), `${headers.join("\n")}\n\n${text}`, { mode: 0o600 });
  }

  return {
    async post(mail) {
      posted += 1;
      const moment = new Date().toISOString().replaceAll(":", "-");
      const written = write(mail, `${moment}-${String(posted).padStart(4, "0")}`);
      writing.add(written);
      try {
        await written;
      } finally {
        writing.delete(written);
      }
    },
    settled: async () => void (await Promise.allSettled(writing)),
  };
}

/**
 * A Worker that takes mail as Cloudflare's `send_email` binding does, and hands it to its `FOLDER`. Miniflare's
 * own stand-in puts mails among the system's temporary files, where nobody would look for them.
 */
export const outboxWorker = `
  import { WorkerEntrypoint } from "cloudflare:workers";

  export class Outbox extends WorkerEntrypoint {
    async send(mail) {
      const taken = await this.env.FOLDER.fetch("http://outbox/", { method: "POST", body: JSON.stringify(mail) });
      if (!taken.ok) throw new Error("The outbox could not be written.");
      return { messageId: crypto.randomUUID() };
    }
  }

  export default {};
`;
