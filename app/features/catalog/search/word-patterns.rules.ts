/** For a regular expression. */
export const escaped = (text: string) => text.replace(/[.$*+?()[\]|]/g, "\\$&");

/** A regular expression for one of the texts, the longest that fits. */
export const oneOf = (texts: readonly string[]) =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map(escaped)
    .join("|");

/** Not behind, and not before, a letter or digit. */
export const starts = "(?<![\\p{L}\\p{N}])";
export const ends = "(?![\\p{L}\\p{N}])";

/** Compiled when it is first used: all together take a good part of the time that the Worker needs to start. */
export function compiled(source: string): () => RegExp {
  let expression: RegExp | undefined;
  return () => {
    expression ??= new RegExp(source, "giu");
    return expression;
  };
}

/** Whole words. */
export const pattern = (words: string) => compiled(`${starts}(?:${words})${ends}`);
