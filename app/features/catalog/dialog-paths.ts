import { useLocation } from "@remix-run/react";
import { categoryByPath } from "./category.rules.ts";

/** The path of the page behind a dialog: its list, or the listing that Buy Now was pressed on. */
export function pathBehindDialog(pathname: string): string {
  return /^\/phones\/[^/]+/i.exec(pathname)?.[0] ?? categoryByPath(pathname).path;
}

export function useDialogPaths() {
  const { pathname, search } = useLocation();
  const path = pathBehindDialog(pathname);
  return {
    behind: path + search,
    dialogs: (phoneId: string) => ({
      details: `${path}/${phoneId}${search}`,
      book: `${path}/${phoneId}/book${search}`,
    }),
  };
}
