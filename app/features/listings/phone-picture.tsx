import { type PhotoSize, photoUrl } from "../photos/photo.rules.ts";

/** React 18 accepts only the lower-case name, its types only the camel-case one. */
const highPriority = { fetchpriority: "high" };

/** The first photo, or the image at the link. A drawing, labelled by the stylesheet, replaces a broken image. */
export function PhonePicture({
  image = "",
  cover,
  size = "card",
  alt = "",
  deviceType,
  eager,
  first = false,
  onError,
  className = "",
}: {
  image?: string;
  cover?: string | null;
  size?: PhotoSize;
  alt?: string;
  deviceType: string | undefined;
  eager: boolean;
  first?: boolean;
  onError?: () => void;
  className?: string;
}) {
  const isSameOrigin = Boolean(cover) || image.startsWith("/");
  const isDrawing = isSameOrigin && !cover;
  const picture = (
    <img
      src={pictureUrl({ image, cover }, size)}
      alt={alt}
      width="400"
      height="360"
      loading={eager ? "eager" : "lazy"}
      {...(first && highPriority)}
      decoding="async"
      onError={onError}
      referrerPolicy={isSameOrigin ? undefined : "no-referrer"}
      className={isDrawing ? join("phone-drawing", className) : undefined}
    />
  );
  if (isDrawing) return picture;
  // A photo may have any aspect ratio; the frame has that of the drawings.
  const frame = deviceType === "Tablet" ? "photo-frame photo-frame-tablet" : "photo-frame";
  return <div className={join(frame, className)}>{picture}</div>;
}

function pictureUrl(
  { image, cover = null }: { image: string; cover?: string | null },
  size: PhotoSize = "card",
): string {
  return cover === null ? image : photoUrl(cover, size);
}

function join(...names: string[]): string {
  return names.filter(Boolean).join(" ");
}
