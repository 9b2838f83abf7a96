import { icon } from "./icons.tsx";

// A separate file, so that product lists do not load these icons.

export const ParcelIcon = icon("M4 8.2 12 4l8 4.2v7.9L12 20l-8-3.9zM4.2 8.3 12 12.2l7.8-3.9M12 12.2V20");
export const WarrantyIcon = icon(
  "M6.5 9a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M8.6 13.6l-1.4 7 4.8-2.4 4.8 2.4-1.4-7M9.7 9.1l1.6 1.6 3-3.1",
);
export const PaymentIcon = icon(
  "M5.5 5.5h13A2.5 2.5 0 0 1 21 8v8a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 16V8a2.5 2.5 0 0 1 2.5-2.5zM3 10h18M7 14.5h3.5",
);
export const ServiceIcon = icon(
  "M5 13v-1.5a7 7 0 0 1 14 0V13M5.3 12.5h.4a1.8 1.8 0 0 1 1.8 1.8v2.4a1.8 1.8 0 0 1-1.8 1.8h-.4a1.8 1.8 0 0 1-1.8-1.8v-2.4a1.8 1.8 0 0 1 1.8-1.8zM18.3 12.5h.4a1.8 1.8 0 0 1 1.8 1.8v2.4a1.8 1.8 0 0 1-1.8 1.8h-.4a1.8 1.8 0 0 1-1.8-1.8v-2.4a1.8 1.8 0 0 1 1.8-1.8zM18.6 18.5c0 1.5-1.8 2.4-4.6 2.4",
);
export const RepairIcon = icon(
  "M20.2 7.4a4.9 4.9 0 0 1-6.5 5.5l-6.4 6.4a1.9 1.9 0 0 1-2.7-2.7L11 10.2a4.9 4.9 0 0 1 5.5-6.4l-2.7 2.7.7 2.9 2.9.7z",
);
export const ChargerIcon = icon("M9 3.5v4.3m6-4.3v4.3M6.5 7.8h11v3.4a5.5 5.5 0 0 1-11 0zm5.5 8.9v3.8");
