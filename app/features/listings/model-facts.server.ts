import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { colors } from "#app/db/enums.ts";
import { deviceVariants, phones } from "#app/db/schema.ts";
import { foldedWords, modelSlug } from "./device-variant.rules.ts";
import type { KnownModel } from "./known-models.ts";
import { type ModelFacts, valuesFromModel } from "./model-facts.rules.ts";
import { toAmount } from "./money.rules.ts";

/** Variants of one model, or of models that begin alike, that one request reads. */
const maxVariants = 100;
const maxSuggestions = 60;
const maxColored = 300;

type Named = Pick<KnownModel, "brandName" | "model">;

/** Loaded by those who add a listing, not at the Worker's start. */
async function readKnownModels(): Promise<KnownModel[]> {
  return (await import("./known-models.ts")).knownModels;
}

/** Suggests models that begin as typed: known ones, then those listed. Without a brand, of all brands that are known. */
export async function suggestModels(db: Db, typed: Named): Promise<Named[]> {
  const slug = modelSlug(typed);
  const ofModel = foldedWords(typed.model).join("-");
  const known = (await readKnownModels()).filter(
    (model) =>
      modelSlug(model).startsWith(slug) ||
      (typed.brandName === "" && foldedWords(model.model).join("-").startsWith(ofModel)),
  );
  const listed = typed.brandName ? await listedModels(db, slug) : [];
  const bySlug = new Map([...listed, ...known].map((model) => [modelSlug(model), model]));
  return [...bySlug.values()].slice(0, maxSuggestions).map(({ brandName, model }) => ({ brandName, model }));
}

/** Models with listed phones that begin with a slug; those with most come first. */
function listedModels(db: Db, slug: string): Promise<Named[]> {
  const { brand, model, modelSlug: variantSlug, listed } = deviceVariants;
  const matching = db
    .select({ brand, model, variantSlug, listed })
    .from(deviceVariants)
    .where(sql`${variantSlug} >= ${slug} and ${variantSlug} < ${`${slug}~`} and ${listed} > 0`)
    .limit(maxVariants)
    .as("matching");
  return db
    .select({ brandName: matching.brand, model: matching.model })
    .from(matching)
    .groupBy(matching.variantSlug)
    .orderBy(sql`sum(${matching.listed}) desc`, matching.variantSlug);
}

/** What is known of a model, by its name or the name without the brand, or listed of it; null for others. */
export async function findModelFacts(db: Db, named: Named): Promise<ModelFacts | null> {
  const ofModel = foldedWords(named.model).join("-");
  if (!ofModel) return null;
  const slug = modelSlug(named);
  const known = (await readKnownModels()).find(
    (model) =>
      modelSlug(model) === slug || (named.brandName === "" && foldedWords(model.model).join("-") === ofModel),
  );
  const ofVariants = known ? modelSlug(known) : slug;
  const [variants, forSale] = await Promise.all([
    newestOfVariants(db, ofVariants),
    colorsOfModel(db, ofVariants),
  ]);
  const [first] = variants;
  const model = known ?? (first && { ...first, ram: [], launchPrices: {} });
  if (!model) return null;
  const {
    id: _,
    rom: __,
    marketCents: ___,
    launchPrices,
    ...facts
  } = { id: null, rom: null, marketCents: null, ...model };
  return {
    ...facts,
    ram: [...new Set([...model.ram, ...variants.map(({ ram }) => ram)])],
    rom: [...new Set([...Object.keys(launchPrices), ...variants.map(({ rom }) => rom)])],
    colors: colors.filter((color) => forSale.some((each) => each.color === color)),
    // The first with a storage wins, since the variant with most phones comes first.
    marketPrices: {
      ...launchPrices,
      ...Object.fromEntries(
        variants.toReversed().map(({ rom, marketCents }) => [rom, toAmount(marketCents)]),
      ),
    },
  };
}

/** The colors of so many listed phones of a model. */
function colorsOfModel(db: Db, slug: string) {
  const variants = db
    .select({ id: deviceVariants.id })
    .from(deviceVariants)
    .where(sql`${deviceVariants.modelSlug} = ${slug} and ${deviceVariants.listed} > 0`);
  const listed = db
    .select({ color: phones.color })
    .from(phones)
    .where(sql`${phones.variantId} in ${variants} and ${phones.listed} and ${phones.color} is not null`)
    .limit(maxColored)
    .as("listed");
  return db.selectDistinct({ color: listed.color }).from(listed);
}

/** Fills in what a form has left empty of what is known of its model. */
export async function fillInModelFacts(db: Db, payload: Record<string, unknown>) {
  const text = (name: string) => (typeof payload[name] === "string" ? payload[name] : "");
  const facts = await findModelFacts(db, { brandName: text("brandName"), model: text("model") });
  const known = Object.entries(facts ? valuesFromModel(facts, text("rom")) : {});
  return { facts, filled: Object.fromEntries(known.filter(([name]) => !text(name))) };
}

/** The newest listed phone of each variant of a model; the variants with most phones come first. */
function newestOfVariants(db: Db, slug: string) {
  const newest = sql`(select p.id from ${phones} p where p.variant_id = ${deviceVariants.id} and p.listed
    order by p.number desc limit 1)`;
  const { id, brandName, model, os, deviceType, ram, rom, processor, camera, battery, marketCents } = phones;
  return db
    .select({ id, brandName, model, os, deviceType, ram, rom, processor, camera, battery, marketCents })
    .from(deviceVariants)
    .innerJoin(phones, sql`${id} = ${newest}`)
    .where(sql`${deviceVariants.modelSlug} = ${slug} and ${deviceVariants.listed} > 0`)
    .orderBy(sql`${deviceVariants.listed} desc`, deviceVariants.id)
    .limit(maxVariants);
}
