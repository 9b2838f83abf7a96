/** Blocks in each other, like quotes in lists, that one line may begin: each is a level of the renderer's recursion. */
const maxDepth = 20;

/** Runs of `*` and `_` in one block of text: the renderer compares each with those that follow, at each level again. */
const maxRuns = 200;

/** Lines that may begin a table, in one block of text: after each of them the renderer reads the block to its end. */
const maxTableLines = 200;

/** How often one character may be repeated: the renderer reads a row of some of them from each of its places. */
const maxRow = 200;

const lineStart = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))+/gm;
const blockMark = />|[-*+]|\d+[.)]/g;
const emphasis = /[*_]+/g;
const tableLine = /^[ \t>]*[-|:][-|: \t]*$/gm;
const row = new RegExp(`([^\\s\\p{L}\\p{N}])\\1{${maxRow}}`, "u");

/** Why a text takes too long to render as Markdown, or null. */
export function markdownFault(text: string): string | null {
  const isDeep = (text.match(lineStart) ?? []).some((start) => countOf(start, blockMark) > maxDepth);
  if (isDeep) return `Use at most ${maxDepth} quotes and lists in each other`;
  const isBusy = text.split(/\n[ \t]*\n/).some((block) => countOf(block, emphasis) > maxRuns);
  if (isBusy) return `Use * and _ at most ${maxRuns} times in a paragraph, list or table`;
  // Tabs alone end no table.
  const isTabular = text.split(/\n *\n/).some((block) => countOf(block, tableLine) > maxTableLines);
  if (isTabular) return `Use at most ${maxTableLines} lines of only dashes in a paragraph, list or table`;
  return row.test(text) ? `Repeat a character at most ${maxRow} times in a row` : null;
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
