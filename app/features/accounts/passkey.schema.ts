import { z } from "zod";

/** Bytes as browsers write them; `largest` in characters. */
const bytes = (largest: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(largest);

/** Credentials are called by at most 1,023 bytes. */
const credential = { id: bytes(1_364), rawId: bytes(1_364), type: z.literal("public-key") };

/** Holds JSON in a form's field against the schema of what it should say. */
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

/**
 * What a browser says of a passkey that was just made. Whether it is true is another matter.
 * @see https://www.w3.org/TR/webauthn-3/#dictdef-registrationresponsejson
 */
export const newPasskeySchema = json(
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

/**
 * What a browser says of a passkey that a person logs in with.
 * @see https://www.w3.org/TR/webauthn-3/#dictdef-authenticationresponsejson
 */
export const usedPasskeySchema = json(
  z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4_000),
      authenticatorData: bytes(4_000),
      signature: bytes(2_000),
      // Whose it is; passkeys that log in without an address say so.
      userHandle: bytes(100),
    }),
  }),
);

export type NewPasskey = z.infer<typeof newPasskeySchema>;
export type UsedPasskey = z.infer<typeof usedPasskeySchema>;
