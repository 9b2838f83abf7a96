import { z } from "zod";
import { parseCategoryFilter } from "#app/features/catalog/category.rules.ts";
import { catalogRevision, selectListings } from "#app/features/catalog/feed.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { operation } from "./define-api-routes.server.ts";
import { cacheableListResponse, listQuerySchema } from "./list.server.ts";
import { listingRecord, toPublicListing } from "./listing-records.ts";

/** Creates the operation that lists all unsold listings, or those of the category in the path's parameters. */
export function listingsOperation({ summary, params }: { summary: string; params?: z.ZodObject }) {
  return operation({
    tag: "Listings",
    summary,
    description: "Newest first. Includes reserved devices, but not sold ones.",
    access: "anyone",
    params,
    query: listQuerySchema,
    response: z.array(listingRecord),
    errors: params && { 404: "No such category." },
    paginated: true,
    hasETag: true,
    async handle({ request, context, params, query }) {
      const filter = parseCategoryFilter(Object.values(params ?? {}) as string[]);
      if (!filter) return problemDetails(404, "No such category. Use Android, Ios, Smart Phone or Tablet.");
      const { db, environment } = context;
      const readVersion = async () => `${await catalogRevision(db)}.${environment.VERSION?.id ?? ""}`;
      const list = { read: selectListings.bind(null, db, filter), record: toPublicListing };
      return cacheableListResponse(request, query, list, readVersion);
    },
  });
}
