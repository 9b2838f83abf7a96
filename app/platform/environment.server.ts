import { z } from "zod";

/** What an operator sets: text. */
const settingsSchema = z.object({
  /** Signs the cookies. */
  SESSION_SECRET: z
    .string({ error: "is missing: set it with `wrangler secret put SESSION_SECRET`" })
    .min(32, "is shorter than 32 characters"),
  LIBSQL_URL: z.url("is not a URL").optional(),
  LIBSQL_AUTH_TOKEN: z.string().optional(),
  /** Whom mails come from: an address alone. */
  MAIL_FROM: z.string().regex(z.regexes.html5Email, "is not an email address").optional(),
  /** The host that links in mails lead to. */
  PUBLIC_ORIGIN: z.string().refine(isOrigin, "is not an origin like https://ringback.example").optional(),
});

/** What `wrangler.toml` binds beside the settings. */
const environmentSchema = settingsSchema.extend({
  DB: z.custom<D1Database>().optional(),
  REPORT_LIMIT: z.custom<RateLimit>((binding) => binding !== undefined, "is not bound"),
  RECOVERY_LIMIT: z.custom<RateLimit>((binding) => binding !== undefined, "is not bound"),
  MAIL: z.custom<SendEmail>().optional(),
});

function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:/.test(value) && new URL(value).origin === value;
}

export type Environment = z.infer<typeof environmentSchema>;

/**
 * Reads what the deployment configures, once, at the entry.
 *
 * @throws Error naming each setting or binding that is missing or unfit, without its value.
 */
export function parseEnvironment(raw: unknown): Environment {
  return parse(environmentSchema, raw);
}

/**
 * Checks the settings alone, for who is about to start a Worker with them.
 *
 * @throws Error as `parseEnvironment` does
 */
export function checkSettings(raw: unknown): void {
  parse(settingsSchema, raw);
}

function parse<Output>(schema: z.ZodType<Output>, raw: unknown): Output {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  throw new Error(`Ringback cannot start: ${faults.join("; ")}.`);
}
