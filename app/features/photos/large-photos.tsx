import { photoUrl } from "./photo.rules.ts";

/** All photos of a case, large enough to decide by; each opens in full size. */
export function LargePhotos({ photos }: { photos: { id: string; width: number; height: number }[] }) {
  return (
    <ul aria-label="Photos" className="mt-4 grid gap-4 sm:grid-cols-2">
      {photos.map(({ id, width, height }, index) => (
        <li key={id}>
          <a href={photoUrl(id, "gallery")}>
            <img
              src={photoUrl(id, "card")}
              alt={`${index + 1} of ${photos.length}, open in full size`}
              width={width}
              height={height}
              loading="lazy"
              className="h-auto w-full rounded-box bg-base-200"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
