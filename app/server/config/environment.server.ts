import { z } from "zod";
import { brand } from "#app/brand.ts";
import { type RateLimitName, rateLimits } from "../http/mutations.server.ts";
import type { EmailQueueMessage } from "../mail/due-email.ts";
import { splitSecrets } from "./crypto.server.ts";
import { type DailyLimits, dailyLimits } from "./daily-limits.ts";
import { SetupError } from "./setup-error.ts";

const libsqlUrl = z.url({
  protocol: /^(libsql|https?)$/,
  error: "is not the URL of a libSQL server: it begins with libsql:, https: or http:",
});

const reservationLimit = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, "is not a whole number from 1 to 999999: set it to one, or unset it");

const dailyLimit = (name: keyof DailyLimits) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, "is not a whole number from 1 to 999999: set it to one, or unset it")
    .default(String(dailyLimits[name]))
    .transform(Number);

const offUnlessOn = z
  .enum(["on", "off"], "is neither on nor off: set it to one of them, or unset it")
  .default("off")
  .transform((value) => value === "on");

const settingsSchema = z.object({
  /** `local` on a developer's machine, where pages show what is not set up. */
  ENVIRONMENT: z
    .enum(["local", "production"], "is neither local nor production: set it to one of them")
    .default("production"),
  /** Sign the cookies: one secret, or several separated by commas, newest first. */
  SESSION_SECRET: z
    .string({
      error:
        "is missing: set it with `wrangler secret put SESSION_SECRET`; for `wrangler dev`, `cp .dev.vars.example .dev.vars`",
    })
    .transform(splitSecrets)
    .refine((secrets) => secrets.every(({ length }) => length >= 32), {
      error: ({ input }) =>
        Array.isArray(input) && input.length > 1
          ? "contains a secret shorter than 32 characters (commas separate secrets): make each with `openssl rand -hex 32`"
          : "is shorter than 32 characters: make one with `openssl rand -hex 32`",
    }),
  LIBSQL_URL: libsqlUrl.optional(),
  LIBSQL_REPLICA_URL: libsqlUrl.optional(),
  LIBSQL_AUTH_TOKEN: z.string().optional(),
  /** Other origins whose pages may use the API, separated by commas. */
  CORS_ORIGINS: z
    .string()
    .default("")
    .transform((list) =>
      list
        .split(",")
        .map((origin) => origin.trim())
        .filter(Boolean),
    )
    .refine(
      (origins) => origins.every(isOrigin),
      "contains something that is not an origin: write each like https://shop.example, without a path",
    ),
  /** OAuth credentials. Without them there is no sign-in with Google. */
  GOOGLE_CLIENT_ID: z.string().min(1, "is empty: set it, or unset both Google settings").optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1, "is empty: set it, or unset both Google settings").optional(),
  /** The payment provider. Without it, buyers pay sellers directly. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^[sr]k_\w+$/,
      "is not a secret key: it begins with sk_ or rk_; or unset both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET",
    )
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_\w+$/,
      "is not the secret of a webhook: it begins with whsec_; or unset both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET",
    )
    .optional(),
  /** Locally, the origin of what stands in for Stripe. */
  STRIPE_API_ORIGIN: z
    .string()
    .refine(isOrigin, "is not an origin: write it like http://127.0.0.1:12111, without a path")
    .optional(),
  /** Sender of emails: an address without a name. */
  MAIL_FROM: z
    .string()
    .regex(
      z.regexes.html5Email,
      "is not an email address: write one like post@ringback.example, without a name",
    )
    .optional(),
  /** How long a cached page is fresh; 0 turns the cache off. Users who wrote bypass it for 15 minutes. */
  EDGE_CACHE_SECONDS: z
    .string()
    .default("60")
    .refine(
      (text) => /^\d+$/.test(text) && Number(text) <= 450,
      "is not a number of seconds from 0 to 450: set it to one, or unset it",
    )
    .transform(Number),
  /** Whether the first listing of a seller who is not verified waits for a moderator's approval. */
  HOLD_FIRST_LISTINGS: offUnlessOn,
  /** Whether only sellers publish whom the payment provider can pay. */
  PAYOUTS_REQUIRED: offUnlessOn,
  /** How many open reservations a buyer may have, with a confirmed email address and without. */
  MAX_RESERVATIONS: reservationLimit.default("5").transform(Number),
  MAX_RESERVATIONS_UNCONFIRMED: z
    .string()
    .regex(/^(0|[1-9]\d{0,5})$/, "is not a whole number from 0 to 999999: set it to one, or unset it")
    .default("2")
    .transform(Number),
  /** How many open reservations accounts younger than a day have together that were made from one network address. */
  MAX_RESERVATIONS_NEW_ACCOUNTS: reservationLimit.default("5").transform(Number),
  /** How many listings an account may publish a day: with a confirmed email address, without, and as a verified seller. */
  MAX_LISTINGS_A_DAY: dailyLimit("MAX_LISTINGS_A_DAY"),
  MAX_LISTINGS_A_DAY_UNCONFIRMED: dailyLimit("MAX_LISTINGS_A_DAY_UNCONFIRMED"),
  MAX_LISTINGS_A_DAY_VERIFIED: dailyLimit("MAX_LISTINGS_A_DAY_VERIFIED"),
  /** How many messages an account may write a day in one conversation, and how many sellers it may write to first. */
  MAX_MESSAGES_A_DAY: dailyLimit("MAX_MESSAGES_A_DAY"),
  MAX_NEW_CONVERSATIONS_A_DAY: dailyLimit("MAX_NEW_CONVERSATIONS_A_DAY"),
  PUBLIC_ORIGIN: z
    .string()
    .refine(isOrigin, "is not an origin: write it like https://ringback.example, without a path")
    .optional(),
});

