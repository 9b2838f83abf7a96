import { expect, test } from "vitest";
import { suggestPages } from "#app/features/pages/suggested-pages.server.ts";
import { howToPay } from "#app/terms.ts";

const bodyOf = (slug: string, isProtected: boolean) =>
  suggestPages(isProtected).find((page) => page.slug === slug)?.body ?? "";

test.each(["buyer", "seller", "administrator"] as const)(
  "with a provider, protected payment leads for the %s; without one, nothing is said of it",
  (role) => {
    expect(howToPay(role, true)).toMatch(
      /^(?:Where|If you’ve set up).* Otherwise, (?:you pay|the buyer pays)/,
    );
    expect(howToPay(role, false)).toMatch(/^(?:You pay|The buyer pays)/);
    expect(howToPay(role, false)).not.toMatch(/rotected|holds/);
  },
);

test("Help and the terms say first what holds where a listing is protected", () => {
  const help = bodyOf("help", true);
  expect(help).toContain("If its listing says “Protected payment”, pay within 60 minutes.");
  expect(help).not.toContain("You don’t need to pay");
  expect(help).toMatch(/How do I pay\?\*\* Where a listing says “Protected payment”/);
  expect(bodyOf("terms", true)).toContain("- Pay when you book if the listing says “Protected payment”.");
  expect(bodyOf("help", false)).toContain("reserved for you for 5 days. You don’t need to pay to book.");
  expect(bodyOf("help", false)).not.toContain("rotected");
  expect(bodyOf("terms", false)).toContain("- Pay the seller the way you agreed on.");
});
