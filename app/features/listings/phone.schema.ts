import { z } from "zod";
import { deviceTypes, operatingSystems } from "#app/db/values.ts";
import { countLabel } from "./phone-count.rules.ts";

const maxDollars = 100_000;
const day = 24 * 60 * 60 * 1000;

/** A price in dollars, as a form's text or a number, with up to two decimals; becomes whole cents. */
export const priceSchema = (label: string) =>
  z
    .union([z.string(), z.number()], { error: `${label} is required` })
    .transform((value) => String(value).trim())
    .pipe(
      z
        .string()
        .min(1, { error: `${label} is required`, abort: true })
        .regex(/^\d{1,9}(\.\d{1,2})?$/, {
          error: `${label} must be a number of dollars, like 349 or 349.50`,
          abort: true,
        })
        // Text to cents without the detour over binary fractions: "349.5" is 34900 + 50.
        .transform((text) => {
          const [dollars = "0", cents = ""] = text.split(".");
          return Number(dollars) * 100 + Number(cents.padEnd(2, "0"));
        })
        .refine((cents) => cents >= 100 && cents <= maxDollars * 100, {
          error: `${label} must be between $1 and $${countLabel(maxDollars)}`,
        }),
    )
    .meta({
      description: "In dollars, as a number or as text, with up to two decimals.",
      minimum: 1,
      maximum: maxDollars,
      pattern: String.raw`^\d{1,9}(\.\d{1,2})?$`,
    });

const words = (label: string, most: number) =>
  z
    .string({ error: ({ input }) => `${label} ${input === undefined ? "is required" : "must be text"}` })
    .trim()
    .min(1, { error: `${label} is required`, abort: true })
    .max(most, `${label} must be ${most} characters or shorter`);

/** What a seller says of a device: the form's fields and the REST payload's. Prices are dollars coming in, cents going out. */
export const phoneSchema = z.object({
  brandName: words("Brand Name", 60),
  model: words("Model", 80),
  ram: words("Ram", 30),
  rom: words("Rom", 30),
  camera: words("Camera Detail", 200),
  processor: words("Processor", 100),
  os: z.enum(operatingSystems, { error: "Os must be Android or Ios" }),
  deviceType: z.enum(deviceTypes, { error: "Device Type must be Smart Phone or Tablet" }),
  image: words("Image Link", 2000)
    .refine(isWebAddress, "Image Link must be an address that starts with http")
    .meta({ format: "uri", pattern: "^https?:" }),
  battery: words("Battery", 60),
  sellingReason: words("Selling Reason", 1000),
  marketPrice: priceSchema("Market Price"),
  sellingPrice: priceSchema("Selling Price"),
  postDate: words("Post Date", 40)
    .refine((value) => z.iso.date().safeParse(value).success, {
      error: "Post Date must be a date, like 2026-11-21",
      abort: true,
    })
    .refine((value) => value >= "2000-01-01", { error: "Post Date must be after 1999", abort: true })
    // A day ahead is fine: it may be tomorrow already where the seller lives.
    .refine((value) => Date.parse(value) <= Date.now() + day, "Post Date must not be in the future")
    .meta({ format: "date", description: "Not in the future." }),
  usedTime: words("Used Time", 40),
});

/** The picture of a listing that stands, which may also be one of our own drawings, as in the demo data. */
export const savedImageSchema = words("Image Link", 2000).refine(
  (value) => isWebAddress(value) || isDrawing(value),
  "Image Link must be an address that starts with http",
);

/** Whether a picture's address is of one of our own drawings. */
export function isDrawing(value: string): boolean {
  return /^\/devices\/[\w-]+\.svg$/.test(value);
}

/** A listing to be published; prices in cents. */
export type NewPhone = z.infer<typeof phoneSchema>;

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
