import { z } from "zod";
import { brand } from "#app/brand.ts";
import { type Limited, limits } from "../http/limits.server.ts";
import { secretsOf } from "./secrets.server.ts";
import { SetupError } from "./setup-error.ts";

/** What an operator sets: text. */
const settingsSchema = z.object({
  /** Sign the cookies: one secret, or several with commas between, newest first. */
  SESSION_SECRET: z
    .string({
      error:
        "is missing: set it with `wrangler secret put SESSION_SECRET`; for `wrangler dev`, `cp .dev.vars.example .dev.vars`",
    })
    .transform(secretsOf)
    .refine((secrets) => secrets.every(({ length }) => length >= 32), {
      error: ({ input }) =>
        Array.isArray(input) && input.length > 1
          ? "holds one shorter than 32 characters (a comma separates two secrets)"
          : "is shorter than 32 characters",
    }),
  LIBSQL_URL: z.url("is not a URL").optional(),
  /** A replica of that server, nearer by, to read from. */
  LIBSQL_REPLICA_URL: z.url("is not a URL").optional(),
  LIBSQL_AUTH_TOKEN: z.string().optional(),
  /** Other origins whose pages may make calls, separated by commas. */
  CORS_ORIGINS: z
    .string()
    .default("")
    .transform((list) =>
      list
        .split(",")
        .map((origin) => origin.trim())
        .filter(Boolean),
    )
    .refine((origins) => origins.every(isOrigin), "has something in it that is not an origin"),
  /** What Google calls this deployment; without it there is no sign-in with Google. */
  GOOGLE_CLIENT_ID: z.string().min(1, "is empty").optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1, "is empty").optional(),
  /** Whom mails come from: an address alone. */
  MAIL_FROM: z.string().regex(z.regexes.html5Email, "is not an email address").optional(),
  /** How long a cached page is fresh; 0 switches the cache off. Visitors who wrote bypass it for 15 minutes. */
  EDGE_CACHE_SECONDS: z
    .string()
    .default("60")
    .refine((text) => /^\d+$/.test(text) && Number(text) <= 450, "is not a number of seconds from 0 to 450")
    .transform(Number),
  /** The host that links in mails lead to. */
  PUBLIC_ORIGIN: z.string().refine(isOrigin, "is not an origin like https://ringback.example").optional(),
});

/** Settings that are of use only together. */
const pairs = [["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"]] as const;

/** What `wrangler.toml` binds beside the settings. */
const environmentSchema = settingsSchema.extend({
  DB: z.custom<D1Database>().optional(),
  /** Which deployment this is. */
  VERSION: z.object({ id: z.string() }).optional(),
  MAIL: z.custom<SendEmail>().optional(),
  /** Where uploaded pictures are kept, and what makes their sizes. */
  PHOTOS: z.custom<R2Bucket>().optional(),
  IMAGES: z.custom<ImagesBinding>().optional(),
  ...rateLimits(),
});

/** A binding for each row of the table of limits. */
function rateLimits() {
  const binding = z.custom<RateLimit>((bound) => bound !== undefined, "is not bound");
  return Object.fromEntries(Object.keys(limits).map((name) => [name, binding])) as Record<
    Limited,
    typeof binding
  >;
}

export type Environment = z.infer<typeof environmentSchema>;

/**
 * Reads what the deployment configures, once, at the entry.
 *
 * @throws SetupError naming each setting or binding that is missing or unfit, without its value.
 */
export function parseEnvironment(raw: unknown): Environment {
  return parse(environmentSchema, raw);
}

/** Environments that have been read; the runtime hands each request of an isolate the same one. */
const read = new WeakMap<object, Environment>();

/**
 * What the deployment configures, read once for each isolate.
 *
 * @throws SetupError as `parseEnvironment` does
 */
export function environmentOf(raw: Record<string, unknown>): Environment {
  const known = read.get(raw) ?? parseEnvironment(raw);
  read.set(raw, known);
  return known;
}

/**
 * Checks the settings alone, for who is about to start a Worker with them.
 *
 * @throws SetupError as `parseEnvironment` does
 */
export function checkSettings(raw: unknown): void {
  parse(settingsSchema, raw);
}

/** Where forms may lead beside this site, for the Content-Security-Policy: Google, once it is configured. */
export function formTargets(raw: Record<string, unknown>): string[] {
  return raw.GOOGLE_CLIENT_ID ? ["https://accounts.google.com"] : [];
}

function parse<Output extends z.infer<typeof settingsSchema>>(
  schema: z.ZodType<Output>,
  raw: unknown,
): Output {
  const parsed = schema.superRefine(wholePairs).safeParse(raw);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  throw new SetupError(`${brand.name} cannot start: ${faults.join("; ")}.`);
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
}

function wholePairs(settings: z.infer<typeof settingsSchema>, { addIssue }: z.RefinementCtx): void {
  if (settings.LIBSQL_REPLICA_URL && !settings.LIBSQL_URL)
    addIssue({ code: "custom", path: ["LIBSQL_URL"], message: "is missing beside LIBSQL_REPLICA_URL" });
  for (const [one, other] of pairs) {
    if (settings[one] && !settings[other])
      addIssue({ code: "custom", path: [other], message: `is missing beside ${one}` });
    if (settings[other] && !settings[one])
      addIssue({ code: "custom", path: [one], message: `is missing beside ${other}` });
  }
}
