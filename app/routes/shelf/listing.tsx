import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { findListing } from "#app/features/phones/listing.server.ts";
import { ListingView } from "#app/features/phones/listing-view.tsx";
import { pageTitle } from "#app/platform/page-title.ts";
import { viewerIfReachable } from "../guard.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `${data.listing.brandName} ${data.listing.model}` : "Listing");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  // Public; a seller is told that a listing is their own.
  const [found, viewer] = await Promise.all([
    findListing(context.db, params.phoneId ?? ""),
    viewerIfReachable(context, request),
  ]);
  if (!found) throw new Response("There is no such phone.", { status: 404 });
  return { ...found, own: viewer?.id === found.listing.sellerId };
}

export default function ListingPage() {
  return <ListingView {...useLoaderData<typeof loader>()} />;
}
