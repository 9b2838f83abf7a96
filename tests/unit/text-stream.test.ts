import { expect, test } from "vitest";
import { streamText } from "#app/server/http/responses.server.ts";

async function* pieces(...texts: string[]) {
  yield* texts;
}

test.each([
  [["a", "b"], "ab"],
  [["", "a", "", "", "b", ""], "ab"],
  [["", ""], ""],
  [[], ""],
])("the chunks %j are encoded as one text", async (texts, whole) => {
  expect(await new Response(await streamText(pieces(...texts))).text()).toBe(whole);
});
