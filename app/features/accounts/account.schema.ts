import { z } from "zod";
import { roles, signUpRoles, tokenScopes } from "#app/db/enums.ts";
import { returnDayChoices } from "#app/market.ts";
import { plainLetters } from "#app/server/forms/sanitize-text.ts";
import { freeText, requiredChoiceError, text } from "#app/server/forms/schema-fields.ts";
import { invalidEmail, maxPasswordBytes, normalPassword, passwordForms } from "./account.rules.ts";
import { isReservedName, reservedNameText } from "./reserved-names.rules.ts";

export const roleSchema = z.enum(roles);

/** The rules for a new password, as forms show them. */
export const passwordHint = "At least 6 characters, with a lowercase letter and a digit.";

// `abort` stops at the first failed rule, so that a field shows one message.
export const emailSchema = text({ error: "Email Address required" })
  .overwrite(plainLetters)
  .min(1, { error: "Email Address required", abort: true })
  .max(254, { error: "Email Address must be 254 characters or shorter", abort: true })
  // The same pattern as in browsers: https://html.spec.whatwg.org/#valid-e-mail-address
  .regex(z.regexes.html5Email, invalidEmail);

const passwordText = z
  .string({ error: "Password is required" })
  .min(1, { error: "Password is required", abort: true })
  .min(6, { error: "Password must be 6 Character or Longer", abort: true });

const tooLong = { error: `Password must be ${maxPasswordBytes} bytes or shorter`, abort: true };

const password = passwordText.refine((value) => passwordForms(value).length > 0, tooLong);

const newPassword = passwordText
  .refine((value) => passwordForms(value).includes(normalPassword(value)), tooLong)
  .refine(
    (value) => /[a-z]/.test(normalPassword(value)) && /\d/.test(normalPassword(value)),
    "Need strong password",
  );

export const loginSchema = z.object({ email: emailSchema, password });

export const signUpSchema = z.object({
  name: text({ error: "Name required" })
    .min(1, { error: "Name required", abort: true })
    .max(100, { error: "Name must be 100 characters or shorter", abort: true })
    .refine((name) => !isReservedName(name), reservedNameText),
  email: emailSchema,
  password: newPassword,
});

/** The body of `POST /users`; without a password it refers to the signed-in user's own account. */
export const newUserSchema = signUpSchema.extend({
  userType: z.enum(signUpRoles, {
    error: requiredChoiceError("User Type", "User Type must be Buyer or Seller"),
  }),
  password: signUpSchema.shape.password
    .meta({
      description: "With a lowercase letter and a digit; at most 72 bytes.",
      pattern: "[a-z]",
    })
    .optional(),
});

export const recoverySchema = z.object({ email: emailSchema });

export const newPasswordSchema = signUpSchema.pick({ password: true });

/** The `intent` field names the form of My account that was submitted. */
const intent = <Intent extends string>(name: Intent) => z.literal(name, { error: "Unknown form" });

export const nameSchema = signUpSchema.pick({ name: true }).extend({ intent: intent("name") });

/** What the form of a shop showed when it was opened. */
const shownShop = {
  "shown-shopText": z.string().optional(),
  "shown-returnDays": z.string().optional(),
  "shown-inProductFeed": z.string().optional(),
};

/** What a seller says on the page of their shop. */
export const shopSchema = z.object({
  intent: intent("shop"),
  shopText: freeText("About your shop", { max: 1000 }).default(""),
  /** Asked where the market has a payment provider. */
  returnDays: z
    .enum(returnDayChoices.map(String), { error: "Choose for how many days you take devices back" })
    .transform(Number)
    .optional(),
  inProductFeed: z
    .enum(["yes", "no"], { error: "Choose whether search engines show your devices" })
    .transform((choice) => choice === "yes")
    .optional(),
  ...shownShop,
});

export const passwordSchema = newPasswordSchema.extend({
  intent: intent("password"),
  currentPassword: password,
});

export const newEmailAddressSchema = z.object({
  intent: intent("email address"),
  newEmail: emailSchema,
  currentPassword: password,
});

/** The same for an account without a password. */
export const newEmailAddressByLoginSchema = newEmailAddressSchema.partial({ currentPassword: true });

export const closingSchema = z.object({ intent: intent("close"), password });

export const closingByEmailSchema = z.object({ intent: intent("close"), email: emailSchema });

/** Confirms an email address with the account's password. */
export const verificationSchema = loginSchema.pick({ password: true });

/** The same for somebody who is logged in to the account. */
export const ownerVerificationSchema = verificationSchema.partial();

/** What all forms of My account may contain, for showing a refused one again. */
export const typedFields = z
  .object({
    intent: z.string(),
    name: z.string(),
    email: z.string(),
    newEmail: z.string(),
    shopText: z.string(),
    returnDays: z.string(),
    inProductFeed: z.string(),
    ...shownShop,
    savedAddress: z.string(),
    address: z.string(),
    phone: z.string(),
  })
  .partial();

export type SignUpValues = z.infer<typeof signUpSchema>;

/** Personal access tokens of one account, expired ones included. */
export const maxPersonalAccessTokens = 20;

const lifetimes = ["30", "90", "365"] as const;

/** The form for a new token; `days` is its lifetime. */
export const personalAccessTokenSchema = z.object({
  name: text({ error: "Name required" })
    .min(1, { error: "Name required", abort: true })
    .max(60, "Name must be 60 characters or shorter"),
  scope: z.enum(tokenScopes, { error: "Choose what the token can do" }),
  days: z.enum(lifetimes, { error: "Choose when the token expires" }),
});

export type NewPersonalAccessToken = z.infer<typeof personalAccessTokenSchema>;
