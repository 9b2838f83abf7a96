import { z } from "zod";

/** Bytes in base64url. */
const bytes = (maxLength: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(maxLength);

/** Credential ids have at most 1,023 bytes. */
const credential = { id: bytes(1_364), rawId: bytes(1_364), type: z.literal("public-key") };

/** A form field with JSON of the given schema. */
const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .max(16_000)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "This is not JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** Not yet verified. @see https://www.w3.org/TR/webauthn-3/#dictdef-registrationresponsejson */
export const passkeyRegistrationSchema = json(
  z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4_000),
      attestationObject: bytes(8_000),
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .catch([]),
    }),
  }),
);

/** Not yet verified. @see https://www.w3.org/TR/webauthn-3/#dictdef-authenticationresponsejson */
export const passkeyAssertionSchema = json(
  z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4_000),
      authenticatorData: bytes(4_000),
      signature: bytes(2_000),
      // The user id; required because the login form asks for no email address.
      userHandle: bytes(100),
    }),
  }),
);

export type PasskeyRegistration = z.infer<typeof passkeyRegistrationSchema>;
export type PasskeyAssertion = z.infer<typeof passkeyAssertionSchema>;
