import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import { compareFormId } from "../listings/compare-box.tsx";
import { phonesLabel } from "../listings/phone-count.rules.ts";
import { comparePath, maxCompared } from "./compare.rules.ts";
import { updateSelectedPhones, useSelectedPhones } from "./selected-phones.ts";

const hints = [
  "Select up to four phones to compare.",
  "Select at least one more phone.",
  "You can add two more phones.",
  "You can add one more phone.",
  "Four phones are the most.",
];

/**
 * Leads from the phones that are ticked to their comparison. With JavaScript it stays in sight while there are any, and
 * phones stay chosen on the way to other lists and back.
 */
export function CompareBar() {
  const chosen = useSelectedPhones();
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const navigate = useNavigate();

  useEffect(() => {
    // Ticked before hydration, or ticked again by the browser after Back.
    const ticked = boxesOf(form.current).filter(({ checked }) => checked);
    updateSelectedPhones((before) => firstOf([...before, ...ticked.map(({ value }) => value)]));
    const onChange = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement) || target.form !== form.current) return;
      const { checked, value } = target;
      updateSelectedPhones((before) =>
        checked ? firstOf([...before, value]) : before.filter((other) => other !== value),
      );
    };
    // The boxes are outside of the form.
    document.addEventListener("change", onChange);
    return () => document.removeEventListener("change", onChange);
  }, []);

  // After each render: the list may have other cards.
  useEffect(() => {
    for (const box of boxesOf(form.current)) {
      box.checked = chosen.includes(box.value);
      box.disabled = !box.checked && chosen.length >= maxCompared;
    }
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    navigate(comparePath({ ids: [...chosen], onlyDifferences: false }));
  };
  const clear = () => {
    // Before the pressed button disappears.
    button.current?.focus();
    updateSelectedPhones(() => []);
  };
  const count = chosen.length;
  return (
    <form
      id={compareFormId}
      ref={form}
      method="get"
      action="/compare"
      onSubmit={submit}
      className={`mt-6 flex flex-wrap items-center justify-end gap-x-3 gap-y-1 border-t border-base-300 py-3 ${
        count > 0 ? "sticky bottom-0 z-10 bg-base-100" : ""
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
        Compare{count > 0 && ` ${phonesLabel(count)}`}
      </button>
    </form>
  );
}

function boxesOf(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.elements ?? [])].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement,
  );
}

function firstOf(ids: string[]): string[] {
  return [...new Set(ids)].slice(0, maxCompared);
}
