import { useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { FairPrice as Fair } from "./fair-price.rules.ts";
import { FairPrice } from "./fair-price.tsx";
import { phoneSchema } from "./phone.schema.ts";

/** What a form says so far, as far as a usual price depends on it. */
interface Typed {
  brandName: string | undefined;
  model: string | undefined;
  rom: string | undefined;
  sellingPrice: string | undefined;
}

/** What a device like the one being described sells for here, looked up while the form is filled in. */
export function FairPriceHint({ typed: { brandName, model, rom, sellingPrice } }: { typed: Typed }) {
  const { load, data } = useFetcher<{ search: string; fair: Fair | null }>();
  const [search, setSearch] = useState("");
  const isDescribed = Boolean(brandName?.trim() && model?.trim() && rom?.trim());
  const wanted = isDescribed
    ? new URLSearchParams({ brandName: brandName ?? "", model: model ?? "", rom: rom ?? "" }).toString()
    : "";

  // Not at every key: once the typing pauses.
  useEffect(() => {
    const pause = setTimeout(() => setSearch(wanted), 400);
    return () => clearTimeout(pause);
  }, [wanted]);
  useEffect(() => {
    if (search) load(`/addphone/fair-price?${search}`);
  }, [search, load]);

  const asked = phoneSchema.shape.sellingPrice.safeParse(sellingPrice);
  return (
    <div aria-live="polite" className="min-w-0 empty:hidden sm:col-span-2">
      {wanted && data && data.search === wanted && (
        <FairPrice fair={data.fair} askingCents={asked.success ? asked.data : null} />
      )}
    </div>
  );
}
