/** Where the use of D1 by a request or by a message of the queue fails. */
export interface Fault {
  /** Which batch, from 0. */
  batch: number;
  /** So many of its statements are executed, and rolled back; all of them: the batch is committed before the error. */
  statements: number;
  message: string;
}

/** The header of a request that says where its D1 fails, and that of the response with the sizes of its batches. */
export const faultHeader = "X-Soak-Fault";
export const batchesHeader = "X-Soak-Batches";

/**
 * A Worker in front of the product that gives it a D1 binding which fails as the request says. The statements before
 * the failure really run, and D1 really rolls them back. The first message of a batch of the queue may have a `fault`.
 */
export const faultyD1Worker = `
  import worker from "./index.js";

  function withFault(database, fault, batches) {
    return {
      withSession(constraint) {
        const session = database.withSession(constraint);
        async function batch(statements) {
          const number = batches.push(statements.length) - 1;
          if (number !== fault.batch) return session.batch(statements);
          if (fault.statements >= statements.length) await session.batch(statements);
          else if (fault.statements > 0) {
            const failing = session.prepare("select json('not JSON')");
            await session.batch([...statements.slice(0, fault.statements), failing]).catch(() => {});
          }
          throw new Error("D1_ERROR: " + fault.message, { cause: new Error(fault.message) });
        }
        return { batch, prepare: (sql) => session.prepare(sql), getBookmark: () => session.getBookmark() };
      },
    };
  }

  export default {
    ...worker,
    async fetch(request, bindings, execution) {
      const plan = request.headers.get("${faultHeader}");
      if (!plan) return worker.fetch(request, bindings, execution);
      const batches = [];
      const DB = withFault(bindings.DB, JSON.parse(plan), batches);
      const background = [];
      const waitUntil = (promise) => void background.push(promise);
      const response = await worker.fetch(request, { ...bindings, DB }, { waitUntil });
      // What goes on after the response belongs to the mutation, and can go on itself.
      for (const promise of background) await promise.catch(() => {});
      const answer = new Response(response.body, response);
      answer.headers.set("${batchesHeader}", JSON.stringify(batches));
      return answer;
    },
    queue(batch, bindings, execution) {
      const [{ body: { fault } }] = batch.messages;
      const DB = fault ? withFault(bindings.DB, fault, []) : bindings.DB;
      return worker.queue(batch, { ...bindings, DB }, execution);
    },
  };
`;
