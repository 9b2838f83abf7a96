import fc from "fast-check";

const oneOrTwo = (name: string, values: string[]) =>
  fc.option(
    fc.subarray(values, { minLength: 1, maxLength: 2 }).map((chosen) => chosen.map((value) => [name, value])),
  );
const flag = (name: string) => fc.option(fc.constant<string[][]>([[name, "yes"]]));
const price = fc.integer({ min: 1, max: 30 }).map((step) => String(step * 50));

/** Generates a list URL with a random combination of filters, words and order. */
export const listUrl = fc
  .record({
    path: fc.constantFrom("/products", "/products", "/android", "/ios", "/tablet"),
    parameters: fc.tuple(
      fc.option(
        fc
          .constantFrom(
            "i",
            "iphone",
            "iphone 13",
            "galaxy",
            "galaxy s2",
            "pro max",
            "snapdragon 8",
            "pixel rev 3",
          )
          .map((words) => [["q", words]]),
      ),
      oneOrTwo("brand", ["Apple", "Samsung", "Google", "Xiaomi", "Fairphone"]),
      oneOrTwo("rom", ["64 GB", "128 GB", "256 GB", "512 GB"]),
      oneOrTwo("ram", ["4 GB", "6 GB", "8 GB", "12 GB"]),
      oneOrTwo("condition", ["Excellent", "Good", "Fair"]),
      fc.option(fc.constantFrom("80", "85", "90").map((health) => [["battery", health]])),
      oneOrTwo("color", ["Black", "Blue", "Green"]),
      flag("phones"),
      flag("unlocked"),
      flag("verified"),
      flag("available"),
      fc.option(price.map((from) => [["from", from]])),
      fc.option(price.map((to) => [["to", to]])),
      fc.option(fc.constantFrom("price-up", "price-down", "saving").map((order) => [["sort", order]])),
    ),
  })
  .map(({ path, parameters }) => {
    const search = new URLSearchParams(parameters.flatMap((pairs) => pairs ?? []) as [string, string][]);
    return `${path}?${search}`;
  });
