import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";
import { type Environment, formTargets, parseEnvironment } from "./platform/environment.server.ts";
import { secured } from "./platform/headers.server.ts";
import { logFault } from "./platform/log.server.ts";
import { createRequestContext, type RequestMarks } from "./platform/request-context.server.ts";
import { plain, readWhole, refuse } from "./platform/security.server.ts";

const handleByRemix = createRequestHandler(build);

export default {
  async fetch(request, rawEnvironment) {
    const marks = { nonce: crypto.randomUUID().replaceAll("-", ""), reference: crypto.randomUUID() };
    const answer = await answerTo(request, rawEnvironment, marks).catch((fault) => {
      logFault(fault, marks.reference);
      return plain(500, `Something went wrong on our side. Reference: ${marks.reference}`);
    });
    return secured(answer, marks.nonce, formTargets(rawEnvironment));
  },
} satisfies ExportedHandler<Record<string, unknown>>;

async function answerTo(
  request: Request,
  rawEnvironment: Record<string, unknown>,
  marks: RequestMarks,
): Promise<Response> {
  const environment: Environment = parseEnvironment(rawEnvironment);
  const refusal = refuse(request);
  if (refusal) return refusal;
  const whole = await readWhole(request);
  if (whole instanceof Response) return whole;
  return handleByRemix(whole, createRequestContext(environment, marks));
}
