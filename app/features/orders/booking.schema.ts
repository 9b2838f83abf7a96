import { z } from "zod";
import { priceSchema } from "../listings/phone.schema.ts";

/**
 * What a buyer may say about a booking. Both are free text and may be blank, as the specification has it; the
 * booking holds the buyer's e-mail address in any case. Everything else comes from the listing and the session.
 */
export const bookingSchema = z.object({
  address: z.string().trim().max(500, "Address must be 500 characters or shorter").default(""),
  phone: z.string().trim().max(40, "Phone must be 40 characters or shorter").default(""),
});

const text = z.string().trim();

/** What a device that is to be booked should be like, unless it is named by its id. */
const likenessLabels = { productName: "Product Name", ram: "Ram", rom: "Rom", price: "Price" } as const;

/** A booking as a program asks for it: of the listing it names, or of any device that is like what it says. */
export const bookingCallSchema = z
  .object({
    phoneId: z.string().optional().describe("The listing to be booked; the next four are then not needed."),
    productName: text.optional().describe("Brand and model."),
    ram: text.optional(),
    rom: text.optional(),
    price: priceSchema("Price").optional(),
    buyerAddress: bookingSchema.shape.address,
    phone: z.union([bookingSchema.shape.phone, z.number().transform(String)]),
  })
  .superRefine((body, { addIssue }) => {
    if (body.phoneId !== undefined) return;
    for (const [name, label] of Object.entries(likenessLabels)) {
      const missing = body[name as keyof typeof likenessLabels] === undefined;
      if (missing) addIssue({ code: "custom", path: [name], message: `${label} is required` });
    }
  })
  .meta({ anyOf: [{ required: ["phoneId"] }, { required: Object.keys(likenessLabels) }] });

/** A description that several phones may match; the price in cents. */
export interface Likeness {
  /** Brand and model, joined by a space. */
  productName: string;
  ram: string;
  rom: string;
  priceCents: number;
}

/** Which device a program's booking is for: the listing's id, or what it should be like. */
export function wantedIn(body: z.infer<typeof bookingCallSchema>): string | Likeness {
  const { phoneId, productName = "", ram = "", rom = "", price = 0 } = body;
  return phoneId ?? { productName, ram, rom, priceCents: price };
}

export type BookingRequest = z.infer<typeof bookingSchema>;
