import type { ReactElement } from "react";
import { renderToString } from "react-dom/server.browser";
import { boundedMemory } from "./bounded-memory.ts";

/** Some two thousand cards. */
const mostBytes = 8 * 1024 * 1024;

const memory = boundedMemory<string>(mostBytes, (name, markup) => 2 * (name.length + markup.length));

/**
 * Writes an element's markup, or says again what this isolate wrote under the same name.
 *
 * @param name says everything that the markup is made of
 */
export function writeMarkup(name: string, element: ReactElement): string {
  const known = memory.get(name);
  if (known !== null) return known;
  const markup = renderToString(element);
  // It comes as thousands of pieces, which V8 makes one string of when it is first looked into.
  markup.charCodeAt(0);
  memory.set(name, markup);
  return markup;
}
