import { useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { FairPrice as Fair } from "./fair-price.rules.ts";
import { FairPrice } from "./fair-price.tsx";
import { phoneSchema } from "./phone.schema.ts";

/** The form values that the fair price depends on. */
interface DeviceInput {
  brandName: string | undefined;
  model: string | undefined;
  rom: string | undefined;
  sellingPrice: string | undefined;
}

/** Shows the fair price of the device that is being typed into a form. */
export function FairPriceHint({ device: { brandName, model, rom, sellingPrice } }: { device: DeviceInput }) {
  const { load, data } = useFetcher<{ search: string; fair: Fair | null }>();
  const [search, setSearch] = useState("");
  const isComplete = Boolean(brandName?.trim() && model?.trim() && rom?.trim());
  const nextSearch = isComplete
    ? new URLSearchParams({ brandName: brandName ?? "", model: model ?? "", rom: rom ?? "" }).toString()
    : "";

  // Debounced: requested when typing pauses.
  useEffect(() => {
    const timer = setTimeout(() => setSearch(nextSearch), 400);
    return () => clearTimeout(timer);
  }, [nextSearch]);
  useEffect(() => {
    if (search) load(`/addphone/fair-price?${search}`);
  }, [search, load]);

  const price = phoneSchema.shape.sellingPrice.safeParse(sellingPrice);
  return (
    <div aria-live="polite" className="min-w-0 empty:hidden sm:col-span-2">
      {nextSearch && data && data.search === nextSearch && (
        <FairPrice fair={data.fair} askingCents={price.success ? price.data : null} />
      )}
    </div>
  );
}
