import type { ReactNode } from "react";

/** One family: a 24-unit grid, round ends, a stroke of 1.75. Decoration only; the words stand beside it. */
export function icon(name: string, shape: ReactNode) {
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
