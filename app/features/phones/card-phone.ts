import { conditions } from "#app/db/values.ts";
import type { PhoneCardData } from "./phones.server.ts";
import { coverAt } from "./picture.rules.ts";

/** The phones whose cards are in the document, as the cards were given them: what `PhoneCard` writes. */
export function phonesInMarkup(): PhoneCardData[] {
  return Array.from(document.querySelectorAll<HTMLElement>('article[aria-labelledby^="phone-"]'), (card) => {
    const part = (selector: string) => card.querySelector(selector);
    const text = (node: Node | null | undefined) => node?.textContent ?? "";
    const picture = part("img");
    const address = picture?.getAttribute("src") ?? "";
    const cover = coverAt(address);
    const [ram, rom] = card.querySelectorAll("dd");
    const badge = text(part(".badge"));
    return {
      id: (part("h2")?.id ?? "").slice("phone-".length),
      brandName: text(part("h2 span")),
      // Behind the brand and a space.
      model: text(part("h2 a")?.lastChild).slice(1),
      ram: text(ram),
      rom: text(rom),
      image: cover === null ? address : "",
      cover,
      marketCents: cents(text(part("s")?.lastChild)),
      sellingCents: cents(text(part("p > span")?.lastChild)),
      deviceType: picture?.className.includes("tablet") ? "Tablet" : "Smart Phone",
      status: badge === "Reserved" ? "reserved" : badge === "Sold" ? "sold" : "available",
      sellerVerified: part(".text-success") ? "yes" : null,
      condition: conditions.find((known) => known === text(part("h2 + div span span"))) ?? null,
    };
  });
}

/** Reads what `priceLabel` wrote. */
function cents(label: string): number {
  return Math.round(Number(label.replace(/[$,]/g, "")) * 100);
}
