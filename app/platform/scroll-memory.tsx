import { ScrollRestoration } from "@remix-run/react";
import { useEffect, useState } from "react";

/**
 * Brings a visitor back to where they were on a page. On the server it is nothing: Remix would write a script
 * there that holds the page up; until React takes the page over, browsers find the place by themselves.
 */
export function ScrollMemory() {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return alive ? <ScrollRestoration /> : null;
}
