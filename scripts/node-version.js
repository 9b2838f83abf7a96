import { readFileSync } from "node:fs";

// Ends any command on a Node that is too old, which runs this file itself: plain JavaScript without newer functions.

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [needed, own] = [engines.node.replace(">=", ""), process.versions.node];
const [major, minor] = needed.split(".").map(Number);
const [ownMajor = 0, ownMinor = 0] = own.split(".").map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`Ringback needs Node ${needed} or later, and this is Node ${own}.`);
  process.exit(1);
}
