import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";
import { callTable, type FoundCall, methodsOf } from "./platform/calls.server.ts";
import { crossOriginHeaders, listedOrigin, optionsAnswer } from "./platform/cors.server.ts";
import { type Environment, formTargets, parseEnvironment } from "./platform/environment.server.ts";
import { secured } from "./platform/headers.server.ts";
import { logFault } from "./platform/log.server.ts";
import { problem } from "./platform/problem.server.ts";
import { createRequestContext, type RequestMarks } from "./platform/request-context.server.ts";
import { pageMethods, plain, type Refuse, readWhole, refuse } from "./platform/security.server.ts";

const handleByRemix = createRequestHandler(build);
const calls = callTable(build.routes);

export default {
  async fetch(request, rawEnvironment) {
    const marks = { nonce: crypto.randomUUID().replaceAll("-", ""), reference: crypto.randomUUID() };
    const found = calls.find(request);
    const secure = (answer: Response) => secured(answer, marks.nonce, formTargets(rawEnvironment));
    try {
      const environment = parseEnvironment(rawEnvironment);
      const answer =
        found.door === "call"
          ? await answerCall(found, environment, marks)
          : await answerPage(found.request, environment, marks);
      return secure(answer);
    } catch (fault) {
      logFault(fault, marks.reference);
      const say = found.door === "call" ? sayProblem : plain;
      return secure(say(500, `Something went wrong on our side. Reference: ${marks.reference}`));
    }
  },
} satisfies ExportedHandler<Record<string, unknown>>;

function answerPage(request: Request, environment: Environment, marks: RequestMarks): Promise<Response> {
  const refusal = refuse(request, { methods: pageMethods, trusted: false, say: plain });
  return refusal ? Promise.resolve(refusal) : answerByRoute(request, environment, marks, plain);
}

async function answerCall(
  found: FoundCall,
  environment: Environment,
  marks: RequestMarks,
): Promise<Response> {
  const { request } = found;
  const methods = methodsOf(found.calls);
  const trusted = listedOrigin(request, environment) !== null;
  const answer =
    refuse(request, { methods, trusted, say: sayProblem }) ??
    (request.method === "OPTIONS"
      ? optionsAnswer(request, methods, environment)
      : await answerByRoute(request, environment, marks, sayProblem));
  const headers = new Headers(answer.headers);
  for (const [name, value] of crossOriginHeaders(request, environment)) headers.append(name, value);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

async function answerByRoute(request: Request, environment: Environment, marks: RequestMarks, say: Refuse) {
  const whole = await readWhole(request, say);
  if (whole instanceof Response) return whole;
  return handleByRemix(whole, createRequestContext(environment, calls, marks));
}

const sayProblem: Refuse = (status, detail, headers) => problem(status, detail, { headers });
