import { expect, test } from "vitest";
import { bookingSchema } from "#app/features/orders/booking.schema.ts";

test("address and phone are free text, and may be blank", () => {
  expect(bookingSchema.parse({})).toEqual({ address: "", phone: "" });
  expect(bookingSchema.parse({ address: "  ", phone: "" })).toEqual({ address: "", phone: "" });
  const odd = { address: "Över gården,\n2 tr.", phone: "ring <b>twice</b>" };
  expect(bookingSchema.parse(odd)).toEqual(odd);
});

test("a phone number has the digits that couriers can dial", () => {
  expect(bookingSchema.parse({ phone: "＋１ ５１２" })).toEqual({ address: "", phone: "+1 512" });
});

test("other fields of the form are ignored", () => {
  const forged = { price: "1", ram: "1 TB", rom: "1 TB", name: "Someone", email: "someone@example.com" };
  expect(bookingSchema.parse({ ...forged, address: "Here", phone: "1" })).toEqual({
    address: "Here",
    phone: "1",
  });
});

test("address and phone have a maximum length", () => {
  const longest = { address: "a".repeat(500), phone: "1".repeat(40) };
  expect(bookingSchema.parse(longest)).toEqual(longest);
  const { error } = bookingSchema.safeParse({ address: "a".repeat(501), phone: "1".repeat(41) });
  expect(error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
    ["address", "Address must be 500 characters or shorter"],
    ["phone", "Phone must be 40 characters or shorter"],
  ]);
});
