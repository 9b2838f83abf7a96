import { PhoneIcon } from "#app/ui/icons.tsx";
import { PhonePicture } from "./phone-picture.tsx";

/** The picture of a device in a table: its first photo, or the image at its link. */
export function DeviceThumbnail({
  cover,
  image,
  deviceType,
}: {
  cover: string | null;
  image: string | null;
  deviceType: string | null;
}) {
  return (
    <div className="grid size-11 after:hidden [&_img]:after:text-[0px] shrink-0 place-items-center overflow-hidden rounded-field border border-base-300 bg-base-200">
      {cover || image ? (
        <PhonePicture
          cover={cover}
          image={image ?? undefined}
          size="thumbnail"
          deviceType={deviceType ?? undefined}
          eager={false}
        />
      ) : (
        <PhoneIcon />
      )}
    </div>
  );
}
