import type { Category } from "../catalog/category.rules.ts";
import type { SearchQuery } from "../catalog/search/search-query.rules.ts";
import { searchLabels } from "./saved-search.rules.ts";

/** The words and filters of a search. */
export function SearchTerms({ category, query }: { category: Category; query: SearchQuery }) {
  return (
    <ul aria-label="Words and filters" className="flex flex-wrap gap-2">
      {searchLabels(category, query).map((label) => (
        <li key={label} className="max-w-full rounded-full bg-base-200 px-3 py-1 text-sm wrap-anywhere">
          {label}
        </li>
      ))}
    </ul>
  );
}
