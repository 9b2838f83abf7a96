import { brand } from "#app/brand.ts";
import { formerMember } from "./viewer.ts";

/** The refusal of a name by which somebody could pass for the market. */
export const reservedNameText = `Only ${brand.name} can use this name`;

/** Signatures of the market and of accounts that are gone. The brand's name is reserved with whatever follows it. */
const signatures = [
  ...[formerMember, "Deleted user", "System", "Admin", "Administrator", "Moderator"],
  ...["Support", "Customer Support", "Customer Service", "Staff"],
];

/** Letters that are taken for Latin ones: from Cyrillic, Greek, Armenian, phonetic letters and digits. */
const lookAlikes: Record<string, string> = Object.fromEntries(
  Object.entries({
    a: "аαɑᴀ4@",
    b: "вʙβьᏏ8",
    c: "сϲᴄ",
    d: "ԁɗ",
    e: "еёεєҽᴇ3",
    f: "ғ",
    g: "ɡɢցԍ",
    h: "һнʜ",
    i: "іιɩıɪӏl1|!ǀ",
    k: "кκĸᴋ",
    m: "мᴍ",
    n: "пոɴηи",
    o: "оοօᴏσ0",
    p: "рρᴘ",
    r: "гʀя",
    s: "ѕꜱ5$",
    t: "тτᴛ",
    u: "υսᴜ",
    x: "хχ",
    y: "уγʏ",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);

/** A text with the Latin letters that those of other scripts are taken for. Digits and signs stay. */
export function latinLookOf(text: string): string {
  return text.replace(/\P{ASCII}/gu, (letter) => lookAlikes[letter] ?? letter);
}

/** The words of a name as they look at a glance: without accents, letter case and signs. */
export function plainWordsOf(name: string): string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const latin = [...plain].map((letter) => lookAlikes[letter] ?? letter).join("");
  return latin.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const look = (name: string) => plainWordsOf(name).join("");
const ofBrand = look(brand.name);
const ofSignatures = signatures.map(look);

/** Whether a name, written with whatever letters, could pass for the market's or for that of an account that is gone. */
export function isReservedName(name: string): boolean {
  const words = plainWordsOf(name);
  // From each word on, so that "Spring Backer" is none.
  const hasBrand = words.some((_, at) => words.slice(at).join("").startsWith(ofBrand));
  return hasBrand || ofSignatures.includes(words.join(""));
}
