import { expect, test } from "vitest";
import { submissionKeyOf } from "#app/server/forms/forms.server.ts";

const formKey = "018f4e3a-1111-4222-8333-444455556666";

function keyOf(fields: Record<string, string>, page = "/manage/messages/1") {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return submissionKeyOf({ request: new Request(`https://ringback.example${page}`), form });
}

test("the same form submitted again has the same key, and other content has another", async () => {
  const first = await keyOf({ formKey, text: "Hello" });
  expect(first?.startsWith(formKey)).toBe(true);
  expect(await keyOf({ formKey, text: "Hello" })).toBe(first);
  expect(await keyOf({ formKey, text: "Hello", confirmed: "link" })).toBe(first);
  const others = [
    await keyOf({ formKey, text: "Hello!" }),
    await keyOf({ formKey, text: "Hello", offer: "1" }),
    await keyOf({ formKey, text: "Hello" }, "/manage/messages/2"),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
});

test("a form without a key of our pages has none", async () => {
  expect(await keyOf({ text: "Hello" })).toBeNull();
  expect(await keyOf({ formKey: "x", text: "Hello" })).toBeNull();
});
