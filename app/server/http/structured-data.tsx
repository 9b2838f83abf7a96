import { useContext } from "react";
import { RenderContext } from "./render-context.ts";

/**
 * What a page is about, for programs that read it.
 *
 * @see https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents
 */
export function StructuredData({ graph }: { graph: object }) {
  const { nonce } = useContext(RenderContext);
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      // The browser hides the nonce from scripts.
      suppressHydrationWarning
      // As it is, since a script element holds no markup; nothing in it can end the element.
      dangerouslySetInnerHTML={{ __html: scriptJson(graph) }}
    />
  );
}

/** JSON that can stand inside a script element: nothing in it can end the element or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
}
