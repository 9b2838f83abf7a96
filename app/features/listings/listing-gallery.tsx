import { type MouseEvent, useRef, useState } from "react";
import { photoUrl } from "../photos/photo.rules.ts";
import type { ListingPage } from "./listing.server.ts";
import { PhonePicture } from "./phone-picture.tsx";

export function ListingGallery({
  listing: { image, deviceType },
  photos,
  name,
}: Pick<ListingPage, "photos"> & { listing: { image: string; deviceType: string }; name: string }) {
  if (photos.length > 0) return <Photos photos={photos} name={name} />;
  return (
    <figure className="rounded-box bg-base-200 p-4 sm:p-8">
      <PhonePicture
        image={image}
        alt={`${name}, picture from the seller`}
        deviceType={deviceType}
        eager
        first
        className="max-h-80 sm:max-h-[32rem]"
      />
    </figure>
  );
}

function Photos({ photos, name }: Pick<ListingPage, "photos"> & { name: string }) {
  const row = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(0);
  const several = photos.length > 1;

  /** Scrolls to a photo without the history entry that following the link would add. */
  function show(event: MouseEvent, index: number) {
    const { current } = row;
    if (!current || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    current.scrollTo({ left: index * current.clientWidth });
    setShown(index);
  }

  return (
    <section aria-label="Photos" className="min-w-0">
      <ul
        ref={row}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setShown(Math.round(scrollLeft / clientWidth))
        }
        className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain rounded-box bg-base-200 motion-safe:scroll-smooth"
      >
        {photos.map(({ id, width, height }, index) => (
          <li key={id} id={`photo-${index + 1}`} className="w-full shrink-0 snap-start scroll-mt-24">
            <a href={photoUrl(id, "gallery")} className="block -outline-offset-4">
              <img
                src={photoUrl(id, "gallery")}
                alt={`${name}, ${several ? `photo ${index + 1} of ${photos.length}` : "photo from the seller"}`}
                width={width}
                height={height}
                loading={index === 0 ? "eager" : "lazy"}
                decoding="async"
                className="aspect-4/3 w-full object-contain"
              />
            </a>
          </li>
        ))}
      </ul>
      {several && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {photos.map(({ id }, index) => (
            <li key={id}>
              <a
                href={`#photo-${index + 1}`}
                aria-label={`Show photo ${index + 1}`}
                aria-current={index === shown}
                onClick={(event) => show(event, index)}
                className="block overflow-hidden rounded-field border-2 border-base-300 bg-base-200 hover:border-base-content aria-[current=true]:border-primary"
              >
                <img
                  src={photoUrl(id, "thumbnail")}
                  alt=""
                  width="72"
                  height="72"
                  className="size-14 object-cover sm:size-18"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
