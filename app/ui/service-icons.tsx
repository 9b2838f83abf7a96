import { icon } from "./icons.tsx";

// Icons of the same family that no list shows, so that lists need not load them.

export const ParcelIcon = icon(
  "ParcelIcon",
  <>
    <path d="M4 8.2 12 4l8 4.2v7.9L12 20l-8-3.9z" />
    <path d="M4.2 8.3 12 12.2l7.8-3.9M12 12.2V20" />
  </>,
);
export const WarrantyIcon = icon(
  "WarrantyIcon",
  <>
    <circle cx="12" cy="9" r="5.5" />
    <path d="m8.6 13.6-1.4 7 4.8-2.4 4.8 2.4-1.4-7" />
    <path d="m9.7 9.1 1.6 1.6 3-3.1" />
  </>,
);
export const PaymentIcon = icon(
  "PaymentIcon",
  <>
    <rect x="3" y="5.5" width="18" height="13" rx="2.5" />
    <path d="M3 10h18M7 14.5h3.5" />
  </>,
);
export const ServiceIcon = icon(
  "ServiceIcon",
  <>
    <path d="M5 13v-1.5a7 7 0 0 1 14 0V13" />
    <rect x="3.5" y="12.5" width="4" height="6" rx="1.8" />
    <rect x="16.5" y="12.5" width="4" height="6" rx="1.8" />
    <path d="M18.6 18.5c0 1.5-1.8 2.4-4.6 2.4" />
  </>,
);
export const RepairIcon = icon(
  "RepairIcon",
  <path d="M20.2 7.4a4.9 4.9 0 0 1-6.5 5.5l-6.4 6.4a1.9 1.9 0 0 1-2.7-2.7L11 10.2a4.9 4.9 0 0 1 5.5-6.4l-2.7 2.7.7 2.9 2.9.7z" />,
);
export const ChargerIcon = icon(
  "ChargerIcon",
  <path d="M9 3.5v4.3m6-4.3v4.3M6.5 7.8h11v3.4a5.5 5.5 0 0 1-11 0zm5.5 8.9v3.8" />,
);
