import { Marked } from "marked";

/** Where links may lead: other schemes, like `javascript:`, could run something. */
const allowedLink = /^(?:https?:\/\/|mailto:|tel:|\/|#)/i;

/** HTML is text like any other, and there are no images: only their descriptions are shown. */
const markdown = new Marked({
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    link({ href, tokens }) {
      // False stands for the library's own renderer.
      return allowedLink.test(href) ? false : this.parser.parseInline(tokens);
    },
    image({ tokens }) {
      return this.parser.parseInline(tokens);
    },
    checkbox({ checked }) {
      return checked ? "☑ " : "☐ ";
    },
  },
});

/** The deepest heading that the styles know. */
const deepest = 4;

/** Renders Markdown as HTML. @param top the level of its highest heading, below that of the page */
export function renderMarkdown(text: string, top = 2): string {
  const tokens = markdown.lexer(text);
  const headings: { depth: number }[] = [];
  markdown.walkTokens(tokens, (token) => {
    if (token.type === "heading") headings.push(token as { depth: number } & typeof token);
  });
  const highest = Math.min(...headings.map(({ depth }) => depth));
  for (const heading of headings) heading.depth = Math.min(top + heading.depth - highest, deepest);
  return markdown.parser(tokens);
}
