import fc from "fast-check";
import { anyText, wellFormed } from "./arbitraries.ts";
import type { Operation } from "./openapi.ts";

/** Values that are valid for a field beyond what its schema says. */
const fitting: Record<string, unknown[]> = {
  marketPrice: ["549", 549, "549.50"],
  sellingPrice: ["199", 199.5],
  price: ["349.5", 349.5],
  postDate: ["2026-11-20"],
  image: ["https://pictures.example/a.jpg"],
  email: ["stranger@example.com", "new@example.com"],
  password: ["secret1"],
  query: ["q=iphone", "?brand=Apple&to=300"],
};

interface Property {
  enum?: unknown[];
  type?: string | string[];
}

/** Mostly valid values for a field, else any JSON. */
function anyValue(name: string, { enum: known }: Property, targets: string[]): fc.Arbitrary<unknown> {
  const fits = fitting[name] ??
    known ??
    (["phoneId", "targetId"].includes(name) ? targets : null) ?? ["8 GB", "x"];
  return fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...fits) },
    { weight: 1, arbitrary: anyText() },
    { weight: 1, arbitrary: fc.constantFrom(...targets) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

/**
 * Request bodies as text: almost valid, any JSON, and invalid JSON; undefined if the operation takes none.
 *
 * @param targets ids, addresses and categories that exist
 */
export function anyBody({ requestBody }: Operation, targets: string[]): fc.Arbitrary<string | undefined> {
  const json = requestBody?.content["application/json"];
  if (!json) return fc.constant(undefined);
  const { properties = {} } = json.schema as {
    properties?: Record<string, Property>;
  };
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, anyValue(name, property, targets)]),
  );
  const near = fc.record(fields, { requiredKeys: [] });
  const whole = fc.record(fields);
  const more = fc.tuple(whole, fc.dictionary(anyText(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }));
  return fc.oneof(
    { weight: 4, arbitrary: whole.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: near.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: more.map(([body, extra]) => JSON.stringify({ ...extra, ...body })) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyText() },
  );
}

const anyName = (targets: string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...targets) },
    { weight: 2, arbitrary: anyText().map(wellFormed) },
  );

/** URLs of an operation: its path with parameters, and a query with some unknown parameters. */
export function anyPath(
  template: string,
  { parameters }: Operation,
  targets: string[],
): fc.Arbitrary<string> {
  const names = [...template.matchAll(/\{\w+\}/g)].map(([name]) => name);
  const known = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const word = fc.tuple(fc.constantFrom("x", ...known, ...known), anyName(targets));
  const query = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(word, { maxLength: 3 }) },
  );
  // An empty segment or one of dots only would be another path.
  const part = anyName(targets).filter((name) => !/^\.{0,2}$/.test(name) && name.length < 2_000);
  return fc.tuple(fc.tuple(...names.map(() => part)), query).map(([parts, words]) => {
    const path = names.reduce(
      (filled, name, index) => filled.replace(name, () => encodeURIComponent(parts[index] ?? "")),
      template,
    );
    const search = String(new URLSearchParams(words.map(([name, word]) => [name, word.slice(0, 2_000)])));
    return search ? `${path}?${search}` : path;
  });
}

export const anyHeaders = () =>
  fc.record(
    {
      "Idempotency-Key": fc.oneof(
        { weight: 4, arbitrary: fc.uuid() },
        { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."ab \"'é~"), maxLength: 4 }) },
      ),
      "If-None-Match": fc.constantFrom("*", '"x"', "x", ",", 'W/"'),
      Accept: fc.constantFrom("*/*", "application/json", "image/png", ""),
      "X-Forwarded-Host": fc.constant("other.example"),
      Cookie: fc.constantFrom("__Host-session=x", "=", "__Host-session=%; a"),
    },
    { requiredKeys: [] },
  );

export const anyBodyType = () =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant("application/json") },
    { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/json; charset=x", ";", "image/png") },
  );
