import { expect, test } from "vitest";
import { listingImageSchema, listingSchema } from "#app/features/listings/listing.schema.ts";

test.each([listingImageSchema, listingSchema.shape.image])("a picture link must be https (%#)", (schema) => {
  const messagesOf = (link: string) => schema.safeParse(link).error?.issues.map(({ message }) => message);
  expect(messagesOf("https://pictures.example/one.jpg")).toBeUndefined();
  const refused = ["http://pictures.example/one.jpg", "ftp://pictures.example/one.jpg", "one.jpg"];
  for (const link of [
    ...refused,
    "https:/pictures.example/one.jpg",
    "https:one.jpg",
    "https://localhost/one.jpg",
    "https://10.0.0.1/one.jpg",
  ]) {
    expect(messagesOf(link)).toEqual(["Image Link must be a public address that starts with https"]);
  }
});
