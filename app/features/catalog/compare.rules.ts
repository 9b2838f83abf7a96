import { idKey } from "#app/db/cursor.ts";

export const maxCompared = 4;

export interface CompareQuery {
  /** Without duplicates, in the order of selection. */
  ids: string[];
  onlyDifferences: boolean;
}

/** Parses `ids`, repeated or separated by commas, without invalid ones and those above the maximum. */
export function parseCompareQuery(parameters: URLSearchParams): CompareQuery & { isTruncated: boolean } {
  const values = parameters.getAll("ids").flatMap((ids) => ids.split(","));
  const ids = [...new Set(values.map((id) => id.trim()))].filter((id) => idKey.test(id));
  return {
    ids: ids.slice(0, maxCompared),
    isTruncated: ids.length > maxCompared,
    onlyDifferences: parameters.get("differences") === "yes",
  };
}

export function comparePath({ ids, onlyDifferences }: CompareQuery): string {
  const parameters = new URLSearchParams(ids.map((id) => ["ids", id]));
  if (onlyDifferences) parameters.set("differences", "yes");
  const search = parameters.toString();
  return `/compare${search && `?${search}`}`;
}
