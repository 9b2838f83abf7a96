import fc from "fast-check";

/** Hostile and random text: empty, very long, markup, odd numbers, control characters, lone surrogates. */
export function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.constantFrom(
      "",
      " ",
      "\0",
      "\ud800",
      "null",
      "__proto__",
      "<script>alert(1)</script>",
      "' OR 1=1 --",
      "x".repeat(10_000),
      "-1",
      "1e309",
      "349.50",
      "2026-11-20",
      "https://pictures.example/a.jpg",
      "Android",
      "person@example.com",
    ),
    fc.double().map(String),
    fc.integer().map(String),
  );
}

/** A form field: one of `fields`, a nested path of one, or a name with a special meaning to libraries. */
export function anyField(fields: readonly string[]): fc.Arbitrary<[string, string | File]> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...fields) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...fields), fc.constantFrom("[0]", ".x", "[", "]", "[].y", "[99999999]"))
        .map(([field, path]) => field + path),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("__intent__", "__state__", "__proto__", "constructor.prototype", "_id"),
    },
  );
  const value = fc.oneof(
    { weight: 9, arbitrary: anyText() },
    { weight: 1, arbitrary: anyText().map((text) => new File([wellFormed(text)], "a.txt")) },
  );
  return fc.tuple(name, value);
}

/** Replaces lone surrogates, as UTF-8 encoders do. */
export function wellFormed(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
