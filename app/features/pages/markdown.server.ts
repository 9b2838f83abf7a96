import { Marked } from "marked";
import { pagePictureSize } from "../photos/photo.rules.ts";

/** Where links may lead: other schemes, like `javascript:`, could run something. */
const allowedLink = /^(?:https?:\/\/|mailto:|tel:|\/|#)/i;

/** HTML is shown as text. Pictures of other sites become links, since loading them would tell those sites who visits. */
const markdown: Marked = new Marked({
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    link(link) {
      // In a link there is no other one.
      markdown.walkTokens(link.tokens, (token) => {
        if (token.type === "link" || (token.type === "image" && !pagePictureSize(token.href)))
          token.type = "text";
      });
      // False stands for the library's own renderer.
      return allowedLink.test(link.href) ? false : this.parser.parseInline(link.tokens);
    },
    image(image) {
      return pagePictureSize(image.href) ? false : this.link({ ...image, type: "link" });
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
  return markdown.parser(tokens).replaceAll(/<img src="([^"]+)"/g, (tag, address: string) => {
    const { width, height } = pagePictureSize(address) ?? {};
    return `${tag} width="${width}" height="${height}" loading="lazy"`;
  });
}

/** What a text still has in brackets, to be filled in: "[name]". */
export function findGaps(text: string): string[] {
  const gaps: string[] = [];
  markdown.walkTokens(markdown.lexer(text), (token) => {
    // What a picture shows is written in the editor, which escapes brackets.
    if (token.type === "image") token.tokens = [];
    if (token.type === "text" && !("tokens" in token))
      gaps.push(...(token.text.match(/\[[^[\]]*[\p{L}\p{N}][^[\]]*\]/gu) ?? []));
  });
  return [...new Set(gaps)];
}
