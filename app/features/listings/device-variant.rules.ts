import { foldText } from "#app/db/fold-text.ts";

export interface NamedDevice {
  brandName: string;
  model: string;
  processor: string;
  rom: string;
  ram: string;
  os: string;
  deviceType: string;
}

/** In characters; longer words are cut, in the index and in queries. */
export const maxWordLength = 40;

/** Letters and digits, except some New Tai Lue and Vedic ones that FTS5 does not treat as letters. */
const letters = /(?:(?![\u19B0-\u19C0\u19C8\u19C9\u1CF2\u1CF3])[\p{L}\p{N}])+/gu;

/** The words of a text as the search index stores them: lower case, plain digits, Latin letters without accents. */
export function foldedWords(text: string): string[] {
  // "S21+" and "S21" are different phones.
  const folded = foldText(text.replace(/(?<=[\p{L}\p{N}])[+＋]/gu, " plus "));
  return folded.match(letters) ?? [];
}

/**
 * The text that the search index holds for a variant: its words, and each run of words to the end joined into one, so
 * that the prefixes "iphone13" and "s21ultra" match. A number of the processor is found behind its name only: "pixel 7" is
 * no Pixel 5 with a Snapdragon 765G.
 */
export function searchText({
  brandName,
  model,
  processor,
}: Pick<NamedDevice, "brandName" | "model" | "processor">): string {
  const ofModel = foldedWords(`${brandName} ${model}`);
  const words = [...ofModel, ...foldedWords(processor)];
  const starts = words.flatMap((word, at) => (at < ofModel.length || !/^\d/.test(word) ? [at] : []));
  const single = starts.map((at) => words[at]);
  const joined = starts
    .filter((at) => at < words.length - 1)
    .map((at) => words.slice(at).join("").slice(0, maxWordLength));
  return [...single, ...joined].join(" ");
}

/** The words that spelling correction may suggest. */
export function dictionaryWords(text: string): string[] {
  return foldedWords(text).filter(
    (word) => word.length >= 3 && word.length <= maxWordLength && /\D/.test(word),
  );
}

/** Brand and model as a path segment, like "apple-iphone-13"; empty if they have no letter or digit. */
export function modelSlug({ brandName, model }: Pick<NamedDevice, "brandName" | "model">): string {
  return foldedWords(`${brandName} ${model}`).join("-");
}

/** A brand as it is compared: whatever the letter case. */
export function brandKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

export function deviceName({ brandName, model }: Pick<NamedDevice, "brandName" | "model">): string {
  return `${brandName} ${model}`;
}

/** A text without spaces and letter case, for comparing what sellers typed: "128GB" equals "128 gb". */
export function comparisonKey(text: string): string {
  return text.toLowerCase().replace(/\s/g, "");
}

export const modelPricesPath = (slug: string) => `${modelPath(slug)}/prices`;

export function modelPath(slug: string): string {
  return `/models/${encodeURIComponent(slug)}`;
}
