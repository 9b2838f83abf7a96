import { useContext } from "react";
import { ServerRenderContext } from "./server-render-context.ts";

/** JSON-LD for search engines. @see https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents */
export function StructuredData({ graph }: { graph: object }) {
  const { nonce } = useContext(ServerRenderContext);
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      // Browsers hide the nonce from scripts.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: scriptJson(graph) }}
    />
  );
}

/** Serializes JSON without `<` and `>`, so that it can neither end the script element nor start a comment. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
}
