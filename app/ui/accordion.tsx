import type { ReactNode } from "react";
import { ChevronDownIcon } from "./icons.tsx";

/** An accordion of native `<details>`: those with the same name close each other. */
export function Accordion({
  name,
  headings: Heading,
  items,
}: {
  name: string;
  headings: "h2" | "h3";
  /** The first is open initially. */
  items: { title: string; icon?: ReactNode; body: ReactNode }[];
}) {
  return (
    <div className="border-t-2 border-base-content">
      {items.map(({ title, icon, body }, index) => (
        <details key={title} name={name} open={index === 0} className="group border-b border-base-300">
          <summary className="flex items-center gap-4 py-5 hover:text-primary">
            {icon}
            <Heading className="flex-1 text-2xl font-semibold">{title}</Heading>
            <ChevronDownIcon className="size-6 shrink-0 group-open:rotate-180" />
          </summary>
          <div className={`max-w-prose pb-8 text-lg ${icon ? "pl-11" : ""}`}>{body}</div>
        </details>
      ))}
    </div>
  );
}
