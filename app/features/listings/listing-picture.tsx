import { type PhotoSize, photoUrl } from "../photos/photo.rules.ts";
import { isDrawing, shownImage } from "./drawing.rules.ts";

/** For the main image of a page. React 18 accepts only the lower-case name, its types only the camel-case one. */
export const highPriority = { fetchpriority: "high" };

/** What pages need of a listing to show its picture. */
export interface Picture {
  image?: string | null;
  cover?: string | null;
  deviceType?: string | null;
}

/** The first photo, or the image at the link. A drawing, labelled by the stylesheet, replaces a broken image. */
export function ListingPicture({
  picture: { cover, ...picture },
  size = "card",
  alt = "",
  eager,
  first = false,
  onError,
  className = "",
}: {
  picture: Picture;
  size?: PhotoSize;
  alt?: string;
  eager: boolean;
  first?: boolean;
  onError?: () => void;
  className?: string;
}) {
  const { deviceType } = picture;
  const image = picture.image ? shownImage({ ...picture, image: picture.image }) : "";
  const isDrawn = !cover && isDrawing(image);
  const shown = (
    <img
      src={cover ? photoUrl(cover, size) : image}
      alt={alt}
      width="400"
      height="360"
      loading={eager ? "eager" : "lazy"}
      {...(first && highPriority)}
      decoding="async"
      onError={onError}
      referrerPolicy={cover || isDrawn ? undefined : "no-referrer"}
      className={isDrawn ? join("phone-drawing", className) : cover ? "object-cover" : undefined}
    />
  );
  if (isDrawn) return shown;
  // A photo may have any aspect ratio; the frame has that of the drawings. An own photo
  // fills it, since its gallery shows it whole.
  const frame = deviceType === "Tablet" ? "photo-frame photo-frame-tablet" : "photo-frame";
  return <div className={join(frame, className)}>{shown}</div>;
}

function join(...names: string[]): string {
  return names.filter(Boolean).join(" ");
}
