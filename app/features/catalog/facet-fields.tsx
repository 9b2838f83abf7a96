import { type ReactNode, useState } from "react";
import { countLabel } from "#app/market.ts";
import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { type DeviceNoun, devicesLabel } from "../listings/device-count.rules.ts";
import type { Choice, Facet } from "./search/facets.rules.ts";

const visibleChoices = 8;

interface Fields {
  facet: Facet;
  noun: DeviceNoun;
  choices: Choice[];
  chosen: string[];
}

export function FacetFields({ facet, noun, choices, chosen }: Fields) {
  if (choices.length === 0) return null;
  const isSingle = facet.compares === "at least";
  const option = ([value, count]: Choice) => (
    <FilterOption
      key={value}
      name={facet.name}
      type={isSingle ? "radio" : "checkbox"}
      value={value}
      label={facet.label?.(value)}
      count={count}
      noun={noun}
      checked={chosen.includes(value)}
    />
  );
  const rest = choices.slice(visibleChoices);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-semibold">{facet.legend}</legend>
      {isSingle && (
        <FilterOption
          name={facet.name}
          type="radio"
          value=""
          label="Any"
          noun={noun}
          checked={chosen.length === 0}
        />
      )}
      {choices.slice(0, visibleChoices).map(option)}
      {rest.length > 0 && (
        <MoreOptions count={choices.length} open={rest.some(([value]) => chosen.includes(value))}>
          {rest.map(option)}
        </MoreOptions>
      )}
    </fieldset>
  );
}

function MoreOptions({ count, open, children }: { count: number; open: boolean; children: ReactNode }) {
  const [initiallyOpen] = useState(open);
  return (
    <details className="group" open={initiallyOpen}>
      <summary className="flex min-h-9 items-center gap-2 text-sm font-medium text-primary">
        <ChevronDownIcon className="size-5 transition-transform group-open:rotate-180" />
        {`Show all ${count}`}
      </summary>
      {children}
    </details>
  );
}

function FilterOption({
  name,
  type,
  value,
  label = value,
  count = null,
  noun,
  checked,
}: {
  name: string;
  type: "checkbox" | "radio";
  value: string;
  label?: string;
  count?: number | null;
  noun: DeviceNoun;
  checked: boolean;
}) {
  const counted = count === null ? "" : `, ${devicesLabel(count, noun)}`;
  // The stylesheet shows the count: a list has up to a hundred options, and an element each for it would be too many.
  const shownCount = count === null ? undefined : countLabel(count);
  return (
    <label className="filter-option" data-count={shownCount}>
      <input type={type} name={name} value={value} defaultChecked={checked} aria-label={label + counted} />
      {label}
    </label>
  );
}
