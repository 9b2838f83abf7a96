import { RouteError } from "#app/frame/error-pages.tsx";

/** The error page of a saved search. */
export function MissingSearch() {
  return (
    <RouteError
      missing={{
        title: "This search is gone",
        text: "You may have deleted it.",
        link: { to: "/manage/searches", label: "View your searches" },
      }}
    />
  );
}
