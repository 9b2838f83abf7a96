import { Accordion } from "#app/ui/accordion.tsx";
import { ChargerIcon, RepairIcon, WarrantyIcon } from "#app/ui/service-icons.tsx";

const facilities = [
  {
    icon: <WarrantyIcon className="size-7 shrink-0" />,
    title: "Warranty",
    body: (
      <p>
        1 year on parts excluding battery and display, plus seven days. It begins on the day the device
        reaches you.
      </p>
    ),
  },
  {
    icon: <RepairIcon className="size-7 shrink-0" />,
    title: "Repair service",
    body: (
      <p>
        Screens, batteries, sockets and buttons: our workshop mends the phones and tablets found on these
        shelves, whether or not yours came from here. Describe the fault first, and hear what it takes before
        anything is opened.
      </p>
    ),
  },
  {
    icon: <ChargerIcon className="size-7 shrink-0" />,
    title: "Accessories",
    body: (
      <p>
        Chargers and cables that fit older sockets, cases for models the shops have forgotten, glass for the
        display. Ask for them along with your device.
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
        <p className="mt-4 max-w-xs text-quiet">What happens after a phone has changed hands.</p>
      </div>
      <Accordion name="facilities" headings="h3" items={facilities} />
    </section>
  );
}
