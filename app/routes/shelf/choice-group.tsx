import type { ShelfPage } from "#app/features/phones/browse.server.ts";
import { countLabel, phonesLabel } from "#app/features/phones/phone-count.rules.ts";
import type { ShelfQuery } from "#app/features/phones/shelf-query.rules.ts";
import { ChevronDownIcon } from "#app/ui/icons.tsx";

type Choice = ShelfPage["choices"]["brands"][number];

/** Values that are seen at a glance; what goes beyond them folds away. */
const atAGlance = 8;

interface ChoicesOfAKind {
  legend: string;
  name: string;
  choices: Choice[];
  chosen: string[];
}

/** Values of one kind, each to be chosen or not, with how many phones of the shelf have it. */
export function ChoiceGroup({ legend, name, choices, chosen }: ChoicesOfAKind) {
  // An address may choose what no phone here has, and must be able to take it back.
  const absent = chosen.filter((value) => !choices.some((choice) => choice.value === value));
  const all = [...absent.map((value) => ({ value, count: 0 })), ...choices];
  const box = (choice: Choice) => (
    <Box key={choice.value} name={name} checked={chosen.includes(choice.value)} {...choice} />
  );
  const rest = all.slice(atAGlance);
  return (
    <fieldset className={groupClass}>
      <Legend>{legend}</Legend>
      {all.slice(0, atAGlance).map(box)}
      {rest.length > 0 && (
        <details className="group" open={rest.some(({ value }) => chosen.includes(value))}>
          <summary className="flex min-h-9 items-center gap-2 text-sm font-medium text-primary">
            <ChevronDownIcon className="size-5 transition-transform group-open:rotate-180" />
            Show all {all.length}
          </summary>
          {rest.map(box)}
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
  query: Pick<ShelfQuery, "verifiedOnly" | "availableOnly">;
  choices: Pick<ShelfPage["choices"], "verified" | "available">;
}) {
  const only = [
    { name: "verified", label: "Verified sellers only", count: verified, checked: query.verifiedOnly },
    { name: "available", label: "Available only", count: available, checked: query.availableOnly },
  ];
  return (
    <fieldset className={groupClass}>
      <Legend>Show</Legend>
      {only.map((box) => (
        <Box key={box.name} value="yes" {...box} />
      ))}
    </fieldset>
  );
}

const groupClass = "min-w-0";

function Legend({ children }: { children: string }) {
  return <legend className="mb-1 font-semibold">{children}</legend>;
}

function Box({
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
    <label className="flex min-h-9 cursor-pointer items-center gap-3 hover:text-primary">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={checked}
        aria-label={`${label}, ${phonesLabel(count)}`}
        className="size-5 shrink-0 accent-primary"
      />
      <span className="min-w-0 flex-1 wrap-anywhere">{label}</span>
      <span className="text-sm text-quiet tabular-nums">{countLabel(count)}</span>
    </label>
  );
}
