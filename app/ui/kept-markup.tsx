import { createContext, type ReactElement, useContext } from "react";

/** How the Worker writes markup that it keeps, under a name that says all it is made of; the browser keeps none. */
export const KeptMarkupContext = createContext<((name: string, element: ReactElement) => string) | null>(
  null,
);

const kinds = new Map<unknown, number>();

/**
 * An element around a component that the Worker need not render anew as long as it looks the same: the same card is on
 * many a page of a list, for everybody. What the component shows may depend on its properties alone: it is given no
 * context, must not use `useId`, and links to paths of ours only.
 *
 * @param like the component's properties, which JSON can say
 */
export function KeptMarkup<Properties extends object>({
  in: Around,
  className,
  of: Component,
  like,
}: {
  in: "li" | "fieldset";
  className: string;
  of: (properties: Properties) => ReactElement;
  like: Properties;
}) {
  const write = useContext(KeptMarkupContext);
  const element = <Component {...like} />;
  if (!write) return <Around className={className}>{element}</Around>;
  const kind = kinds.get(Component) ?? kinds.size;
  kinds.set(Component, kind);
  const markup = write(`${kind} ${JSON.stringify(like)}`, element);
  // React has written it.
  return <Around className={className} dangerouslySetInnerHTML={{ __html: markup }} />;
}
