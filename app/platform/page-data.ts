import { asTurboStream } from "./turbo-stream.ts";

/** The id of the element that carries a page's data. */
export const pageDataElement = "page-data";

/** What a page's scripts are told by its markup, as JSON. */
export interface PageData {
  /** Remix's own settings: what it keeps in `window.__remixContext`. */
  context: object;
  /** The ids of the routes that the page is made of, outermost first. */
  routes: string[];
  state: {
    loaderData: Record<string, unknown>;
    actionData: Record<string, unknown> | null;
    errors: Record<string, unknown> | null;
  };
}

/**
 * A route may say in its `handle` what of its loader's data the browser can read from the markup. The page then
 * carries it once.
 */
export interface DataInMarkup<Data, Rest> {
  inMarkup: {
    /** The data without what the markup says. */
    leaveOut(data: Data): Rest;
    /** The whole data again, read from the document. */
    readBack(rest: Rest): Data;
  };
}

/** A route's handle, if it is one that finds data in the markup. */
export function dataInMarkup(handle: unknown): DataInMarkup<unknown, unknown>["inMarkup"] | undefined {
  return (handle as Partial<DataInMarkup<unknown, unknown>> | undefined)?.inMarkup;
}

/**
 * Data as JSON. Dates stay dates; what JSON cannot say is refused, rather than silently something else in the
 * browser.
 *
 * @throws TypeError for functions, promises, maps and other things with a class of their own
 */
export function toJson(data: unknown): string {
  return JSON.stringify(data, function (this: Record<string, unknown>, key, given) {
    const value = this[key];
    if (value instanceof Date) return { $date: value.getTime() };
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const kind = Object.getPrototypeOf(value);
      if (kind !== Object.prototype && kind !== null) throw new TypeError(`"${key}" is no plain data.`);
    }
    if (typeof value === "function") throw new TypeError(`"${key}" is no plain data.`);
    return given;
  });
}

/** Reads what `toJson` wrote. */
export function fromJson(json: string): unknown {
  return JSON.parse(json, (_key, value) => {
    return typeof value?.$date === "number" ? new Date(value.$date) : value;
  });
}

/**
 * Hands a page's data to Remix. In development that expects it as a stream in its own format, and waits for it;
 * who presses something meanwhile loses the press and what they had filled in, as React then draws the page anew.
 * The build takes the data as it is, see `lean-remix.ts`.
 *
 * @param modules the modules of the page's routes, by id
 */
export function handOver(
  { context, state }: PageData,
  modules: Record<string, { handle?: unknown } | undefined>,
) {
  for (const [id, module] of Object.entries(modules)) {
    const found = dataInMarkup(module?.handle);
    // An error's page shows something else in the place of the markup, and carries everything.
    if (found && state.errors === null && state.loaderData[id]) {
      state.loaderData[id] = found.readBack(state.loaderData[id]);
    }
  }
  Object.assign(window, {
    __remixContext: { ...context, ...(import.meta.env.DEV ? { stream: asTurboStream(state) } : { state }) },
    __remixRouteModules: modules,
  });
}
