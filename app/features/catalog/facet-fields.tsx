import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { countLabel, phonesLabel } from "../phones/phone-count.rules.ts";
import type { Choice, Choices } from "./facets.rules.ts";
import type { SearchQuery } from "./search-query.rules.ts";

/** Values that are seen at a glance; what goes beyond them folds away. */
const atAGlance = 8;

interface ChoicesOfAKind {
  legend: string;
  name: string;
  choices: Choice[];
  chosen: string[];
}

/** Values of one kind, each to be chosen or not, with how many phones of the category have it. */
export function ChoiceGroup({ legend, name, choices, chosen }: ChoicesOfAKind) {
  // An address may choose what no phone here has, and must be able to take it back.
  const absent = chosen.filter((value) => !choices.some(([choice]) => choice === value));
  const all = [...absent.map((value): Choice => [value, 0]), ...choices];
  const option = ([value, count]: Choice) => (
    <FilterOption key={value} name={name} value={value} count={count} checked={chosen.includes(value)} />
  );
  const rest = all.slice(atAGlance);
  return (
    <fieldset className="min-w-0">
      <Legend>{legend}</Legend>
      {all.slice(0, atAGlance).map(option)}
      {rest.length > 0 && (
        <details className="group" open={rest.some(([value]) => chosen.includes(value))}>
          <summary className="flex min-h-9 items-center gap-2 text-sm font-medium text-primary">
            <ChevronDownIcon className="size-5 transition-transform group-open:rotate-180" />
            {`Show all ${all.length}`}
          </summary>
          {rest.map(option)}
        </details>
      )}
    </fieldset>
  );
}

/** What each phone either is or is not. */
export function OnlyGroup({
  query,
  choices: { verified, available },
}: {
  query: Pick<SearchQuery, "verifiedOnly" | "availableOnly">;
  choices: Pick<Choices, "verified" | "available">;
}) {
  const only = [
    { name: "verified", label: "Verified sellers only", count: verified, checked: query.verifiedOnly },
    { name: "available", label: "Available only", count: available, checked: query.availableOnly },
  ];
  return (
    <fieldset className="min-w-0">
      <Legend>Show</Legend>
      {only.map((option) => (
        <FilterOption key={option.name} value="yes" {...option} />
      ))}
    </fieldset>
  );
}

function Legend({ children }: { children: string }) {
  return <legend className="mb-1 font-semibold">{children}</legend>;
}

function FilterOption({
  name,
  value,
  label = value,
  count,
  checked,
}: {
  name: string;
  value: string;
  label?: string;
  count: number;
  checked: boolean;
}) {
  return (
    <label className="filter-option">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={checked}
        aria-label={`${label}, ${phonesLabel(count)}`}
      />
      {label}
      <span>{countLabel(count)}</span>
    </label>
  );
}
