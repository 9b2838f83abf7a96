import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An email as the Worker passes it to its `MAIL` binding. */
export interface OutgoingMail {
  from: { name: string; email: string };
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
}

/** A folder that emails are written to instead of being sent. */
export interface Outbox {
  /** Writes an email as a `.txt` file with headers and an `.html` file. File names sort by time. */
  send(mail: OutgoingMail): Promise<void>;
  /** Waits until all writes have ended, successfully or not. */
  settled(): Promise<void>;
}

/** Opens an outbox. The first email creates its folder. @param onMail is told of each email and its text file */
export function openOutbox(folder: string, onMail?: (mail: OutgoingMail, file: string) => void): Outbox {
  const writing = new Set<Promise<void>>();
  let count = 0;

  async function write(mail: OutgoingMail, name: string) {
    const { from, to, subject, text, html, headers: others = {} } = mail;
    const file = join(folder, `${name}.txt`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, `${name}.html`), html, { mode: 0o600 });
    // Written last, so that the HTML file exists once the text file does.
    const headers = [
      `From: ${from.name} <${from.email}>`,
      `To: ${to}`,
      `Subject: ${subject}`,
      ...Object.entries(others).map(([header, value]) => `${header}: ${value}`),
    ];
    await writeFile(file, `${headers.join("\n")}\n\n${text}`, { mode: 0o600 });
    onMail?.(mail, file);
  }

  return {
    async send(mail) {
      count += 1;
      const time = new Date().toISOString().replaceAll(":", "-");
      const written = write(mail, `${time}-${String(count).padStart(4, "0")}`);
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
 * A Worker with the interface of Cloudflare's `send_email` binding that forwards emails to its `FOLDER` service.
 * Miniflare's own simulation writes them to the system's temporary folder.
 */
export const outboxWorker = `
  import { WorkerEntrypoint } from "cloudflare:workers";

  export class Outbox extends WorkerEntrypoint {
    async send(mail) {
      const response = await this.env.FOLDER.fetch("http://outbox/", { method: "POST", body: JSON.stringify(mail) });
      if (!response.ok) throw new Error("The outbox could not be written.");
      return { messageId: crypto.randomUUID() };
    }
  }

  export class UnreachableQueue extends WorkerEntrypoint {
    async send() {
      throw new Error("The queue is unreachable.");
    }

    async sendBatch() {
      throw new Error("The queue is unreachable.");
    }
  }

  export default {};
`;
