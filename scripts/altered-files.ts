import type { Plugin } from "vite";

/** What is written in place of parts of a library's file. */
export interface Alteration {
  file: RegExp;
  /** Whose build it is for. */
  to: "worker" | "browser";
  /** Bodies of functions and classes, by name. */
  bodies?: Record<string, string>;
  /** Text, and what stands in each of its places instead. */
  parts?: [found: string, instead: string][];
  /** What is added below. */
  below?: string;
}

/**
 * Alters files of libraries in a build.
 *
 * @throws Error, when the build does not come to one of the files, or that has nothing like what was to be altered in it
 */
export function alteredFiles(name: string, alterations: Alteration[]): Plugin {
  let left: Alteration[] = [];
  return {
    name,
    apply: "build",
    enforce: "pre",
    configResolved({ build }) {
      left = alterations.filter(({ to }) => to === (build.ssr ? "worker" : "browser"));
    },
    transform(code, id, { ssr } = {}) {
      const side = ssr ? "worker" : "browser";
      const found = alterations.filter(({ file, to }) => to === side && file.test(id));
      if (found.length === 0) return null;
      left = left.filter((alteration) => !found.includes(alteration));
      return { code: found.reduce((rest, alteration) => altered(rest, id, alteration), code), map: null };
    },
    buildEnd(fault) {
      if (!fault && left.length > 0)
        throw new Error(`There is no file like ${left.map(({ file }) => file).join(", ")}.`);
    },
  };
}

function altered(code: string, id: string, { bodies = {}, parts = [], below = "" }: Alteration): string {
  let result = code;
  for (const [name, body] of Object.entries(bodies)) result = withBody(result, id, name, body);
  for (const [found, instead] of parts) {
    if (!result.includes(found)) throw changed(id, found);
    result = result.replaceAll(found, () => instead);
  }
  return result + below;
}

/** Puts another body in the place of a function's or a class's. */
function withBody(code: string, id: string, name: string, body: string): string {
  const whole = new RegExp(`^( *)((?:async )?function|class) ${name}\\b.*?^\\1\\}$`, "ms");
  if (!whole.test(code)) throw changed(id, name);
  return code.replace(
    whole,
    (_whole, _indent, kind) => `${kind} ${name}${kind === "class" ? "" : "()"} ${body}`,
  );
}

function changed(id: string, missing: string): Error {
  return new Error(`${id} has changed, and has no more of this: ${missing}`);
}
