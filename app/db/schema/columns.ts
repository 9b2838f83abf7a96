import { integer, text } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";

/** A time-ordered string: sorting by id sorts by creation. */
export const id = () => text("id").primaryKey().$defaultFn(timeOrderedId);
export const timestamp = (name: string) => integer(name, { mode: "timestamp_ms" });
export const createdAt = () =>
  timestamp("created_at")
    .notNull()
    .$defaultFn(() => new Date());

/** The removal (soft deletion) that hides the row, see `removals`; null while it is visible. */
export const removalId = () => text("removal_id");
