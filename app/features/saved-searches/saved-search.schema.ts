import { z } from "zod";
import { alertFrequencies } from "#app/db/enums.ts";
import { text } from "#app/server/forms/schema-fields.ts";
import { categories } from "../catalog/category.rules.ts";
import { parseSearchQuery, unreadParameters } from "../catalog/search/search-query.rules.ts";
import { maxNameLength } from "./saved-search.rules.ts";

/** What the owner of a saved search can change. */
export const searchSettingsSchema = z.object({
  name: text({ error: "Name required" })
    .min(1, { error: "Name required", abort: true })
    .max(maxNameLength, `Name must be ${maxNameLength} characters or shorter`),
  frequency: z.enum(alertFrequencies, { error: "Choose how often we tell you" }),
});

export type SearchSettings = z.infer<typeof searchSettingsSchema>;

const lists = categories.map(({ key }) => key);

/** A new saved search in the REST API. */
export const apiSearchSchema = searchSettingsSchema.extend({
  list: z.enum(lists, { error: `list must be one of ${lists.join(", ")}` }).default("products"),
  query: z
    .string({ error: "query is required" })
    .max(4000, { error: "query must be 4,000 characters or shorter", abort: true })
    .superRefine((query, { addIssue }) => {
      for (const { text } of unreadParameters(parseSearchQuery(new URLSearchParams(query))))
        addIssue({ code: "custom", message: `query: ${text}` });
    })
    .describe("The query string of a list, like `q=iphone&to=300`. Unknown parameters are ignored."),
});
