// Preloaded by the commands in `package.json`: lets Node run TypeScript.
import "./node-version.js";
import { register } from "tsx/esm/api";

register();
