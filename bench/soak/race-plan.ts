import fc from "fast-check";

export const maxBuyers = 50;

/** What a buyer does after the booking is acknowledged. */
const followUps = ["nothing", "cancel", "cancel and undo", "change delivery", "complete", "report"] as const;

/** What else happens to the listing during the bookings. */
const disturbances = [
  "edit price",
  "edit model",
  "accept offer",
  "offer ends",
  "remove listing",
  "remove listing and undo",
  "close seller's account",
  "close buyer's account",
  "delete seller",
  "delete seller and undo",
  "administrator cancels",
  "deadlines pass",
  "hide listing",
  "hide listing and undo",
  "remove listing for good",
  "suspend seller",
  "suspend seller and undo",
] as const;
export type Disturbance = (typeof disturbances)[number];

const ways = ["form", "script", "API", "API"] as const;

export interface Booking {
  /** "script": as the page's JavaScript submits the form. */
  way: (typeof ways)[number];
  /** Sends it twice at once, as a double click does. */
  twice: boolean;
  delayMs: number;
  next: (typeof followUps)[number];
}

export interface Race {
  bookings: Booking[];
  disturbances: { what: Disturbance; delayMs: number }[];
}

const delayMs = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 60 }));

const booking = fc.record<Booking>({
  way: fc.constantFrom(...ways),
  twice: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  delayMs,
  next: fc.oneof({ weight: 4, arbitrary: fc.constant("nothing" as const) }, fc.constantFrom(...followUps)),
});

const bookingsOfUpTo = (maxLength: number) => fc.array(booking, { minLength: 2, maxLength, size: "max" });

export const race: fc.Arbitrary<Race> = fc.record({
  // Mostly of a few buyers, whose requests meet in other orders each time.
  bookings: fc.oneof({ weight: 3, arbitrary: bookingsOfUpTo(10) }, bookingsOfUpTo(maxBuyers)),
  disturbances: fc.oneof(
    fc.constant<Race["disturbances"]>([]),
    fc.array(fc.record({ what: fc.constantFrom(...disturbances), delayMs }), { minLength: 1, maxLength: 3 }),
  ),
});
