export type FieldError = { detail: string } & ({ pointer: string } | { parameter: string });

const titles: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** Creates an error response of the API. @see https://www.rfc-editor.org/rfc/rfc9457 */
export function problemDetails(
  status: number,
  detail: string,
  {
    headers,
    ...more
  }: { headers?: Record<string, string>; errors?: FieldError[] } & Record<string, unknown> = {},
): Response {
  const body = { type: "about:blank", title: titles[status], status, detail, ...more };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/problem+json", "Cache-Control": "no-store", ...headers },
  });
}
