import type { Db } from "#app/db/client.server.ts";
import { browseShelf } from "#app/features/phones/browse.server.ts";
import { type Shelf, shelfAt } from "#app/features/phones/shelf.rules.ts";
import { type ShelfQuery, shelfQuery } from "#app/features/phones/shelf-query.rules.ts";

/** Looks at a shelf, asking nothing of it but what is said. */
export function browse(db: Db, path: Shelf["path"] = "/products", query: Partial<ShelfQuery> = {}) {
  return browseShelf(db, shelfAt(path), { ...shelfQuery(new URLSearchParams()), ...query });
}
