import type { Column } from "#app/ui/table.tsx";

/** The specification's columns of both orders and sellings. */
export const deviceColumns: Column[] = [
  { label: "Name", longWords: true },
  { label: "Device Name", longWords: true },
  "Storage",
  "Price",
  "Action",
];

export function Storage({ ram, rom }: { ram: string; rom: string }) {
  return (
    <>
      <span className="inline-block">{ram}</span> <span className="inline-block">{rom}</span>
    </>
  );
}
