import { Form } from "@remix-run/react";
import { SearchIcon } from "#app/ui/icons.tsx";

/** The administrators' search over users, orders, listings and reports. */
export function RecordSearch({ id, words = "" }: { id: string; words?: string }) {
  return (
    <Form method="get" action="/manage/search" className="flex max-w-xl">
      <label htmlFor={id} className="sr-only">
        Search users, orders, listings and reports
      </label>
      <input
        key={words}
        id={id}
        name="q"
        type="search"
        defaultValue={words}
        maxLength={100}
        placeholder="All records"
        enterKeyHint="search"
        autoComplete="off"
        className="input w-full min-w-0 rounded-r-none"
      />
      <button type="submit" className="btn btn-square -ml-px rounded-l-none btn-outline">
        <SearchIcon />
        <span className="sr-only">Search</span>
      </button>
    </Form>
  );
}
