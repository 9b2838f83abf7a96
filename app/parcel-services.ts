interface ParcelService {
  /** Its page about a parcel; the tracking number follows. */
  trackingUrl: string;
  /** The forms of tracking numbers that it publishes, without spaces and hyphens: those that only it has. */
  ownFormat: RegExp;
  /** Those that others have too, such as of parcels that another one delivers. */
  sharedFormat: RegExp;
}

/** The services of the market that sellers ship with. Not in `market`, which each page loads. */
const services = {
  USPS: {
    trackingUrl: "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
    ownFormat: /^(420\d{5}(\d{4})?)?9[1-5]\d{18,20}$|^[A-Z]{2}\d{9}US$/,
    sharedFormat: /^\d{20}$|^82\d{8}$/,
  },
  UPS: {
    trackingUrl: "https://www.ups.com/track?tracknum=",
    ownFormat: /^1Z[A-Z0-9]{16}$/,
    sharedFormat: /^(T\d{10}|\d{9}|\d{12}|9[1-3]\d{18,24})$/,
  },
  FedEx: {
    trackingUrl: "https://www.fedex.com/fedextrack/?trknbr=",
    ownFormat: /^(\d{12}|\d{15}|96\d{20})$/,
    sharedFormat: /^(\d{14}|\d{20}|\d{34}|92\d{18,20})$/,
  },
  DHL: {
    trackingUrl: "https://www.dhl.com/us-en/home/tracking.html?tracking-id=",
    ownFormat: /^(\d{10}|JJ?D\d{14,20}|GM\d{14,20})$/,
    sharedFormat: /^(\d{11}|9[23]\d{18,20}|[A-Z]{2}\d{9}[A-Z]{2})$/,
  },
} satisfies Record<string, ParcelService>;

/** What sellers choose for any that is not listed. */
export const otherService = "Another service";

export const parcelServiceNames = [
  ...(Object.keys(services) as (keyof typeof services)[]),
  otherService,
] as const;

/** How the documents of the API show a parcel. */
export const exampleParcel = { parcelService: "UPS", trackingNumber: "1Z 999 AA1" } as const;

/** A service by the name that an order has kept; undefined if the market no longer has it. */
export const findParcelService = (name: string): ParcelService | undefined =>
  (services as Partial<Record<string, ParcelService>>)[name];
