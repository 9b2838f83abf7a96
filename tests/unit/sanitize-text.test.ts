import { expect, test } from "vitest";
import { z } from "zod";
import { nameSchema, signUpSchema } from "#app/features/accounts/account.schema.ts";
import { isReservedName } from "#app/features/accounts/reserved-names.rules.ts";
import { listingSchema } from "#app/features/listings/listing.schema.ts";
import { messageSchema } from "#app/features/messages/message.schema.ts";
import { newSavedAddressSchema } from "#app/features/orders/booking.schema.ts";
import { replySchema } from "#app/features/reviews/review.schema.ts";
import { searchSettingsSchema } from "#app/features/saved-searches/saved-search.schema.ts";
import { ticketMessageSchema } from "#app/features/support-tickets/ticket.schema.ts";
import { parseJson } from "#app/server/api/json-body.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { plainLetters, sanitizeText, singleLine } from "#app/server/forms/sanitize-text.ts";

test.each([
  ["decomposed", "Sea\u0301n", "Se\u00e1n"],
  ["no-break spaces", "256\u00a0GB\u202f5G\u2009\u3000", "256 GB 5G"],
  ["zero width", "Pix\u200bel\u2060 8\ufeff", "Pixel 8"],
  ["turned direction", "\u202aMia\u202c \u2066Sund\u2069\u200f\u202e", "Mia Sund"],
  ["soft hyphens and tags", "Mi\u00ada\u{E0041}", "Mia"],
  ["fillers", "Mi\u3164a\uffa0\u115f\u1160\u034f", "Mia"],
  ["controls", "Mi\u0007a\u001b", "Mia"],
  ["a selector behind a letter", "Mia\ufe0f", "Mia"],
  ["joiners between Latin letters", "Mi\u200da\u200c", "Mia"],
  ["a blank Braille pattern", "\u2800Mia\u2800", "Mia"],
])("a text loses %s", (_, typed, stored) => {
  expect(sanitizeText(typed)).toBe(stored);
});

test.each([
  ["a family", "👨‍👩‍👧"],
  ["a colored hand and a profession", "👍🏽 🧑🏿‍⚕️"],
  ["a heart on fire", "❤️‍🔥"],
  ["flags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏳️‍🌈 🇩🇰"],
  ["a keycap", "1️⃣"],
  ["Persian", "می‌خواهم"],
  ["Sinhala", "ශ්‍රී"],
  ["Hindi", "क्‍ष"],
  ["lines and tabs", "One\n\n\tTwo"],
])("a text keeps what %s needs", (_, text) => {
  expect(sanitizeText(text)).toBe(text);
});

test("line breaks stay in a text and are spaces in a line", () => {
  expect(sanitizeText("One\r\nTwo\u2028Three\rFour\n")).toBe("One\nTwo\nThree\nFour");
  expect(singleLine("One\r\nTwo\u2028 Three\t\u0085Four\fFive")).toBe("One Two Three Four Five");
});

const required = [
  ["name", nameSchema, "Name required"],
  ["email", signUpSchema, "Email Address required"],
  ["brandName", listingSchema, "Brand Name is required"],
  ["model", listingSchema, "Model is required"],
  ["camera", listingSchema, "Camera Detail is required"],
  ["sellingReason", listingSchema, "Selling Reason is required"],
  ["address", newSavedAddressSchema, "Address required"],
  ["text", messageSchema, "Write a message"],
  ["text", ticketMessageSchema, "Write a message"],
  ["reply", replySchema, "Write a reply"],
  ["name", searchSettingsSchema, "Name required"],
] as const;

test.each(required)(
  "%s is required if nothing of it is seen, by form and by JSON",
  (name, schema, message) => {
    for (const typed of [
      "\u200b\u200b",
      "\u200b",
      "\u3164",
      "\u115f\u1160",
      "\u2800",
      "\u00a0\u202f",
      "\u202e\ufe0f",
    ]) {
      const form = new FormData();
      form.set(name, typed);
      expect([typed, parseForm<z.ZodObject>(form, schema).reply().error?.[name]]).toEqual([typed, [message]]);
      const { error } = z.object(schema.shape).safeParse(parseJson(JSON.stringify({ [name]: typed })));
      const issue = error?.issues.find(({ path }) => path[0] === name);
      expect([typed, issue?.message]).toEqual([typed, message]);
    }
  },
);

test("an address as Windows copies it is accepted", () => {
  const email = "\u202amia@example.com\u202c";
  expect(signUpSchema.parse({ name: "Mia", email, password: "secret1" }).email).toBe("mia@example.com");
});

test("a password stays as it was typed until it is hashed", () => {
  const form = new FormData();
  form.set("password", " \u200bcafe\u03011 ");
  const { password } = signUpSchema.shape;
  expect(parseForm(form, signUpSchema.pick({ password: true })).payload).toEqual({
    password: " \u200bcafe\u03011 ",
  });
  expect(parseJson('{"password":" \u00a0secret1 "}')).toEqual({ password: " \u00a0secret1 " });
  // Its length counts in the form that is hashed: one sign becomes 18 letters.
  expect(password.safeParse(`a1ab${"\ufdfa".repeat(3)}`).error?.issues[0]?.message).toBe(
    "Password must be 72 bytes or shorter",
  );
});

test.each([
  "Ringback",
  "RINGBACK",
  "Ringback Support",
  "The Ringback Team",
  "RingbackHelp",
  "R i n g b a c k",
  "Ring-back",
  "R\u0131ngb\u0430ck",
  "Ringb\u0430\u0441k",
  "R1ngback",
  "Rlngback Ltd",
  "Ríngbäck",
  "\uff32\uff49\uff4e\uff47\uff42\uff41\uff43\uff4b",
  "Ring\u200bback",
  "Ringb\u202eack",
  "Former member",
  "FORMER  MEMBER",
  "System",
  "Sуstеm",
  "Administrator",
  "Support",
])("%s is the name of no account, brand or model", (typed) => {
  expect(isReservedName(singleLine(typed))).toBe(true);
  expect(nameSchema.safeParse({ intent: "name", name: typed }).error?.issues[0]?.message).toBe(
    "Only Ringback can use this name",
  );
  expect(listingSchema.shape.brandName.safeParse(typed).success).toBe(false);
  expect(listingSchema.shape.model.safeParse(typed).success).toBe(false);
});

test.each([
  "Mia Sund",
  "Spring Backer",
  "Sam Ring",
  "Back Ringo",
  "Anna Müller",
  "Özgür Yılmaz",
  "Анна",
  "Systema",
  "Ад",
  "李雷",
])("%s is a name for everybody", (name) => {
  expect(isReservedName(name)).toBe(false);
});

test.each([
  "49 015420 323751 8",
  "49-015420-323751-8",
  "49‑015420–323751—8",
  "４９０１５４２０３２３７５１８",
  "٤٩٠١٥٤٢٠٣٢٣٧٥١٨",
])("%s is an IMEI as boxes and keyboards write it", (typed) => {
  expect(listingSchema.shape.imei.parse(typed)).toBe("490154203237518");
});

test("digits of each script are plain ones", () => {
  for (const zero of "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐")
    for (let digit = 0; digit < 10; digit += 1)
      expect(plainLetters(String.fromCodePoint((zero.codePointAt(0) ?? 0) + digit))).toBe(String(digit));
});
