import { createContext, createElement, type ReactNode, useContext } from "react";
import { renderToString } from "react-dom/server.browser";
import { expect, test } from "vitest";
import { writeMarkup } from "#app/platform/markup-memory.server.ts";
import { KeptMarkup, KeptMarkupContext } from "#app/ui/kept-markup.tsx";

const rendered: string[] = [];

function Name({ name, age = 0 }: { name: string; age?: number }) {
  rendered.push(name);
  return createElement("b", null, name, " is ", age);
}

function Shout({ name }: { name: string }) {
  return createElement("i", null, name);
}

const kept = (name: string, of: typeof Name | typeof Shout = Name) =>
  createElement(KeptMarkup<{ name: string }>, { in: "li", className: "item", of, like: { name } });

const page = (children: ReactNode, write: typeof writeMarkup | null = writeMarkup) =>
  renderToString(createElement(KeptMarkupContext.Provider, { value: write }, children));

test("what is kept is what would be written, and is written once", () => {
  const plainly = page(kept("Ada & <Bob>"), null);
  expect(plainly).toBe('<li class="item"><b>Ada &amp; &lt;Bob&gt;<!-- --> is <!-- -->0</b></li>');
  rendered.length = 0;
  expect([page(kept("Ada & <Bob>")), page(kept("Ada & <Bob>"))]).toEqual([plainly, plainly]);
  expect(rendered).toEqual(["Ada & <Bob>"]);
});

test("neither another's properties nor another component are mistaken for it", () => {
  const both = page(
    [kept("Cem"), kept("Cem", Shout), kept("Dan")].map((item, key) => ({ ...item, key: String(key) })),
  );
  expect(both.match(/<(b|i)>\w+/g)).toEqual(["<b>Cem", "<i>Cem", "<b>Dan"]);
});

test("what stands around it keeps its context, while it is given none", () => {
  const Place = createContext("nowhere");
  const Here = () => createElement("u", null, useContext(Place));
  const held = createElement(KeptMarkup<object>, { in: "li", className: "", of: Here, like: {} });
  const around = createElement(
    Place.Provider,
    { value: "here" },
    createElement(Here),
    held,
    createElement(Here),
  );
  expect(page(around).match(/(?<=<u>)\w+/g)).toEqual(["here", "nowhere", "here"]);
});
