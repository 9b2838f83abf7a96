import { Link } from "@remix-run/react";
import { type MouseEvent, useRef, useState } from "react";
import { photoUrl } from "../photos/photo.rules.ts";
import { drawingViews, isDrawing, shownImage } from "./drawing.rules.ts";
import type { ListingPageData } from "./listing.server.ts";
import { highPriority, ListingPicture } from "./listing-picture.tsx";

export interface Pictures {
  kind: "photo" | "illustration";
  pictures: { src: string; thumbnail: string; alt: string; width: number; height: number }[];
}

type Shown = Pick<ListingPageData, "photos"> & {
  listing: { id: string; image: string; deviceType: string };
  name: string;
};

/** The seller's photos, or the views of our drawing; null if there is only the picture at the link. */
export function picturesOf({ listing, photos, name }: Shown): Pictures | null {
  if (photos.length > 0) {
    const pictures = photos.map(({ id, width, height }, index) => {
      const label = photos.length > 1 ? `photo ${index + 1} of ${photos.length}` : "photo from the seller";
      const [src, thumbnail] = [photoUrl(id, "gallery"), photoUrl(id, "thumbnail")];
      return { src, thumbnail, alt: `${name}, ${label}`, width, height };
    });
    return { kind: "photo", pictures };
  }
  const image = shownImage(listing);
  if (!isDrawing(image)) return null;
  const pictures = drawingViews(image).map(({ src, label }) => {
    return { src, thumbnail: src, alt: `${name}, illustration: ${label}`, width: 400, height: 360 };
  });
  return { kind: "illustration", pictures };
}

/** The pictures of a listing, or the one at its link. */
export function ListingGallery(shown: Shown) {
  const { listing, name } = shown;
  const pictures = picturesOf(shown);
  if (pictures) return <PictureRow {...pictures} phoneId={listing.id} />;
  return (
    <figure className="rounded-box bg-base-200 p-4 sm:p-8">
      <ListingPicture
        picture={listing}
        alt={`${name}, picture from the seller`}
        eager
        first
        className="max-h-80 sm:max-h-[32rem]"
      />
    </figure>
  );
}

function PictureRow({ kind, pictures, phoneId }: Pictures & { phoneId: string }) {
  const row = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(0);

  /** Scrolls to a picture without the history entry that following the link would add. */
  function show(event: MouseEvent, index: number) {
    const { current } = row;
    if (!current || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    current.scrollTo({ left: index * current.clientWidth });
    setShown(index);
  }

  return (
    <section aria-label={kind === "photo" ? "Photos" : "Illustrations"} className="min-w-0">
      <ul
        ref={row}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setShown(Math.round(scrollLeft / clientWidth))
        }
        className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain rounded-box scroll-smooth"
      >
        {pictures.map(({ src, alt, width, height }, index) => (
          <li key={src} id={`photo-${index + 1}`} className="w-full shrink-0 snap-start scroll-mt-24">
            <Link
              to={`/phones/${phoneId}/photos#view-${index + 1}`}
              preventScrollReset
              className="labelled-picture block cursor-zoom-in bg-base-200 -outline-offset-4"
            >
              <img
                src={src}
                alt={alt}
                width={width}
                height={height}
                loading={index === 0 ? "eager" : "lazy"}
                {...(index === 0 && highPriority)}
                decoding="async"
                className={`aspect-4/3 w-full object-contain ${kind === "photo" ? "" : "phone-drawing p-4 sm:p-8"}`}
              />
            </Link>
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <ul className="mt-3 grid max-w-md grid-cols-5 gap-2">
          {pictures.map(({ src, thumbnail }, index) => (
            <li key={src}>
              <a
                href={`#photo-${index + 1}`}
                aria-label={`Show ${kind} ${index + 1}`}
                aria-current={index === shown}
                onClick={(event) => show(event, index)}
                className="block overflow-hidden rounded-field border-2 border-base-300 bg-base-200 hover:border-base-content aria-[current=true]:border-primary"
              >
                <img
                  src={thumbnail}
                  alt=""
                  width="72"
                  height="72"
                  className={`aspect-square w-full ${kind === "photo" ? "object-cover" : "object-contain p-1"}`}
                />
              </a>
            </li>
          ))}
        </ul>
      )}
      {kind === "photo" && (
        <p className="mt-2 text-sm text-quiet">
          {pictures.length === 1 ? "Photo" : `${pictures.length} photos`} of this device
        </p>
      )}
    </section>
  );
}
