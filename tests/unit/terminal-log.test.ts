import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { terminalLog } from "../../scripts/terminal-log.ts";

test("a terminal shows the log in lines for people, whatever the pieces it comes in", () => {
  const lines: string[] = [];
  const onLog = terminalLog((line) =>
    lines.push(stripVTControlCharacters(line).replace(/^[\d:]{8}/, "TIME")),
  );
  const entries = [
    {
      level: "info",
      event: "request",
      reference: "a1",
      method: "GET",
      path: "/products",
      status: 200,
      cache: "hit",
      ms: 3,
    },
    { level: "warning", reference: "b2", event: "photo", reason: "too large" },
    { level: "error", reference: "c3", name: "Error", stack: "Error: no\n    at here" },
    { level: "error", reference: "d4", name: "SetupError", message: "MAIL_FROM is empty" },
    { level: "info", event: "not set up", reference: "e5", missing: ["Email", "Photos"] },
  ];
  const text = `${entries.map((entry) => JSON.stringify(entry)).join("\n")}\nworkerd says: {"not": "ours"}\n`;
  for (const piece of text.match(/[\s\S]{1,50}/g) ?? []) onLog(piece);
  expect(lines).toEqual([
    "TIME  GET    /products  200  3 ms",
    "TIME  WARNING  photo  reason: too large  b2",
    "TIME  ERROR  Error: no\n    at here  c3",
    "TIME  ERROR  SetupError: MAIL_FROM is empty  d4",
    "TIME  INFO  not set up  missing: Email,Photos  e5",
    'workerd says: {"not": "ours"}',
  ]);
});
