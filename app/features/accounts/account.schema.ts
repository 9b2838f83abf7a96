import { z } from "zod";

/** bcrypt reads no further than this many bytes; more would be dropped without a word. */
const bcryptBytes = 72;

/** Said of an address that is none. */
export const invalidEmail = "Enter an email address like name@example.com";

// A rule that aborts keeps later ones quiet, so that a field shows one message: the first that matters.
export const emailSchema = z
  .string({ error: "Email Address required" })
  .trim()
  .min(1, { error: "Email Address required", abort: true })
  .max(254, { error: "Email Address must be 254 characters or shorter", abort: true })
  // What browsers take for an address: https://html.spec.whatwg.org/#valid-e-mail-address
  .regex(z.regexes.html5Email, invalidEmail);

const password = z
  .string({ error: "Password is required" })
  .min(1, { error: "Password is required", abort: true })
  .min(6, { error: "Password must be 6 Character or Longer", abort: true })
  .refine((value) => new TextEncoder().encode(value).length <= bcryptBytes, {
    error: `Password must be ${bcryptBytes} bytes or shorter`,
    abort: true,
  });

export const logInSchema = z.object({ email: emailSchema, password });

export const signUpSchema = z.object({
  name: z
    .string({ error: "Name required" })
    .trim()
    .min(1, { error: "Name required", abort: true })
    .max(100, "Name must be 100 characters or shorter"),
  email: emailSchema,
  password: password.refine((value) => /[a-z]/.test(value) && /\d/.test(value), "Need strong password"),
});

/** An account as a program asks for it; without a password it is the caller's own that is meant. */
export const newUserSchema = signUpSchema.extend({
  userType: z.enum(["Buyer", "Seller"], { error: "User Type must be Buyer or Seller" }),
  password: signUpSchema.shape.password
    .meta({
      description: "With a lowercase letter and a digit; at most 72 bytes.",
      pattern: "[a-z]",
    })
    .optional(),
});

/** Who has forgotten the password. */
export const recoverySchema = z.object({ email: emailSchema });

/** The new one. */
export const newPasswordSchema = signUpSchema.pick({ password: true });

/** Which form of My account was sent: the page has several. */
const intent = <Intent extends string>(name: Intent) => z.literal(name, { error: "Unknown form" });

/** A new name. */
export const nameSchema = signUpSchema.pick({ name: true }).extend({ intent: intent("name") });

/** A new password in place of the one that is known. */
export const passwordSchema = newPasswordSchema.extend({
  intent: intent("password"),
  currentPassword: password,
});

/** The end of an account, confirmed by its password. */
export const closingSchema = z.object({ intent: intent("close"), password });

/** The end of an account that has no password, confirmed by its address. */
export const closingByAddressSchema = z.object({ intent: intent("close"), email: emailSchema });

export type SignUp = z.infer<typeof signUpSchema>;
export type LogIn = z.infer<typeof logInSchema>;
