import { spawn } from "node:child_process";
import { withDatabase } from "./database.ts";
import { seedDemoData } from "./demo/seed.ts";
import { openLocalState } from "./local-state.ts";

await withDatabase(await openLocalState(), seedDemoData);
spawn("remix", ["vite:dev"], { stdio: "inherit", shell: true });
