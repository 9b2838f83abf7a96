/** Inline, because Firefox before 132 blocks sprite files under `default-src 'none'`. */
export function icon(path: string) {
  return function Icon({ className = "size-5" }: { className?: string }) {
    return (
      <svg className={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    );
  };
}

export const MenuIcon = icon("M4 7h16M4 12h16M4 17h10");
export const MoreIcon = icon("M6 12h.01M12 12h.01M18 12h.01");
export const CloseIcon = icon("m6 6 12 12M18 6 6 18");
export const ChevronDownIcon = icon("m6 9.5 6 6 6-6");
export const ArrowLeftIcon = icon("M19 12H5m6-6-6 6 6 6");
export const ArrowRightIcon = icon("M5 12h14m-6-6 6 6-6 6");
export const AccountIcon = icon("M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 20.5a7.5 7.5 0 0 1 15 0");
export const BellIcon = icon("M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10 19.5a2.2 2.2 0 0 0 4 0");
export const SearchIcon = icon("M4.5 11a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0M16 16l4.5 4.5");
export const FiltersIcon = icon(
  "M4 7.5h8m6 0h2M4 16.5h2m6 0h8M12.5 7.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M6.5 16.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0",
);
export const CameraIcon = icon(
  "M4 8.5h3.4L9 6h6l1.6 2.5H20v10H4zM8.8 13a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0",
);
export const CheckIcon = icon("m5 12.5 4.5 4.5L19 7.5");
export const AlertIcon = icon("M12 4 3 19.5h18zM12 10v4.5m0 2.6v.1");
export const PhoneIcon = icon(
  "M9.5 3h5A2.5 2.5 0 0 1 17 5.5v13a2.5 2.5 0 0 1-2.5 2.5h-5A2.5 2.5 0 0 1 7 18.5v-13A2.5 2.5 0 0 1 9.5 3zM11 6h2",
);
export const VerifiedIcon = icon(
  "M12 3 5 5.8v5.4c0 4.3 2.9 7.8 7 9.8 4.1-2 7-5.5 7-9.8V5.8zM9 12l2.2 2.2L15.2 10",
);
export const ShortMessageIcon = icon("M4 5.5h16v10.5H11L6.5 20v-4H4zM8 9.2h8M8 12.4h5");
export const VideoIcon = icon(
  "M6.5 5.5h11A3.5 3.5 0 0 1 21 9v6a3.5 3.5 0 0 1-3.5 3.5h-11A3.5 3.5 0 0 1 3 15V9a3.5 3.5 0 0 1 3.5-3.5zM10.3 9.2l4.7 2.8-4.7 2.8z",
);
export const PeopleIcon = icon(
  "M5.8 8.5a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0M3.5 19.5c.3-3.4 2.4-5.3 5.5-5.3s5.2 1.9 5.5 5.3M15.5 5.6a3.2 3.2 0 0 1 0 5.9m1.8 3.2c1.9.7 3 2.3 3.2 4.8",
);
export const StarIcon = icon("m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z");
export const TagIcon = icon("M4 4.5h8l8 8-7.5 7.5-8.5-8.5zM8 8.5h.01");
export const HeartIcon = icon(
  "M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 7.5 2.6C19.5 15.4 12 20 12 20z",
);
export const ShareIcon = icon("M12 15V3.5m-4 3.8 4-3.8 4 3.8M7.5 11H5.5v9.5h13V11h-2");
