import { type PhotoSize, photoUrl } from "../photos/photo.rules.ts";

/** React 18 knows the attribute by its HTML name alone, and TypeScript only by the later one. */
const highPriority = { fetchpriority: "high" };

/**
 * A listing's picture: its first photo, or the image at its link. A link to another site may be broken: a drawing
 * then shows instead, with and without JavaScript.
 *
 * @param alt empty where the name beside it says the same, so that screen readers skip the picture
 * @param eager whether it is among the first in view
 * @param first whether it is the first picture of the page
 */
export function PhonePicture({
  image = "",
  cover,
  size = "card",
  alt = "",
  deviceType,
  eager,
  first = false,
  className = "",
}: {
  image?: string;
  cover?: string | null;
  size?: PhotoSize;
  alt?: string;
  deviceType: string | undefined;
  eager: boolean;
  first?: boolean;
  className?: string;
}) {
  const isOurs = Boolean(cover) || image.startsWith("/");
  const isDrawing = isOurs && !cover;
  const picture = (
    <img
      src={pictureOf({ image, cover }, size)}
      alt={alt}
      width="400"
      height="360"
      loading={eager ? "eager" : "lazy"}
      {...(first && highPriority)}
      decoding="async"
      referrerPolicy={isOurs ? undefined : "no-referrer"}
      className={isDrawing ? join("phone-drawing", className) : undefined}
    />
  );
  if (isDrawing) return picture;
  // A photo may have any shape; it gets the space of a drawing.
  const frame = deviceType === "Tablet" ? "photo-frame photo-frame-tablet" : "photo-frame";
  return <div className={join(frame, className)}>{picture}</div>;
}

/** The address of a listing's picture: its first photo, or the image link while it has none. */
function pictureOf(
  { image, cover = null }: { image: string; cover?: string | null },
  size: PhotoSize = "card",
): string {
  return cover === null ? image : photoUrl(cover, size);
}

function join(...names: string[]): string {
  return names.filter(Boolean).join(" ");
}
