import { integer, text } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";

/** A time-ordered string: sorting by id sorts by creation. */
export const id = () => text("id").primaryKey().$defaultFn(timeOrderedId);
export const timestamp = (name: string) => integer(name, { mode: "timestamp_ms" });
export const createdAt = () =>
  timestamp("created_at")
    .notNull()
    .$defaultFn(() => new Date());

/** What hides the row; null while it is visible. A removal (soft deletion) of the row or of its owner's account, see `removals`. */
export const removalId = () => text("removal_id");
