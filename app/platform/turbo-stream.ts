/** What the format says for values that JSON has no number for. */
const nothing = { null: -5, undefined: -7 };

/**
 * Plain data and dates in the format that Remix reads in the browser. The package that defines it writes it too,
 * and promises and classes beside; for what pages carry this does, and is a kilobyte less to load.
 * @see https://github.com/jacob-ebey/turbo-stream
 */
export function asTurboStream(data: unknown): ReadableStream<Uint8Array> {
  const body = new Response(`${JSON.stringify(flat(data))}\n`).body;
  if (!body) throw new Error("There is no body.");
  return body;
}

/** Every value has a place in one list, and values that hold others name their places. */
function flat(data: unknown): unknown {
  const places: unknown[] = [];

  function placeOf(value: unknown): number {
    if (value === null) return nothing.null;
    if (value === undefined) return nothing.undefined;
    const place = places.push(value) - 1;
    if (Array.isArray(value)) places[place] = value.map(placeOf);
    else if (value instanceof Date) places[place] = ["D", value.getTime()];
    else if (typeof value === "object") {
      const pairs = Object.entries(value).map(([key, held]) => [`_${placeOf(key)}`, placeOf(held)]);
      places[place] = Object.fromEntries(pairs);
    }
    return place;
  }

  const root = placeOf(data);
  return root < 0 ? root : places;
}
