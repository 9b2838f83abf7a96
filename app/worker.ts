import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";
import { type Environment, parseEnvironment } from "./platform/environment.server.ts";
import { secured } from "./platform/headers.server.ts";
import { logFault } from "./platform/log.server.ts";
import { createRequestContext, type RequestMarks } from "./platform/request-context.server.ts";
import { plain, readWhole, refuse } from "./platform/security.server.ts";

const handleByRemix = createRequestHandler(build);

export default {
  async fetch(request, rawEnvironment, execution) {
    const marks = { nonce: crypto.randomUUID().replaceAll("-", ""), reference: crypto.randomUUID() };
    const answer = await answerTo(request, rawEnvironment, marks, execution).catch((fault) => {
      logFault(fault, marks.reference);
      return plain(500, `Something went wrong on our side. Reference: ${marks.reference}`);
    });
    return secured(answer, marks.nonce);
  },
} satisfies ExportedHandler<Record<string, unknown>>;

async function answerTo(
  request: Request,
  rawEnvironment: Record<string, unknown>,
  marks: RequestMarks,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<Response> {
  const environment: Environment = parseEnvironment(rawEnvironment);
  const refusal = refuse(request);
  if (refusal) return refusal;
  const whole = await readWhole(request);
  if (whole instanceof Response) return whole;
  const context = createRequestContext(environment, marks, (work) => execution.waitUntil(work));
  return handleByRemix(whole, context);
}
