/** What tells one variant of a device from another. */
export interface Device {
  brandName: string;
  model: string;
  processor: string;
  rom: string;
  ram: string;
  os: string;
  deviceType: string;
}

/** In characters; joined prefixTerms are cut to this, and so are the words that a visitor types. */
export const maxWordLength = 40;

/** Letters and digits, but for some of New Tai Lue and Vedic, which FTS5 does not take for letters. */
const letters = /(?:(?![\u19B0-\u19C0\u19C8\u19C9\u1CF2\u1CF3])[\p{L}\p{N}])+/gu;

/** Letters that Unicode does not decompose. */
const plainLetters: Record<string, string> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ı: "i",
};

/** The words of a text as the search index has them: lower case, plain digits, Latin letters without accents. */
export function foldedWords(text: string): string[] {
  const folded = text
    .normalize("NFKD")
    // "S21+" is another phone than "S21".
    .replace(/(?<=[\p{L}\p{N}])\+/gu, " plus ")
    // Other scripts have marks that make another letter.
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[łøđðþßæœı]/g, (letter) => plainLetters[letter] ?? letter);
  return folded.match(letters) ?? [];
}

/**
 * What a variant is found by: its words, and from each word on all of them joined, so that "iphone13" and "s21ultra"
 * are beginnings of words too.
 */
export function searchText({ brandName, model, processor }: Device): string {
  const words = foldedWords(`${brandName} ${model} ${processor}`);
  const joined = words.slice(0, -1).map((_, start) => words.slice(start).join("").slice(0, maxWordLength));
  return [...words, ...joined].join(" ");
}

/** The words that a misspelt word is compared with. */
export function dictionaryWords(text: string): string[] {
  return foldedWords(text).filter(
    (word) => word.length >= 3 && word.length <= maxWordLength && /\D/.test(word),
  );
}

/** Brand and model as a part of an address, like "apple-iphone-13"; empty where they have no letter and no digit. */
export function modelSlug({ brandName, model }: Pick<Device, "brandName" | "model">): string {
  return foldedWords(`${brandName} ${model}`).join("-");
}

/** The path of a model's page. */
export function modelPath(slug: string): string {
  return `/models/${encodeURIComponent(slug)}`;
}