export const settingNames = Object.keys(settingsSchema.shape);

const pairs = [
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
] as const;

const environmentSchema = settingsSchema.extend({
  DB: z.custom<D1Database>().optional(),
  VERSION: z.object({ id: z.string() }).optional(),
  MAIL: z.custom<SendEmail>().optional(),
  EMAIL_QUEUE: z.custom<Queue<EmailQueueMessage>>().optional(),
  IMPORT_QUEUE: z.custom<Queue<{ importId: string }>>().optional(),
  PHOTOS: z.custom<R2Bucket>().optional(),
  BACKUPS: z.custom<R2Bucket>().optional(),
  IMAGES: z.custom<ImagesBinding>().optional(),
  ...rateLimitBindings(),
});

function rateLimitBindings() {
  const binding = z.custom<RateLimit>(
    (bound) => bound !== undefined,
    "is not bound: bind it as `wrangler.toml` does",
  );
  return Object.fromEntries(Object.keys(rateLimits).map((name) => [name, binding])) as Record<
    RateLimitName,
    typeof binding
  >;
}

export type Environment = z.infer<typeof environmentSchema>;

/** @throws SetupError that names each missing or invalid setting, without its value */
export function parseEnvironment(raw: unknown): Environment {
  return parse(environmentSchema, raw);
}

const parsedEnvironments = new WeakMap<object, Environment>();

/** Parses the environment once in each isolate. @throws SetupError as `parseEnvironment` does */
export function environmentOf(raw: Record<string, unknown>): Environment {
  const known = parsedEnvironments.get(raw) ?? parseEnvironment(raw);
  parsedEnvironments.set(raw, known);
  return known;
}

/** Validates the settings without the bindings. @throws SetupError as `parseEnvironment` does */
export function checkSettings(raw: unknown): void {
  parse(settingsSchema, raw);
}

/** Other origins that forms may redirect to, for the Content-Security-Policy: those of Google and Stripe, if configured. */
export function formTargets(raw: Record<string, unknown>): string[] {
  const { GOOGLE_CLIENT_ID, STRIPE_SECRET_KEY, STRIPE_API_ORIGIN } = raw;
  const ofStripe = STRIPE_API_ORIGIN
    ? [String(STRIPE_API_ORIGIN)]
    : ["https://checkout.stripe.com", "https://connect.stripe.com"];
  return [
    ...(GOOGLE_CLIENT_ID ? ["https://accounts.google.com"] : []),
    ...(STRIPE_SECRET_KEY ? ofStripe : []),
  ];
}

function parse<Output extends z.infer<typeof settingsSchema>>(
  schema: z.ZodType<Output>,
  raw: unknown,
): Output {
  const parsed = schema.superRefine(checkPairs).safeParse(raw);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  throw new SetupError(`${brand.name} cannot run with these settings: ${problems.join("; ")}.`);
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
}

function checkPairs(settings: z.infer<typeof settingsSchema>, { addIssue }: z.RefinementCtx): void {
  for (const name of ["LIBSQL_REPLICA_URL", "LIBSQL_AUTH_TOKEN"] as const) {
    if (settings[name] && !settings.LIBSQL_URL)
      addIssue({ code: "custom", path: ["LIBSQL_URL"], message: requiredWith(name) });
  }
  if (settings.STRIPE_API_ORIGIN && settings.ENVIRONMENT !== "local")
    addIssue({
      code: "custom",
      path: ["STRIPE_API_ORIGIN"],
      message: "is for ENVIRONMENT local only: unset it, so that payments go to Stripe",
    });
  if (settings.STRIPE_API_ORIGIN && !settings.STRIPE_SECRET_KEY)
    addIssue({ code: "custom", path: ["STRIPE_SECRET_KEY"], message: requiredWith("STRIPE_API_ORIGIN") });
  if (settings.PAYOUTS_REQUIRED && !settings.STRIPE_SECRET_KEY)
    addIssue({ code: "custom", path: ["STRIPE_SECRET_KEY"], message: requiredWith("PAYOUTS_REQUIRED") });
  for (const [one, other] of pairs) {
    if (settings[one] && !settings[other])
      addIssue({ code: "custom", path: [other], message: requiredWith(one) });
    if (settings[other] && !settings[one])
      addIssue({ code: "custom", path: [one], message: requiredWith(other) });
  }
}

function requiredWith(name: string): string {
  return `is required together with ${name}: set it, or unset ${name}`;
}
