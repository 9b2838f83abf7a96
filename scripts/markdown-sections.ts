import type { Plugin } from "vite";
import { renderMarkdown } from "../app/features/pages/markdown.server.ts";

/** A Markdown file is the list of its sections, each with its title and its text as HTML. */
export function markdownSections(): Plugin {
  return {
    name: "ringback:markdown-sections",
    transform: {
      filter: { id: /\/app\/.*\.md$/ },
      handler(text) {
        const sections = text.split(/^## /m).slice(1);
        const rendered = sections.map((section) => {
          const [title = "", ...lines] = section.split("\n");
          return { title, html: renderMarkdown(lines.join("\n")) };
        });
        return { code: `export default ${JSON.stringify(rendered)};`, map: null };
      },
    },
  };
}
