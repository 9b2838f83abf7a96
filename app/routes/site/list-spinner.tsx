import { useLocation, useNavigation } from "@remix-run/react";
import { shelves } from "#app/features/phones/shelf.rules.ts";
import { Spinner } from "#app/ui/pending.tsx";

/** A spinner while a list is on its way: a shelf, or a table of the dashboard. */
export function ListSpinner() {
  const { state, location: next } = useNavigation();
  const { pathname, search } = useLocation();
  const moves = state === "loading" && (next.pathname !== pathname || next.search !== search);
  if (!moves) return null;
  if (shelves.some(({ path }) => path === next.pathname)) return <Spinner>Loading phones…</Spinner>;
  if (next.pathname.startsWith("/manage")) return <Spinner>Loading…</Spinner>;
  return null;
}
