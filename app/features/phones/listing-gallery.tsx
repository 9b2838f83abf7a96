import { PhonePicture } from "./phone-card.tsx";

/**
 * A device to look at. Listings have one picture; of several, the others' thumbnails go below the first.
 *
 * @param pictures addresses, the most telling first
 */
export function ListingGallery({
  pictures: [first = ""],
  deviceType,
  name,
}: {
  pictures: string[];
  deviceType: string;
  name: string;
}) {
  return (
    <figure className="rounded-box bg-base-200 p-4 sm:p-8">
      <PhonePicture
        image={first}
        alt={`${name}, as its seller shows it`}
        deviceType={deviceType}
        eager
        className="max-h-80 sm:max-h-[32rem]"
      />
    </figure>
  );
}
