import { z } from "zod";
import { tokenScopes } from "#app/db/values.ts";

/** Personal access tokens of one account, expired ones included. */
export const maxPersonalAccessTokens = 20;

/** A token can be created within so many minutes of a login, so that nobody can do it in a browser left open. */
export const tokenCreationMinutes = 15;

const lifetimes = ["30", "90", "365"] as const;

/** The form for a new token; `days` is its lifetime. */
export const personalAccessTokenSchema = z.object({
  name: z
    .string({ error: "Name required" })
    .trim()
    .min(1, { error: "Name required", abort: true })
    .max(60, "Name must be 60 characters or shorter"),
  scope: z.enum(tokenScopes, { error: "Choose what the token can do" }),
  days: z.enum(lifetimes, { error: "Choose when the token expires" }),
});

export type NewPersonalAccessToken = z.infer<typeof personalAccessTokenSchema>;
