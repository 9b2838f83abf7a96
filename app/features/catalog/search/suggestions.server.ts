import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { foldedWords, modelPath } from "../../listings/device-variant.rules.ts";
import { categoryByKey } from "../category.rules.ts";
import { parseSearchQuery } from "./search-query.rules.ts";
import { queryTerms } from "./search-words.rules.ts";
import { correctedWords } from "./spelling.server.ts";
import { variantsMatching } from "./statements.server.ts";
import { understandQuery, withTypedSizes } from "./understand.rules.ts";

export interface Suggestion {
  label: string;
  count: number;
  to: string;
}

const maxSuggestions = 8;
const maxBrands = 3;
/** More than are shown, because SQL compares prefixes less strictly than words. */
const maxBrandsRead = 12;

/**
 * Suggests brands and models with listed phones while the visitor types: at most 3 brands that begin with the words,
 * then models. Models with the words in their name precede those with a match in the processor. Those with most
 * listings come first.
 */
export async function suggest(db: Db, words: string): Promise<Suggestion[]> {
  const asked = { ...parseSearchQuery(new URLSearchParams()), words };
  const { query: device, notes } = understandQuery(categoryByKey("products"), asked);
  const isAboutPrices = notes.pages.some(({ path }) => path === "/prices");
  if (!isAboutPrices || device.words === "") return suggestDevices(db, words);
  const known = await suggestDevices(db, device.words);
  // The name is typed out. A look at one that is being typed would correct what is right.
  const corrected = known.length > 0 ? null : await correctedWords(db, device.words);
  const found = corrected === null ? known : await suggestDevices(db, corrected);
  return found.map((one) =>
    one.to.startsWith(modelPath("")) ? { ...one, label: `${one.label} prices`, to: `${one.to}/prices` } : one,
  );
}

/** The same for words that name a device. */
async function suggestDevices(db: Db, words: string): Promise<Suggestion[]> {
  const query = withTypedSizes({ ...parseSearchQuery(new URLSearchParams()), words });
  const typed = queryTerms(query.words);
  const condition = variantsMatching({ category: categoryByKey("products"), query });
  // "-pro" alone says only what devices must not be.
  if (!condition || typed.length === 0) return [];
  const rows = await db
    .select({
      brand: sql<string>`brand`,
      model: sql<string | null>`model`,
      slug: sql<string | null>`slug`,
      count: sql<number>`listed`,
    })
    .from(sql`(${suggestionRows(condition, typed)}) as suggestions`);
  const prefix = queryTerms(words).join("");
  const brands: Suggestion[] = [];
  const models: Suggestion[] = [];
  for (const { brand, model, slug, count } of rows) {
    if (model !== null) models.push({ label: `${brand} ${model}`, count, to: modelPath(slug ?? "") });
    else if (foldedWords(brand).join("").startsWith(prefix))
      brands.push({ label: brand, count, to: `/products?${new URLSearchParams({ brand })}` });
  }
  return [...brands.slice(0, maxBrands), ...models].slice(0, maxSuggestions);
}

/** Reads the matching variants once for brands and models. A model has its most frequent spelling. */
function suggestionRows(condition: SQL, typed: string[]): SQL {
  const joined = typed.join("");
  const named = sql.join(
    typed.map((word) => sql`instr('-' || slug, ${`-${word}`}) > 0`),
    sql` and `,
  );
  return sql`with matched as materialized (
      select brand, model_slug as slug, listed from device_variants
      where model_slug <> '' and ${condition}),
    models as materialized (
      select slug, ${named} as named from matched
      group by slug order by named desc, sum(listed) desc, slug limit ${maxSuggestions})
    select * from (
      select brand, null as model, null as slug, sum(listed) as listed from device_variants
      where listed > 0 and brand in
        (select brand from matched where substr(replace(slug, '-', ''), 1, ${[...joined].length}) = ${joined})
      group by brand order by 4 desc, brand limit ${maxBrandsRead})
    union all
    select * from (
      select brand, model, slug, listed from (
        select brand, model, slug, named, sum(listed) as listed, max(listed) from (
          select brand, model, slug, named, sum(listed) as listed
          from models cross join device_variants on model_slug = slug
          where listed > 0 group by slug, brand, model)
        group by slug)
      order by named desc, listed desc, slug)`;
}
