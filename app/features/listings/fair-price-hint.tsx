import { useEffect, useState } from "react";
import { fetchOptionalJson } from "#app/ui/fetch-optional-json.ts";
import type { FairPrice as Fair } from "./fair-price.rules.ts";
import { FairPrice } from "./fair-price.tsx";
import { phoneSchema } from "./phone.schema.ts";

const debounceMs = 400;

interface DeviceInput {
  brandName: string | undefined;
  model: string | undefined;
  rom: string | undefined;
  sellingPrice: string | undefined;
}

export function FairPriceHint({ device: { brandName, model, rom, sellingPrice } }: { device: DeviceInput }) {
  const [data, setData] = useState<{ search: string; fair: Fair | null } | null>(null);
  const isComplete = Boolean(brandName?.trim() && model?.trim() && rom?.trim());
  const search = isComplete
    ? new URLSearchParams({ brandName: brandName ?? "", model: model ?? "", rom: rom ?? "" }).toString()
    : "";

  useEffect(() => {
    if (!search) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const path = `/addphone/fair-price?${search}`;
      const found = await fetchOptionalJson<{ search: string; fair: Fair | null }>(path, controller.signal);
      if (!controller.signal.aborted) setData(found);
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [search]);

  const price = phoneSchema.shape.sellingPrice.safeParse(sellingPrice);
  return (
    <div aria-live="polite" className="min-w-0 empty:hidden sm:col-span-2">
      {search && data?.search === search && (
        <FairPrice fair={data.fair} askingCents={price.success ? price.data : null} />
      )}
    </div>
  );
}
