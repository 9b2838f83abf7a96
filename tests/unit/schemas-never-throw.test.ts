import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import {
  closingByEmailSchema,
  closingSchema,
  loginSchema,
  nameSchema,
  newPasswordSchema,
  passwordSchema,
  recoverySchema,
  signUpSchema,
} from "#app/features/accounts/account.schema.ts";
import { listingSchema } from "#app/features/listings/listing.schema.ts";
import { bookingSchema } from "#app/features/orders/booking.schema.ts";
import { ticketSchema } from "#app/features/support-tickets/ticket.schema.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { anyField, anyText } from "../harness/arbitraries.ts";

const schemas: Record<string, z.ZodObject> = {
  loginSchema,
  signUpSchema,
  recoverySchema,
  newPasswordSchema,
  nameSchema,
  passwordSchema,
  closingSchema,
  closingByEmailSchema,
  bookingSchema,
  listingSchema,
  reportSchema: ticketSchema,
};

describe.each(Object.entries(schemas))("%s", (_name, schema) => {
  const fields = Object.keys(schema.shape);

  test("parses any form to values or to messages of known fields", () => {
    fc.assert(
      fc.property(fc.array(anyField(fields), { maxLength: 12 }), (entries) => {
        const form = new FormData();
        for (const [name, value] of entries) form.append(name, value);
        const submission = parseForm(form, schema);
        const named = Object.keys(
          submission.status === "success" ? submission.value : (submission.error ?? {}),
        );
        expect(fields).toEqual(expect.arrayContaining(named));
        expect(named.length).toBeGreaterThan(0);
      }),
    );
  });

  test("parses any JSON value without an exception", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record(Object.fromEntries(fields.map((field) => [field, fc.jsonValue()]))),
        ),
        (value) => {
          const parsed = schema.safeParse(value);
          expect(parsed.success || parsed.error.issues.length > 0).toBe(true);
        },
      ),
    );
  });
});

const price = listingSchema.shape.sellingPrice;

test("each price in whole cents is parsed exactly, as text and as a number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10_000_000 }), (cents) => {
      const text = (cents / 100).toFixed(2);
      expect(price.parse(text)).toBe(cents);
      expect(price.parse(` ${text} `)).toBe(cents);
      expect(price.parse(cents / 100)).toBe(cents);
    }),
  );
});

test("text without a digit is not a price, and no text is one out of range", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const parsed = price.safeParse(text);
      if (!parsed.success) return;
      expect(text).toMatch(/\p{N}/u);
      expect(Number.isInteger(parsed.data) && parsed.data >= 100 && parsed.data <= 10_000_000).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test.each(["-5", "0", "0.99", "1e3", "0x10", "Infinity", "NaN", "349.505", "100000.01", "1,00,0", "", " "])(
  "%j is not a price",
  (text) => {
    expect(price.safeParse(text).success).toBe(false);
  },
);

test.each([
  "2026-02-30",
  "2026-13-01",
  "2026-1-1",
  "1999-12-31",
  "9999-01-01",
  "yesterday",
  "2026-11-20T00:00",
])("%j is not a valid post date", (text) => {
  expect(listingSchema.shape.postDate.safeParse(text).success).toBe(false);
});

test.each([
  "javascript:alert(1)",
  "data:image/png;base64,AAAA",
  "//host/a.jpg",
  "/a.jpg",
  "ftp://host/a.jpg",
  "http://",
])("%j is not an image URL", (text) => {
  expect(listingSchema.shape.image.safeParse(text).success).toBe(false);
});
