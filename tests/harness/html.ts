/** An opening tag in HTML rendered by React, which puts each value in double quotes. */
export interface Tag {
  name: string;
  attributes: Map<string, string>;
}

export function tagsOf(html: string): Tag[] {
  return [...html.matchAll(/<([a-z][\w-]*)((?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, name = "", attributes = ""]) => ({
      name: name.toLowerCase(),
      attributes: new Map(
        [...attributes.matchAll(/([^\s=>"/]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [
          key.toLowerCase(),
          unescaped(value),
        ]),
      ),
    }),
  );
}

/** The initial value of a text field, or undefined when there is no such field. */
export function fieldValue(html: string, name: string): string | undefined {
  const input = tagsOf(html).find((tag) => tag.name === "input" && tag.attributes.get("name") === name);
  if (input) return input.attributes.get("value") ?? "";
  const textarea = html.match(new RegExp(`<textarea[^>]* name="${name}"[^>]*>([^<]*)</textarea>`));
  return textarea ? unescaped(textarea[1] ?? "") : undefined;
}

/** The visible text of a page without JavaScript, in one line. */
export function textOf(html: string): string {
  const visible = html.replace(/<(script|style|head)\b.*?<\/\1>/gs, " ");
  return unescaped(visible.replace(/<!--.*?-->|<wbr\/?>|<\/?bdi>/gs, "").replace(/<[^>]*>/g, " ")).replace(
    /\s+/g,
    " ",
  );
}

function unescaped(text: string): string {
  const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#x27|amp);/g, (whole, name: string) => characters[name] ?? whole);
}
