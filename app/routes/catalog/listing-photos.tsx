import type { LinksFunction, SerializeFrom } from "@remix-run/cloudflare";
import { useRouteLoaderData } from "@remix-run/react";
import { deviceName } from "#app/features/listings/device-variant.rules.ts";
import stylesheet from "#app/features/listings/full-screen-gallery.css?url";
import { FullScreenGallery } from "#app/features/listings/full-screen-gallery.tsx";
import { picturesOf } from "#app/features/listings/listing-gallery.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import type { loader } from "./listing.tsx";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

type Listing = SerializeFrom<typeof loader>;

export const handle: RouteHandle = {
  access: "anyone",
  dialog: (listing) => picturesBehind(listing as Listing) !== null,
};

/** The pictures of the listing behind it. */
export default function ListingPhotos() {
  const listing = useRouteLoaderData<typeof loader>("listing");
  const pictures = picturesBehind(listing);
  return pictures && <FullScreenGallery {...pictures} closeTo={`/phones/${listing?.listing.id}`} />;
}

function picturesBehind(page: Listing | undefined) {
  return page ? picturesOf({ ...page, name: deviceName(page.listing) }) : null;
}
