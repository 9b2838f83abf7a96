import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import { devicesLabel } from "./category.rules.ts";
import { comparePath, maxCompared } from "./compare.rules.ts";
import { compareFormId } from "./listing-card.tsx";
import { updateSelectedListings, useSelectedListings } from "./selected-listings.ts";

const hints = [
  "Select up to four devices to compare.",
  "Select at least one more.",
  "You can add two more.",
  "You can add one more.",
  "You’ve picked four. That’s the most you can compare.",
];

/**
 * The form that compares the selected phones. With JavaScript it sticks to the bottom of the window while phones are
 * selected, and the selection survives navigation.
 */
export function CompareBar() {
  const selected = useSelectedListings();
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const navigate = useNavigate();

  useEffect(() => {
    // Checked before hydration, or restored by the browser after Back.
    const checkedBoxes = checkboxesOf(form.current).filter(({ checked }) => checked);
    updateSelectedListings((before) =>
      limitSelection([...before, ...checkedBoxes.map(({ value }) => value)]),
    );
    const onChange = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement) || target.form !== form.current) return;
      const { checked, value } = target;
      updateSelectedListings((before) =>
        checked ? limitSelection([...before, value]) : before.filter((other) => other !== value),
      );
    };
    document.addEventListener("change", onChange);
    return () => document.removeEventListener("change", onChange);
  }, []);

  // After each render, because the list may have changed.
  useEffect(() => {
    for (const box of checkboxesOf(form.current)) {
      box.checked = selected.includes(box.value);
      box.disabled = !box.checked && selected.length >= maxCompared;
    }
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    navigate(comparePath({ ids: [...selected], onlyDifferences: false }));
  };
  const clear = () => {
    // The pressed button disappears.
    button.current?.focus();
    updateSelectedListings(() => []);
  };
  const count = selected.length;
  return (
    <form
      id={compareFormId}
      ref={form}
      method="get"
      action="/compare"
      onSubmit={submit}
      className={`mt-6 flex flex-wrap items-center justify-end gap-x-3 gap-y-1 border-t border-base-300 py-3 ${
        count > 0 ? "bottom-bar sticky bottom-0 z-10 bg-base-100" : ""
      }`}
    >
      <p aria-live="polite" className="text-quiet max-sm:w-full md:flex-1">
        {hints[count]}
      </p>
      {count > 0 && (
        <button type="button" className="btn btn-ghost" onClick={clear}>
          Clear selection
        </button>
      )}
      <button ref={button} type="submit" className={`btn ${count > 1 ? "btn-primary" : "btn-outline"}`}>
        Compare{count > 0 && ` ${devicesLabel(count)}`}
      </button>
    </form>
  );
}

function checkboxesOf(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.elements ?? [])].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement,
  );
}

function limitSelection(ids: string[]): string[] {
  return [...new Set(ids)].slice(0, maxCompared);
}
