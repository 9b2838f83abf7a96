import { useLocation } from "@remix-run/react";
import { categoryByPath } from "../listings/category.rules.ts";

/** The path of the list behind a dialog, and of the dialogs of a phone over the same list. */
export function useListPaths() {
  const { pathname, search } = useLocation();
  const { path } = categoryByPath(pathname);
  return {
    list: path + search,
    dialogs: (phoneId: string) => ({
      details: `${path}/${phoneId}${search}`,
      book: `${path}/${phoneId}/book${search}`,
    }),
  };
}
