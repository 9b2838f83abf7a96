import { builtFolder } from "./built-folder.ts";

// Before a file's tests, since no time limit applies here.
await builtFolder();
