import { z } from "zod";
import { phonesAfter, shelfRevision } from "#app/features/phones/phones.server.ts";
import { chosenBy } from "#app/features/phones/shelf.rules.ts";
import { problem } from "#app/platform/problem.server.ts";
import { call } from "./door.server.ts";
import { pageQuery, taggedListAnswer } from "./list.server.ts";
import { listingRecord, toPublicListing } from "./records.ts";

/** A call for the phones of a shelf, which the path's own parameters name; reserved ones too, sold ones not. */
export function shelfCall({ summary, params }: { summary: string; params?: z.ZodObject }) {
  return call({
    subject: "Listings",
    summary,
    description: "Newest first. Reserved devices stay in the list, sold ones leave it.",
    who: "anyone",
    params,
    query: pageQuery,
    answer: z.array(listingRecord),
    refusals: params && { 404: "There is no such shelf." },
    paged: true,
    tagged: true,
    async make({ request, context, params, query }) {
      const only = chosenBy(Object.values(params ?? {}) as string[]);
      if (!only) return problem(404, "There is no such shelf. Try Android, Ios, Smart Phone or Tablet.");
      const { db, environment } = context;
      const tagOf = async () => `${await shelfRevision(db)}.${environment.VERSION?.id ?? ""}`;
      const list = { read: phonesAfter.bind(null, db, only), record: toPublicListing };
      return taggedListAnswer(request, query, list, tagOf);
    },
  });
}
