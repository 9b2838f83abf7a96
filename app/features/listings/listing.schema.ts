import { z } from "zod";
import { brand } from "#app/brand.ts";
import { deviceTypes, operatingSystems } from "#app/db/enums.ts";
import { isPublicUrl } from "#app/server/forms/public-url.ts";
import { plainLetters, singleLine } from "#app/server/forms/sanitize-text.ts";
import { freeText, requiredChoiceError, text } from "#app/server/forms/schema-fields.ts";
import { dayMs } from "#app/time.ts";
import { isReservedName, reservedNameText } from "../accounts/reserved-names.rules.ts";
import {
  type Attribute,
  attributes,
  attributesWith,
  type OptionalName,
  recordOf,
  type Stated,
} from "./attributes.ts";
import { isDrawing } from "./drawing.rules.ts";
import { isImei } from "./imei.rules.ts";
import { priceSchema } from "./price.schema.ts";
import { readSize } from "./size.rules.ts";

const maxOwnNumber = 40;

const requiredText = (label: string, maxLength: number) =>
  text({ error: ({ input }) => `${label} ${input === undefined ? "is required" : "must be text"}` })
    .min(1, { error: `${label} is required`, abort: true })
    .max(maxLength, { error: `${label} must be ${maxLength} characters or shorter`, abort: true });

const ownName = (label: string, maxLength: number) =>
  requiredText(label, maxLength).refine((name) => !isReservedName(name), `${label}: ${reservedNameText}`);

const sizeText = (label: string, kind: "ram" | "rom", example: string, kept?: string) =>
  requiredText(label, 30)
    .overwrite((typed) => readSize(typed, kind) ?? typed)
    .refine(
      (size) => readSize(size, kind) !== null || size === kept,
      `${label} must be a size, like ${example}`,
    );

/** Fields of sizes. @param kept what a listing from before sizes were read may go on saying */
export const sizeFields = (kept: { ram?: string; rom?: string } = {}) => ({
  ram: sizeText("Ram", "ram", "8 GB", kept.ram),
  rom: sizeText("Rom", "rom", "128 GB", kept.rom),
});

/** Where links are off, it has to be left out. */
function imageLink(isAllowed: (value: string) => boolean): z.ZodType<string | undefined, string | undefined> {
  if (!brand.imageLinks) {
    const refused = "Pictures can’t be links here. Add photos instead";
    return z
      .string()
      .optional()
      .refine((link) => link === undefined, refused);
  }
  return requiredText("Image Link", 2000).refine(
    isAllowed,
    "Image Link must be a public address that starts with https",
  );
}

type OptionalFields = {
  [Name in OptionalName]: z.ZodOptional<z.ZodType<NonNullable<Stated[Name]>, string | number>>;
};

/** What a listing may leave out. An empty field is one. */
const optionalFields = recordOf(attributesWith("optional"), (name) =>
  optionalField(attributes[name]).optional(),
) as OptionalFields;

