import { expect, test } from "vitest";
import { unsentForm } from "#app/server/forms/unsent-form.server.ts";

test("a form that can be submitted again shows what was entered, and no ids", () => {
  const id = crypto.randomUUID();
  const enteredIn = (fields: Record<string, string>) =>
    unsentForm("https://ringback.example/manage", new URLSearchParams(fields))?.entered;
  const counteroffer = {
    account: "a@example.com",
    formKey: crypto.randomUUID(),
    intent: "counter",
    offer: id,
  };
  expect(enteredIn({ ...counteroffer, amount: "350", text: "Deal?" })).toEqual([
    ["Your counteroffer", "350"],
    ["Message", "Deal?"],
  ]);
  expect(enteredIn({ intent: "delete address", address: id })).toEqual([]);
  for (const savedAddress of [id, "another"])
    expect(enteredIn({ shownCents: "34950", savedAddress, address: "1 Harbour Street" })).toEqual([
      ["Address", "1 Harbour Street"],
    ]);
});
