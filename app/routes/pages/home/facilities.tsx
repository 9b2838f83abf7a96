import { Accordion } from "#app/ui/accordion.tsx";
import { ChargerIcon, RepairIcon, WarrantyIcon } from "#app/ui/service-icons.tsx";

const facilities = [
  {
    icon: <WarrantyIcon className="size-7 shrink-0" />,
    title: "Warranty",
    body: (
      <p>
        1 year on parts excluding battery and display, plus seven days. It starts on the day you receive the
        device.
      </p>
    ),
  },
  {
    icon: <RepairIcon className="size-7 shrink-0" />,
    title: "Repair service",
    body: (
      <p>
        Screens, batteries, ports and buttons: our workshop repairs phones and tablets, whether or not you
        bought them here. Describe the fault, and we will tell you the cost and time before we open the
        device.
      </p>
    ),
  },
  {
    icon: <ChargerIcon className="size-7 shrink-0" />,
    title: "Accessories",
    body: (
      <p>
        Chargers and cables for older ports, cases for models that shops no longer sell, and screen
        protectors. Ask for them when you buy your device.
      </p>
    ),
  },
];

export function Facilities() {
  return (
    <section
      aria-labelledby="facilities"
      className="page-width grid gap-8 pt-16 sm:pt-24 lg:grid-cols-[5fr_7fr] lg:gap-16"
    >
      <div>
        <h2 id="facilities" className="text-4xl font-semibold sm:text-5xl">
          Other facilities
        </h2>
        <p className="mt-4 max-w-xs text-quiet">Services for after you buy or sell a phone.</p>
      </div>
      <Accordion name="facilities" headings="h3" items={facilities} />
    </section>
  );
}
