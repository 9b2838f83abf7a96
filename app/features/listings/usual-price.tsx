import { useEffect, useState } from "react";
import { fetchInBackground } from "#app/ui/fetch-in-background.ts";
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
export function UsualPrice({ typed: { brandName, model, rom, sellingPrice } }: { typed: Typed }) {
  const [data, setData] = useState<{ search: string; fair: Fair | null } | null>(null);
  const isDescribed = Boolean(brandName?.trim() && model?.trim() && rom?.trim());
  const wanted = isDescribed
    ? new URLSearchParams({ brandName: brandName ?? "", model: model ?? "", rom: rom ?? "" }).toString()
    : "";

  useEffect(() => {
    if (!wanted) return;
    const asking = new AbortController();
    // Not at every key: once the typing pauses.
    const timer = setTimeout(async () => {
      const path = `/addphone/fair-price?${wanted}`;
      const found = await fetchInBackground<{ search: string; fair: Fair | null }>(path, asking.signal);
      if (!asking.signal.aborted) setData(found);
    }, 400);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [wanted]);

  const asked = phoneSchema.shape.sellingPrice.safeParse(sellingPrice);
  return (
    <div aria-live="polite" className="min-w-0 empty:hidden sm:col-span-2">
      {wanted && data && data.search === wanted && (
        <FairPrice fair={data.fair} askingCents={asked.success ? asked.data : null} />
      )}
    </div>
  );
}
