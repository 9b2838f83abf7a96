import { inArray } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";

/** Text, a column of a listing's row, or the value or count of a filter option ("facet value"). */
type Segment = string | { row: number; column: string } | { choice: string; column: "value" | "count" };

const facets = ["brand", "rom", "ram", "condition"];

/** Splits the list page at the values of its cards and filters, so that a baseline can render it from rows. */
export async function pageTemplate(page: string, db: Db): Promise<Segment[]> {
  const parts = page.split(
    /(<li><article.*?<\/article><\/li>|<label class="filter-option"[^>]*>.*?<\/label>)/s,
  );
  const cards = parts.filter((part) => part.startsWith("<li><article"));
  const ids = cards.map((card) => card.match(/href="\/phones\/([\w-]+)"/)?.[1] ?? "");
  const rows = await db.select().from(phones).where(inArray(phones.id, ids));
  if (cards.length === 0 || cards.length !== rows.length)
    throw new Error("The list page has no cards, or cards without listings.");
  return parts.flatMap((part): Segment[] => {
    const row = rows.find(({ id }) => part.startsWith("<li><article") && part.includes(`/phones/${id}"`));
    if (row) return cardSegments(part, ids.indexOf(row.id), row);
    return part.startsWith("<label") ? choiceSegments(part) : [part];
  });
}

function cardSegments(card: string, row: number, phone: typeof phones.$inferSelect): Segment[] {
  const columns = new Map([
    [phone.id, "id"],
    [phone.brandName, "brand_name"],
    [phone.model, "model"],
    [phone.ram, "ram"],
    [phone.rom, "rom"],
    [phone.image, "image"],
    [priceLabel(phone.sellingCents), "selling_cents"],
    [priceLabel(phone.marketCents), "market_cents"],
  ]);
  return splitAt(card, [...columns.keys()]).map((part) => {
    const column = columns.get(part);
    return column ? { row, column } : part;
  });
}

function choiceSegments(label: string): Segment[] {
  const [, name = "", count = "", value = ""] =
    label.match(/name="(\w+)" aria-label="[^"]*?, ([\d,]+) devices?" value="([^"]*)"/) ?? [];
  if (!facets.includes(name)) return [label];
  const choice = `${name} ${value}`;
  return splitAt(label, [`"${count}"`, value]).flatMap((part): Segment[] => {
    if (part === value) return [{ choice, column: "value" }];
    return part === `"${count}"` ? ['"', { choice, column: "count" }, '"'] : [part];
  });
}

/** Splits text around all occurrences of the values, and keeps the values. */
function splitAt(text: string, values: string[]): string[] {
  const escaped = values
    // Longest first: a model may start with the name of a brand.
    .sort((one, other) => other.length - one.length)
    .map((value) => value.replaceAll(/[$().*+?[\\\]^{|}]/g, "\\$&"));
  return text.split(new RegExp(`(${escaped.join("|")})`));
}
