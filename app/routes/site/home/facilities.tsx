import { ChargerIcon, ChevronDownIcon, RepairIcon, WarrantyIcon } from "#app/ui/icons.tsx";

const facilities = [
  {
    Icon: WarrantyIcon,
    name: "Warranty",
    text: "1 year on parts excluding battery and display, plus seven days in which you may send the device back or have it replaced.",
  },
  {
    Icon: RepairIcon,
    name: "Repair service",
    text: "Screens, batteries, sockets and buttons: our workshop mends the phones and tablets found on these shelves, whether or not yours came from here. Describe the fault first, and hear what it takes before anything is opened.",
  },
  {
    Icon: ChargerIcon,
    name: "Accessories",
    text: "Chargers and cables that fit older sockets, cases for models the shops have forgotten, glass for the display. Ask for them along with your device.",
  },
];

/** An accordion by the browser's own means: details of one name close each other. */
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
      <div className="border-t-2 border-base-content">
        {facilities.map(({ Icon, name, text }, index) => (
          <details key={name} name="facilities" open={index === 0} className="group border-b border-base-300">
            <summary className="flex items-center gap-4 py-5 hover:text-primary">
              <Icon className="size-7 shrink-0" />
              <h3 className="flex-1 text-2xl font-semibold">{name}</h3>
              <ChevronDownIcon className="size-6 shrink-0 transition-transform group-open:rotate-180" />
            </summary>
            <p className="max-w-prose pb-8 pl-11 text-lg">{text}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
