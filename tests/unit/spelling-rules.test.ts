import fc from "fast-check";
import { expect, test } from "vitest";
import {
  correctedWord,
  isCorrectable,
  similarity,
  trigrams,
} from "#app/features/catalog/search/spelling.rules.ts";

const names = ["apple", "galaxy", "google", "iphone", "nokia", "note20", "oppo", "phone", "pixel", "qcm6490"];
const words = [...names, "s22", "a22", "samsung", "sony", "ultra", "vivo", "xiaomi"];
const corrected = (typed: string, known = words) =>
  correctedWord(
    typed,
    known.map((word) => ({ word, listed: 1 })),
  );

test("a word is padded, so that its start and end count", () => {
  expect([...trigrams("pixel")]).toEqual(["  p", " pi", "pix", "ixe", "xel", "el "]);
  expect([...trigrams("a")]).toEqual(["  a", " a "]);
  expect(similarity("pixel", "pixel")).toBe(1);
  expect(similarity("pixle", "pixel")).toBe(0.5);
  expect(similarity("pixel", "oppo")).toBe(0);
});

test.each([
  ["iphnoe", "iphone"],
  ["samsnug", "samsung"],
  ["smasung", "samsung"],
  ["galxy", "galaxy"],
  ["pixle", "pixel"],
  ["nokai", "nokia"],
  ["aple", "apple"],
  ["opo", "oppo"],
  ["vvo", "vivo"],
  ["sny", "sony"],
  ["nkoia", "nokia"],
  ["soyn", "sony"],
  ["xaomi", "xiaomi"],
  ["gogle", "google"],
  ["ntoe20", "note20"],
  ["qmc6490", "qcm6490"],
  ["iphnoe13", "iphone13"],
  ["22ultar", "22ultra"],
])("%s is corrected to %s", (typed, meant) => {
  expect(corrected(typed)).toBe(meant);
});

test.each(["13", "2022", "s23", "b22", "note02", "note30", "ab", "zeppelin", "refrigerator", "日本", ""])(
  "%s is not corrected",
  (typed) => {
    expect(corrected(typed)).toBeNull();
  },
);

test("among equally similar words, the one of more phones wins, then the first by the alphabet", () => {
  const [one, other] = [
    { word: "nova", listed: 2 },
    { word: "nove", listed: 3 },
  ];
  expect(correctedWord("novx", [one, other])).toBe("nove");
  expect(correctedWord("novx", [{ ...other, listed: 2 }, one])).toBe("nova");
});

const word = fc.string({ unit: fc.constantFrom(..."abcdeéя0123"), minLength: 1, maxLength: 40 });

test("a word is always most similar to itself, and similarity has no direction", () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      const likeness = similarity(one, other);
      expect(similarity(one, one)).toBe(1);
      expect(likeness).toBeGreaterThanOrEqual(0);
      expect(likeness).toBeLessThanOrEqual(1);
      expect(similarity(other, one)).toBe(likeness);
    }),
  );
});

test("words with digits or few letters are not corrected", () => {
  const digitsOf = (text: string) => text.replace(/\D/g, "");
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 20 }), (typed, known) => {
      const meant = corrected(typed, known);
      if (meant !== null) expect(digitsOf(meant)).toBe(digitsOf(typed));
      if (!isCorrectable(typed)) expect(meant).toBeNull();
      else if (known.includes(typed)) expect(similarity(typed, corrected(typed, known) ?? "")).toBe(1);
    }),
  );
});
