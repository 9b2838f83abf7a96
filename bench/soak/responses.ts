import type { Toast } from "#app/server/forms/flash.server.ts";
import type { Visitor } from "../../tests/harness/visitor.ts";

/** A response whose body was read, with the toast that it sets. */
export interface Answer {
  status: number;
  text: string;
  location: string | null;
  toast: Toast | null;
  headers: Headers;
}

/** Submits a form. */
export function postForm(person: Visitor, path: string, fields: Record<string, string>) {
  return answerOf(person.post(path, fields));
}

/** Calls the REST API with the person's session. */
export function callApi(
  person: Visitor,
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) {
  return answerOf(
    person.send(path, {
      method,
      body: body && JSON.stringify(body),
      headers: { ...(body && { "Content-Type": "application/json" }), ...headers },
    }),
  );
}

/** Reads a response. */
export async function answerOf(sent: Promise<Response>): Promise<Answer> {
  const response = await sent;
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    location: response.headers.get("Location"),
    toast: toastOf(response),
  };
}

function toastOf(response: Response): Toast | null {
  const line = response.headers.getSetCookie().find((each) => each.startsWith("__Host-flash="));
  const value = line?.slice("__Host-flash=".length).split(/[.;]/)[0];
  if (!value) return null;
  const bytes = Uint8Array.from(atob(decodeURIComponent(value)), (character) => character.charCodeAt(0));
  const parsed = JSON.parse(new TextDecoder().decode(bytes));
  return parsed && typeof parsed === "object" ? parsed : null;
}

/** The id of the order that a booking was answered with; null if it was refused. */
export function acknowledgedOrder({ status, text, location, headers }: Answer): string | null {
  if (status === 200) return JSON.parse(text).insertedId ?? null;
  const page = location ?? headers.get("X-Remix-Redirect") ?? "";
  return page.match(/^\/manage\/orders\/([^?]+)/)?.[1] ?? null;
}
