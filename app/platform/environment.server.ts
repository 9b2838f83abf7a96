import { z } from "zod";

const environmentSchema = z.object({
  /** Signs the cookies. */
  SESSION_SECRET: z
    .string({ error: "is missing: set it with `wrangler secret put SESSION_SECRET`" })
    .min(32, "is shorter than 32 characters"),
  LIBSQL_URL: z.url("is not a URL").optional(),
  LIBSQL_AUTH_TOKEN: z.string().optional(),
  DB: z.custom<D1Database>().optional(),
});

export type Environment = z.infer<typeof environmentSchema>;

/**
 * Reads what the deployment configures, once, at the entry.
 *
 * @throws Error naming each setting that is missing or unfit, without its value.
 */
export function parseEnvironment(raw: unknown): Environment {
  const parsed = environmentSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  throw new Error(`Ringback cannot start: ${faults.join("; ")}.`);
}
