import { useLocation, useNavigation } from "@remix-run/react";
import { categories } from "#app/features/catalog/category.rules.ts";
import { Spinner } from "#app/ui/pending.tsx";
import { useStalledRequest } from "#app/ui/stalled-request.ts";

export function ListSpinner() {
  const { state, location: next } = useNavigation();
  const { pathname, search } = useLocation();
  const moves = state === "loading" && (next.pathname !== pathname || next.search !== search);
  const isStalled = useStalledRequest() !== undefined;
  if (!moves || isStalled) return null;
  const category = categories.find(({ path }) => path === next.pathname);
  // Closing a dialog shows a list that is already loaded.
  if (category && pathname.startsWith(`${category.path}/`) && next.search === search) return null;
  if (category) return <Spinner>{`Loading ${category.noun}s…`}</Spinner>;
  if (next.pathname.startsWith("/manage")) return <Spinner>Loading…</Spinner>;
  return null;
}
