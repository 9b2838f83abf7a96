import { expect, test } from "vitest";
import { privateDetailsIn } from "#app/features/listings/private-details.rules.ts";
import { demoListings } from "../../scripts/demo/listings.ts";

test.each([
  ["Call me: 512-555-0147", "512-555-0147"],
  ["(512) 555-0147 after six", "(512) 555-0147"],
  ["Text 5125550147.", "5125550147"],
  ["1 512 555 0147", "1 512 555 0147"],
  ["512.555.0147", "512.555.0147"],
  ["+1 512 555 01 47", "+1 512 555 01 47"],
  ["+43 664 1234567", "+43 664 1234567"],
  ["Ruf an: 0664 123 45 67", "0664 123 45 67"],
  ["Mail ada.min+phones@example.com first", "ada.min+phones@example.com"],
  ["ada (at) example.com", "ada (at) example.com"],
  ["ada [at] example [dot] com", "ada [at] example [dot] com"],
  ["ada.min at gmail dot com", "ada.min at gmail"],
  ["Write me on WhatsApp", "WhatsApp"],
  ["Call or whatsapp me", "whatsapp me"],
  ["You can reach me any time via Signal.", "Signal"],
  ["Telegram: @ringer99", "Telegram: @ringer99"],
  ["Insta = ringer99", "Insta = ringer99"],
  ["https://wa.me/15125550147", "wa.me/15125550147"],
  ["IMEI 490154203237518", "490154203237518"],
  ["IMEI: 49-015420-323751-8", "49-015420-323751-8"],
])("%s has contact details", (text, found) => {
  expect(privateDetailsIn(text).map((detail) => detail.found)).toEqual([found]);
});

test.each([
  "128 GB, 8 GB RAM, 5000 mAh",
  "Comes as 256 GB / 512 GB / 1024 GB",
  "Galaxy S21 SM-G991B/DS, Snapdragon 888",
  "iPad A2588, iPhone MLPF3LL/A",
  "490154203237519 is no IMEI",
  "Serial 5125550147, order no. 2125550147",
  "It cost $1,299.00 in 2021, now $349.50",
  "New 1299, 1199 or 1099 dollars",
  "Bought on 2021-11-20, used until 11/20/2025",
  "Resolution 2532 x 1170, 1200x2400",
  "Battery 97%, 412 cycles, 3 years 2 months",
  "200 MP, 12 MP, 10 MP",
  "Bought at example.com",
  "The only one at home who needs a good signal is me.",
  "It no longer runs WhatsApp, so I bought a newer one.",
  "Great for Instagram and Snapchat.",
  "I text on Telegram all day, the keyboard is fine.",
  "Xperia 5 III 256GB 2021 5G",
  "Firmware 12.0.5.1, build 2023.10.05",
])("%s has none", (text) => {
  expect(privateDetailsIn(text)).toEqual([]);
});

test("no demo listing has contact details", () => {
  expect(demoListings.flatMap(({ sellingReason }) => privateDetailsIn(sellingReason))).toEqual([]);
});
