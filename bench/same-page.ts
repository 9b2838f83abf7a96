/** What of our page comes from the database, in its order: choices, counts and cards. */
const holes = [
  ...["Brand", "Storage", "RAM", "Condition", "Show"].map(
    (legend) => new RegExp(`(?<=<legend[^>]*>${legend}</legend>).*?(?=</fieldset>)`, "s"),
  ),
  /(?<=<button[^>]*>Show <!-- -->).*?(?=<\/button>)/,
  /(?<=<p id="found"[^>]*>).*?(?=<\/p>)/,
  /<li[^>]*><article.*<\/article><\/li>/s,
];

/** The rest of our page, around that. */
export function piecesOf(page: string): string[] {
  const pieces: string[] = [];
  let rest = page;
  for (const hole of holes) {
    const found = hole.exec(rest);
    if (!found) throw new Error(`Our page has nothing like ${hole}.`);
    pieces.push(rest.slice(0, found.index));
    rest = rest.slice(found.index + found[0].length);
  }
  return [...pieces, rest];
}

/** The same page must come from both, but for React's empty comments, or the ratio says nothing. */
export async function checkSamePage(page: string, url: string) {
  const [ours, theirs] = [page, await (await fetch(url)).text()].map((html) =>
    html.replaceAll("<!-- -->", "").replaceAll(">", ">\n").split("\n"),
  );
  const different = ours?.findIndex((line, index) => line !== theirs?.[index]) ?? 0;
  if (different >= 0 || ours?.length !== theirs?.length) {
    throw new Error(`The peer's page is not ours:\n${ours?.[different]}\n${theirs?.[different]}`);
  }
}
