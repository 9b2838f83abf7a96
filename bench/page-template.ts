import { inArray } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { priceLabel } from "#app/features/phones/money.rules.ts";

/** Text, or the value of a column of one of the list's rows. */
type Segment = string | [row: number, column: string];

/** Splits our list page at the values of its cards, so that a peer can put the same page together from rows. */
export async function pageTemplate(page: string, db: Db): Promise<Segment[]> {
  const cards = page.match(/<li[^>]*>\s*<article.*?<\/article>\s*<\/li>/gs) ?? [];
  const ids = cards.map((card) => card.match(/href="\/phones\/([\w-]+)"/)?.[1] ?? "");
  const rows = await db.select().from(phones).where(inArray(phones.id, ids));
  const segments: Segment[] = [];
  let rest = page;
  for (const [index, card] of cards.entries()) {
    const row = rows.find(({ id }) => id === ids[index]);
    if (!row) throw new Error("A card of our page has no link to its listing.");
    const start = rest.indexOf(card);
    segments.push(rest.slice(0, start), ...cardSegments(card, index, row));
    rest = rest.slice(start + card.length);
  }
  if (segments.length === 0) throw new Error("Our page has no cards.");
  return [...segments, rest];
}

function cardSegments(card: string, index: number, row: typeof phones.$inferSelect): Segment[] {
  const columns = new Map([
    [row.id, "id"],
    [row.brandName, "brand_name"],
    [row.model, "model"],
    [row.ram, "ram"],
    [row.rom, "rom"],
    [row.image, "image"],
    [priceLabel(row.sellingCents), "selling_cents"],
    [priceLabel(row.marketCents), "market_cents"],
  ]);
  // The longest first: a model may begin with a brand.
  const values = [...columns.keys()].sort((one, other) => other.length - one.length);
  const escaped = values.map((value) => value.replaceAll(/[$().*+?[\\\]^{|}]/g, "\\$&"));
  return card.split(new RegExp(`(${escaped.join("|")})`)).map((part): Segment => {
    const column = columns.get(part);
    return column ? [index, column] : part;
  });
}
