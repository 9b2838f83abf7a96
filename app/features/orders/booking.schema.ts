import { z } from "zod";
import { orderStages, orderStepKinds } from "#app/db/enums.ts";
import { parcelServiceNames } from "#app/parcel-services.ts";
import { plainLetters } from "#app/server/forms/sanitize-text.ts";
import { freeText, text } from "#app/server/forms/schema-fields.ts";
import { priceSchema } from "../listings/price.schema.ts";

const address = freeText("Address", { max: 500, missing: "Address required" });

const phone = text().overwrite(plainLetters).max(40, "Phone must be 40 characters or shorter");

/** The editable fields of a booking. The specification lets both be blank; the rest comes from listing and session. */
export const bookingSchema = z.object({
  address: address.default(""),
  phone: phone.default(""),
});

/** How many delivery addresses a buyer can save. */
export const maxAddresses = 5;

/** An address that a buyer saves for the next bookings. */
export const newSavedAddressSchema = bookingSchema.extend({ address: address.min(1, "Address required") });

export const savedAddressSchema = newSavedAddressSchema.extend({
  /** Of the forms on one page. */
  intent: z.literal("add address"),
});

export const changedSavedAddressSchema = newSavedAddressSchema.extend({
  intent: z.literal("change address"),
  savedAddress: z.string(),
});

/** Why an administrator cancels an order after its handover. */
export const cancellationSchema = z.object({
  reason: freeText("Reason", { max: 500, missing: "Reason required" }).min(1, "Reason required"),
});

const handoverWays = ["in person", "shipped"] as const;

/** How a seller hands a device over: in person unless they say more. What belongs to a shipment is ignored for that. */
export const apiHandoverSchema = z.object({
  handover: z.enum(handoverWays).optional(),
  parcelService: z.enum(parcelServiceNames).optional(),
  trackingNumber: text()
    .max(40, "Tracking number must be 40 characters or shorter")
    .regex(/^[A-Za-z0-9 -]*$/, "Tracking number can only have letters, digits, spaces and hyphens")
    .optional(),
});

/** The form of a handover, which sends all that it shows, and what it leads back to. */
export const handoverSchema = apiHandoverSchema
  .extend({ redirectTo: z.string().optional() })
  .refine(({ handover, parcelService }) => handover !== "shipped" || parcelService !== undefined, {
    path: ["parcelService"],
    message: "Choose who delivers it",
  });

/** What else the booking dialog offers beside saved addresses. */
export const anotherAddress = "another";
export const pickUpChoice = "pick-up";

/** Whether a buyer can pick a device up. @param delivery what its listing says */
export const mayPickUp = (delivery: string | null) => delivery === "in person" || delivery === "either";

/**
 * The form of the booking dialog, with the price in cents that it shows. Where the buyer could also pick the device up,
 * the choice to have it sent needs an address.
 *
 * @param delivery what the listing says
 */
export const bookingFormSchema = (delivery: string | null) =>
  bookingSchema
    .extend({
      shownCents: z.number().int().positive().optional(),
      /**
       * The id of a saved address, which replaces address and phone, or that the buyer picks the device up. A form
       * without this choice leaves it out.
       */
      savedAddress: z.string().optional(),
      /** Whether to save address and phone for the next bookings. */
      saveAddress: z.boolean().default(false),
    })
    .refine(({ savedAddress }) => savedAddress !== pickUpChoice || mayPickUp(delivery), {
      message: "You can’t pick this device up. Choose where it should go.",
    })
    .refine(
      ({ savedAddress, address }) =>
        savedAddress !== anotherAddress || !mayPickUp(delivery) || address !== "",
      { path: ["address"], message: "Address required" },
    );

const apiPhone = z.union([phone, z.number().transform(String)]);

/** The body of `PUT /bookings/delivery/{id}`. */
export const apiDeliverySchema = z.object({
  buyerAddress: address.optional(),
  phone: apiPhone.optional(),
});

/** The fields that describe a phone without an id. */
const descriptionLabels = { productName: "Product Name", ram: "Ram", rom: "Rom", price: "Price" } as const;

/** The body of `POST /bookings`: names a listing or describes a phone. */
export const apiBookingSchema = z
  .object({
    phoneId: z
      .string()
      .optional()
      .describe("The listing to book. Without it, the next four fields are required."),
    productName: text().optional().describe("Brand and model."),
    ram: text().optional(),
    rom: text().optional(),
    price: priceSchema("Price")
      .optional()
      .describe("With `phoneId`, you book only if this is still the price."),
    buyerAddress: address.default(""),
    phone: apiPhone.default(""),
  })
  .superRefine((body, { addIssue }) => {
    if (body.phoneId !== undefined) return;
    for (const [name, label] of Object.entries(descriptionLabels)) {
      const missing = body[name as keyof typeof descriptionLabels] === undefined;
      if (missing) addIssue({ code: "custom", path: [name], message: `${label} is required` });
    }
  })
  .meta({ anyOf: [{ required: ["phoneId"] }, { required: Object.keys(descriptionLabels) }] });

/** A description that several phones may match; the price in cents. */
export interface PhoneDescription {
  /** Brand and model, joined by a space. */
  productName: string;
  ram: string;
  rom: string;
  priceCents: number;
}

/** The listing id or the description in a request body. */
export function bookingTargetOf(body: z.infer<typeof apiBookingSchema>): string | PhoneDescription {
  const { phoneId, productName = "", ram = "", rom = "", price = 0 } = body;
  return phoneId ?? { productName, ram, rom, priceCents: price };
}

export const orderStageSchema = z.enum(orderStages);
export const orderStepKindSchema = z.enum(orderStepKinds);

export type BookingDetails = z.infer<typeof bookingSchema>;
