import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";
import { createDb } from "./db/client.server.ts";
import { callTable, type FoundCall, methodsOf } from "./platform/calls.server.ts";
import { crossOriginHeaders, listedOrigin, optionsAnswer } from "./platform/cors.server.ts";
import { type Environment, formTargets, parseEnvironment } from "./platform/environment.server.ts";
import { filesTaken } from "./platform/files.server.ts";
import { secured } from "./platform/headers.server.ts";
import { logFault } from "./platform/log.server.ts";
import { problem } from "./platform/problem.server.ts";
import { createRequestContext, picturesOf, type RequestMarks } from "./platform/request-context.server.ts";
import { pageMethods, plain, type Refuse, readWhole, refuse, unread } from "./platform/security.server.ts";
import { atEachTick } from "./routes/clock.server.ts";

const handleByRemix = createRequestHandler(build);
const calls = callTable(build.routes);
const takesFiles = filesTaken(build.routes);

export default {
  async fetch(request, rawEnvironment, execution) {
    const marks = { nonce: crypto.randomUUID().replaceAll("-", ""), reference: crypto.randomUUID() };
    const found = calls.find(request);
    const secure = (answer: Response) => secured(answer, marks.nonce, formTargets(rawEnvironment));
    try {
      const arrival = { environment: parseEnvironment(rawEnvironment), marks, execution };
      const answer =
        found.door === "call" ? await answerCall(found, arrival) : await answerPage(found.request, arrival);
      return secure(answer);
    } catch (fault) {
      logFault(fault, marks.reference);
      const say = found.door === "call" ? sayProblem : plain;
      return secure(say(500, `Something went wrong on our side. Reference: ${marks.reference}`));
    }
  },

  /** At the times that `wrangler.toml` says. */
  async scheduled(_event, rawEnvironment) {
    const reference = crypto.randomUUID();
    try {
      const environment = parseEnvironment(rawEnvironment);
      await atEachTick(createDb(environment), picturesOf(environment));
    } catch (fault) {
      logFault(fault, reference);
    }
  },
} satisfies ExportedHandler<Record<string, unknown>>;

/** What comes with a request, whichever door it knocks at. */
interface Arrival {
  environment: Environment;
  marks: RequestMarks;
  execution: Pick<ExecutionContext, "waitUntil">;
}

async function answerPage(request: Request, arrival: Arrival): Promise<Response> {
  const refusal = refuse(request, { methods: pageMethods, trusted: false, say: plain });
  return refusal ?? answerByRoute(request, arrival, plain);
}

async function answerCall({ request, calls }: FoundCall, arrival: Arrival): Promise<Response> {
  const { environment } = arrival;
  const methods = methodsOf(calls);
  const trusted = listedOrigin(request, environment) !== null;
  const answer =
    refuse(request, { methods, trusted, say: sayProblem }) ??
    (request.method === "OPTIONS"
      ? optionsAnswer(request, methods, environment)
      : await answerByRoute(request, arrival, sayProblem));
  const headers = new Headers(answer.headers);
  for (const [name, value] of crossOriginHeaders(request, environment)) headers.append(name, value);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

async function answerByRoute(request: Request, { environment, marks, execution }: Arrival, say: Refuse) {
  const whole = takesFiles(request) ? unread(request) : await readWhole(request, say);
  if (whole instanceof Response) return whole;
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  return handleByRemix(whole, createRequestContext(environment, calls, marks, waitUntil));
}

const sayProblem: Refuse = (status, detail, headers) => problem(status, detail, { headers });
