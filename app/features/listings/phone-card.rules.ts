import type { PhoneCardData } from "./phones.server.ts";

/** What a card shows, prices in cents. It has the photo `cover` or, while there is none, the link `image`. */
export interface PhoneCardContent extends Omit<PhoneCardData, "image" | "cover" | "condition"> {
  image?: string;
  cover?: string;
  condition?: NonNullable<PhoneCardData["condition"]>;
}

/** Leaves out the fields that are empty, since each list sends this data with its markup. */
export function cardContent({ image, cover, condition, ...phone }: PhoneCardData): PhoneCardContent {
  return { ...phone, ...(cover ? { cover } : { image }), ...(condition && { condition }) };
}
