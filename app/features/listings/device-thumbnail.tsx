import { PhoneIcon } from "#app/ui/icons.tsx";
import { ListingPicture, type Picture } from "./listing-picture.tsx";

/** The picture of a device in a table: its first photo, or the image at its link. */
export function DeviceThumbnail({
  picture,
  isLargeOnCard = false,
}: {
  picture: Picture;
  isLargeOnCard?: boolean;
}) {
  return (
    <div
      className={`grid size-11 [&_img]:after:text-[0px] shrink-0 place-items-center overflow-hidden rounded-field border border-base-300 bg-base-200 ${isLargeOnCard ? "max-md:size-18" : ""}`}
    >
      {picture.cover || picture.image ? (
        <ListingPicture picture={picture} size="thumbnail" eager={false} />
      ) : (
        <PhoneIcon />
      )}
    </div>
  );
}
