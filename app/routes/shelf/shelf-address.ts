import { useLocation } from "@remix-run/react";
import { shelfAt } from "#app/features/phones/shelf.rules.ts";

/** The addresses around a dialog: of the list behind it, and of the dialogs of a phone over the same list. */
export function useShelfAddress() {
  const { pathname, search } = useLocation();
  const { path } = shelfAt(pathname);
  return {
    list: path + search,
    dialogs: (phoneId: string) => ({
      details: `${path}/${phoneId}${search}`,
      book: `${path}/${phoneId}/book${search}`,
    }),
  };
}