function optionalField({ term, choices, maxLength, spelled = String, minPercent = 0 }: Attribute) {
  if (choices) {
    const words = Object.values(choices);
    const error = `${term} must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
    // Forms send the code, the API and files the words.
    return z
      .string({ error })
      .transform((value) => Object.keys(choices).find((code) => choices[code] === value) ?? value)
      .pipe(z.enum(Object.keys(choices), { error }))
      .meta({ enum: words });
  }
  if (maxLength) return freeText(term, { max: maxLength }).transform((text) => spelled(text) || undefined);
  const error = `${term} must be a percentage, like 87`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((value) => singleLine(plainLetters(String(value))))
    .pipe(
      z
        .string()
        .regex(/^\d{1,3}\s?%?$/, { error, abort: true })
        .transform((text) => Number.parseInt(text, 10))
        .refine(
          (percent) => percent >= minPercent && percent <= 100,
          `${term} must be between ${minPercent} and 100`,
        ),
    );
}

/** What a seller calls a listing, by which they find it again. */
const ownNumber = text({ error: "Your own number must be text" })
  .max(maxOwnNumber, `Your own number must be ${maxOwnNumber} characters or shorter`)
  .transform((number) => number || undefined)
  .optional()
  .describe("Your own number (SKU). No two of your listings have the same, and nobody else sees it.");

const imeiField = z
  .string()
  // Phones and boxes print it in groups.
  .transform((text) => singleLine(plainLetters(text)).replace(/[\s/.\p{Pd}]/gu, ""))
  .pipe(
    z
      .string()
      .regex(/^\d{15}$/, { error: "IMEI must be 15 digits. Dial *#06# to see it", abort: true })
      .refine(isImei, "This IMEI isn’t valid. Check its digits"),
  );

/** Reads a time as people type it: "14 months" is "14", "1 year" is "12"; what says more stays as it is. */
function readUsedTime(typed: string): string {
  const [, number, unit = ""] =
    /^(\d+(?:[.,]5)?)\s*(months?|mos?\.?|years?|yrs?\.?)?$/i.exec(plainLetters(typed)) ?? [];
  if (number === undefined) return typed;
  const months = Number(number.replace(",", ".")) * (/^y/i.test(unit) ? 12 : 1);
  return Number.isSafeInteger(months) ? String(months) : typed;
}

/** A new listing, from the form or the REST API. Parses prices into cents. */
export const listingSchema = z.object({
  brandName: ownName("Brand Name", 60),
  model: ownName("Model", 80),
  ...sizeFields(),
  camera: requiredText("Camera Detail", 200),
  processor: requiredText("Processor", 100),
  os: z.enum(operatingSystems, { error: requiredChoiceError("Os", "Os must be Android or Ios") }),
  deviceType: z.enum(deviceTypes, {
    error: requiredChoiceError("Device Type", "Device Type must be Smart Phone or Tablet"),
  }),
  image: imageLink(isPublicUrl).meta({ format: "uri", pattern: "^https://" }),
  battery: requiredText("Battery", 60),
  sellingReason: freeText("Selling Reason", { max: 1000, missing: "Selling Reason is required" }).min(
    1,
    "Selling Reason is required",
  ),
  marketPrice: priceSchema("Market Price"),
  sellingPrice: priceSchema("Selling Price"),
  postDate: requiredText("Post Date", 40)
    .refine((value) => z.iso.date().safeParse(value).success, {
      error: "Post Date must be a date, like 2026-11-21",
      abort: true,
    })
    .refine((value) => value >= "2000-01-01", { error: "Post Date must be after 1999", abort: true })
    // One day of tolerance for sellers in time zones ahead of UTC.
    .refine((value) => Date.parse(value) <= Date.now() + dayMs, "Post Date can’t be in the future")
    .meta({ format: "date", description: "Not in the future." }),
  // A number of months, or a text.
  usedTime: requiredText("Used Time", 40).overwrite(readUsedTime),
  ...optionalFields,
  ownNumber,
  imei: imeiField.optional(),
});

/** The form of a new listing, which may have photos in place of an image link. */
export const listingFormSchema = listingSchema.extend({
  image: listingSchema.shape.image.optional(),
  /** Files, which the schema leaves to the server. */
  photos: z.unknown().optional(),
});

/** What a listing without any picture is told, beside its photos. */
/** How far a seller is with being paid by the market: set up, or neither, which may keep them from publishing. */
export type PublisherPayouts = "ready" | "possible" | "required";

export const payoutsRequiredText =
  "Set up payouts first: buyers here pay when they book, and you’re paid through them.";

export const noPictureText = brand.imageLinks
  ? "Add a photo, or the link of a picture"
  : "Add a photo of your device";

const formSchemaWithoutPicture = listingFormSchema.extend({
  photos: z.unknown().refine(() => false, noPictureText),
});

/** The schema of a form that has a picture, or else needs one. */
export const listingFormSchemaFor = (hasPicture: boolean) =>
  hasPicture ? listingFormSchema : formSchemaWithoutPicture;

/** The image of a published listing. Demo listings have one of our own drawings. */
export const listingImageSchema = imageLink((value) => isPublicUrl(value) || isDrawing(value));

/** A valid new listing; prices in cents. */
export type NewListing = z.infer<typeof listingSchema>;
