/** Letters that no accent makes of plain ones. The trigger `record_words_folded` has them in both cases. */
export const latinLetters: Record<string, string> = {
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

const lettersToFold = new RegExp(`[${Object.keys(latinLetters).join("")}]`, "g");

/** A text as searches compare it: lower case, plain digits, Latin and Greek letters without accents. */
export function foldText(text: string): string {
  return (
    text
      .normalize("NFKD")
      // In other scripts a combining mark may make a different letter.
      .replace(/([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu, "$1")
      .normalize("NFC")
      .toLowerCase()
      .replace(lettersToFold, (letter) => latinLetters[letter] ?? letter)
  );
}
