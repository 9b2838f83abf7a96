import type { Connection } from "./connection.ts";
import { isRead, type Result, type Statement } from "./driver.ts";
import { isOutage } from "./unreachable.ts";

export type Execute = (statements: Statement[]) => Promise<Result[]>;

interface QueuedRead {
  statements: Statement[];
  resolve(results: Result[]): void;
  reject(error: unknown): void;
}

/**
 * Batches the reads of one turn of the event loop, such as those of all loaders of a page, into one transaction.
 * Writes are sent separately, after the reads that were queued before them.
 */
export function batchReads(connection: Connection): Execute {
  let queue: QueuedRead[] = [];

  function flush() {
    const reads = queue;
    queue = [];
    if (reads.length > 0) void sendReads(connection, reads);
  }

  return async (statements) => {
    if (!statements.every(({ sql }) => isRead(sql))) {
      flush();
      return connection.run(statements, "write");
    }
    return new Promise((resolve, reject) => {
      queue.push({ statements, resolve, reject });
      // A macrotask, so that pending promises run first.
      if (queue.length === 1) setTimeout(flush, 0);
    });
  };
}

async function sendReads(connection: Connection, reads: QueuedRead[]): Promise<void> {
  try {
    const results = await connection.run(
      reads.flatMap(({ statements }) => statements),
      "read",
    );
    for (const { statements, resolve } of reads) resolve(results.splice(0, statements.length));
  } catch (error) {
    if (reads.length === 1 || isOutage(error)) {
      for (const { reject } of reads) reject(error);
      return;
    }
    // One read is invalid: send them separately, so that only that one fails.
    for (const read of reads) void sendReads(connection, [read]);
  }
}
