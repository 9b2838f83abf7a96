import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";
import { rebuildShelves } from "./rebuild-shelves.ts";

/** Writes the indexes behind lists and searches anew. */
await withDatabase(await openLocalState(), rebuildShelves);
console.log("The shelves are written anew.");
