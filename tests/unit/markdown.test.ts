import { describe, expect, test } from "vitest";
import { markdownFault } from "#app/features/pages/markdown.rules.ts";
import { findGaps, renderMarkdown } from "#app/features/pages/markdown.server.ts";
import { pageSchema } from "#app/features/pages/page.schema.ts";
import { pageSlugOf } from "#app/features/pages/page-slugs.ts";
import { suggestPages } from "#app/features/pages/suggested-pages.server.ts";

describe("Markdown", () => {
  test.each([
    "<script>alert(1)</script>",
    "text <img src=x onerror=alert(1)> text",
    "<div>\n\n**bold**\n\n</div>",
    "<!-- comment -->",
    "<style>*{display:none}</style>",
    "<svg/onload=alert(1)>",
    "- <iframe src=//x>",
    "> <b onclick=x>y</b>",
    "`<i>`\n\n```\n<u>\n```",
    '```x"><script>\n```',
    "| <td><script> |\n| --- |\n| <hr> |",
  ])("leaves no HTML of its own: %s", (text) => {
    const tags = new Set(Array.from(renderMarkdown(text).matchAll(/<\/?([^\s>/]+)/g), ([, name]) => name));
    const rendered = "p ul li blockquote code pre table thead tbody tr th td strong".split(" ");
    expect([...tags].filter((name) => !rendered.includes(name ?? ""))).toEqual([]);
  });

  test.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScript:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](&#x6A;avascript:alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x]( javascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:x)",
    "<javascript:alert(1)>",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "![x](javascript:alert(1))",
    "[![x](data:x)](javascript:x)",
  ])("links to nothing dangerous: %s", (text) => {
    expect(renderMarkdown(text)).not.toMatch(/<a|<img|href|src/);
  });

  test("links pages, sites and addresses", () => {
    const html = renderMarkdown(
      '[a](/report) [b](https://x.example/"onclick=x) <mailto:me@x.example> [c](#top) [d](tel:+4670)',
    );
    const links = Array.from(html.matchAll(/<a ([^>]*)>/g), ([, attributes]) => attributes);
    expect(links).toEqual([
      'href="/report"',
      'href="https://x.example/%22onclick=x"',
      'href="mailto:me@x.example"',
      'href="#top"',
      'href="tel:+4670"',
    ]);
  });

  test("shows our own pictures, and links others", () => {
    const own = "/photos/x-1-1200x900-page/gallery";
    const image = (alt: string) => `<img src="${own}" width="1200" height="900" loading="lazy" alt="${alt}">`;
    const others = "https://other.example/track.gif";
    expect(renderMarkdown(`![A \\[&\\] "desk"](${own})`)).toBe(
      `<p>${image("A [&amp;] &quot;desk&quot;")}</p>\n`,
    );
    expect(renderMarkdown(`[![x](${own})](/help)`)).toBe(`<p><a href="/help">${image("x")}</a></p>\n`);
    expect(renderMarkdown(`![our *desk*](${others})`)).toBe(
      `<p><a href="${others}">our <em>desk</em></a></p>\n`,
    );
    expect(renderMarkdown(`[![x](${others})](/help)`)).toBe('<p><a href="/help">x</a></p>\n');
    expect(renderMarkdown(`[**![x](${others})**](/help)`)).toBe(
      '<p><a href="/help"><strong>x</strong></a></p>\n',
    );
    expect(renderMarkdown(`![see [y](/help)](${others})`)).toBe(`<p><a href="${others}">see y</a></p>\n`);
    for (const address of [
      "/photos/x/gallery",
      `https://other.example${own}`,
      `${own}?x`,
      "/photos/../x-1x1-page/gallery",
    ])
      expect(renderMarkdown(`![x](${address})`)).not.toContain("<img");
  });

  test("has its highest heading below that of the page", () => {
    const levels = (text: string, top?: number) =>
      Array.from(renderMarkdown(text, top).matchAll(/<h(\d)/g), ([, level]) => Number(level));
    expect(levels("# One\n## Two\n##### Five")).toEqual([2, 3, 4]);
    expect(levels("### Three\n\n> ## Two")).toEqual([3, 2]);
    expect(levels("# One", 3)).toEqual([3]);
    expect(levels("Text")).toEqual([]);
  });
});

describe("a text that would take too long to render is refused", () => {
  test.each([
    ["*a_", /\* and _ at most 200 times/],
    ["**_a", /\* and _ at most 200 times/],
    ["*a\n", /\* and _ at most 200 times/],
    [">", /at most 20 quotes and lists/],
    ["> ", /at most 20 quotes and lists/],
    ["- > 1. ", /at most 20 quotes and lists/],
    ["!", /Repeat a character at most 200 times/],
    ["a\n-\n", /at most 200 lines of only dashes/],
    [" -\na\n", /at most 200 lines of only dashes/],
    ["+\n-\n", /at most 200 lines of only dashes/],
    ["a\n|:- |\n", /at most 200 lines of only dashes/],
    ["> a\n> -\n", /at most 200 lines of only dashes/],
    ["a\n-\n\t\n", /at most 200 lines of only dashes/],
  ])("%s", (unit, reason) => {
    // In a form, line breaks take more.
    const body = unit.repeat(10_000).slice(0, 20_000);
    for (const form of [
      { intent: "preview", title: "Long", body },
      { intent: "picture", body, words: "A desk" },
    ]) {
      const { error } = pageSchema.safeParse(form);
      expect(error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
        ["body", expect.stringMatching(reason)],
      ]);
    }
  });

  test("and what people write is not", () => {
    const texts = [
      ...[false, true].flatMap((isProtected) => suggestPages(isProtected).map(({ body }) => body)),
      `${"**bold** and _more_ \n\n".repeat(1000)}`,
      `${"> ".repeat(20)}deep`,
      `${"-".repeat(200)}\n\n${"| a | **b** |\n".repeat(90)}`,
      "- a\n  - b\n    1. c\n\n".repeat(500),
      "| a |\n| --- |\n| b |\n\nTitle\n-----\n\n---\n\n".repeat(500),
    ];
    for (const text of texts) expect(markdownFault(text)).toBeNull();
  });
});

test("gaps are what a text still has in brackets, each once", () => {
  const text = "# [Name]\n[Street]\\\n**[Phone]** [Name]\n\n| [a b] |\n| --- |\n| [✓] |";
  expect(findGaps(text)).toEqual(["[Name]", "[Street]", "[Phone]", "[a b]"]);
  const none =
    "- [ ] to do\n- [x] done\n\n[link](/x) ![a \\[picture\\]](/y) `[code]` \\[no\\] [] [ref]\n\n[ref]: /z";
  expect(findGaps(none)).toEqual([]);
});

test.each([
  ["Terms & Conditions", "terms-conditions"],
  ["  Who’s behind it? ", "whos-behind-it"],
  ["Ärger über Öl", "arger-uber-ol"],
  ["保証", ""],
])("the page %s is named %s", (title, slug) => {
  expect(pageSlugOf(title)).toBe(slug);
});
