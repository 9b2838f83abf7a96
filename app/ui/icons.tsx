import type { ReactNode } from "react";

/** One family: a 24-unit grid, round ends, a stroke of 1.75. Decoration only; the words stand beside it. */
function icon(name: string, shape: ReactNode) {
  function Icon({ className = "size-5" }: { className?: string }) {
    return (
      <svg
        className={className}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {shape}
      </svg>
    );
  }
  Icon.displayName = name;
  return Icon;
}

export const MenuIcon = icon("MenuIcon", <path d="M4 7h16M4 12h16M4 17h10" />);
export const CloseIcon = icon("CloseIcon", <path d="m6 6 12 12M18 6 6 18" />);
export const ChevronDownIcon = icon("ChevronDownIcon", <path d="m6 9.5 6 6 6-6" />);
export const ArrowLeftIcon = icon("ArrowLeftIcon", <path d="M19 12H5m6-6-6 6 6 6" />);
export const ArrowRightIcon = icon("ArrowRightIcon", <path d="M5 12h14m-6-6 6 6-6 6" />);
export const SearchIcon = icon(
  "SearchIcon",
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </>,
);
export const FiltersIcon = icon(
  "FiltersIcon",
  <>
    <path d="M4 7.5h8m6 0h2M4 16.5h2m6 0h8" />
    <circle cx="15" cy="7.5" r="2.5" />
    <circle cx="9" cy="16.5" r="2.5" />
  </>,
);
export const CameraIcon = icon(
  "CameraIcon",
  <>
    <path d="M4 8.5h3.4L9 6h6l1.6 2.5H20v10H4z" />
    <circle cx="12" cy="13" r="3.2" />
  </>,
);
export const CheckIcon = icon("CheckIcon", <path d="m5 12.5 4.5 4.5L19 7.5" />);
export const AlertIcon = icon(
  "AlertIcon",
  <>
    <path d="M12 4 3 19.5h18z" />
    <path d="M12 10v4.5m0 2.6v.1" />
  </>,
);
export const PhoneIcon = icon(
  "PhoneIcon",
  <>
    <rect x="7" y="3" width="10" height="18" rx="2.5" />
    <path d="M11 6h2" />
  </>,
);
export const VerifiedIcon = icon(
  "VerifiedIcon",
  <>
    <path d="M12 3 5 5.8v5.4c0 4.3 2.9 7.8 7 9.8 4.1-2 7-5.5 7-9.8V5.8z" />
    <path d="m9 12 2.2 2.2L15.2 10" />
  </>,
);
export const ParcelIcon = icon(
  "ParcelIcon",
  <>
    <path d="M4 8.2 12 4l8 4.2v7.9L12 20l-8-3.9z" />
    <path d="M4.2 8.3 12 12.2l7.8-3.9M12 12.2V20" />
  </>,
);
export const ShortMessageIcon = icon(
  "ShortMessageIcon",
  <>
    <path d="M4 5.5h16v10.5H11L6.5 20v-4H4z" />
    <path d="M8 9.2h8M8 12.4h5" />
  </>,
);
export const VideoIcon = icon(
  "VideoIcon",
  <>
    <rect x="3" y="5.5" width="18" height="13" rx="3.5" />
    <path d="m10.3 9.2 4.7 2.8-4.7 2.8z" />
  </>,
);
export const PeopleIcon = icon(
  "PeopleIcon",
  <>
    <circle cx="9" cy="8.5" r="3.2" />
    <path d="M3.5 19.5c.3-3.4 2.4-5.3 5.5-5.3s5.2 1.9 5.5 5.3" />
    <path d="M15.5 5.6a3.2 3.2 0 0 1 0 5.9m1.8 3.2c1.9.7 3 2.3 3.2 4.8" />
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
