import type { ServerBuild } from "@remix-run/cloudflare";
import type { z } from "zod";
import type { Limited } from "../http/limits.server.ts";

/** What an API operation takes and returns. The same schemas validate requests and generate the OpenAPI document. */
export interface OperationDescription {
  /** Groups operations in the documentation. */
  tag: string;
  summary: string;
  description?: string;
  access: "anyone" | "signed in" | "admin";
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  response: z.ZodType;
  /** Reasons for an error status of this operation, beside those that all operations share. */
  errors?: Record<number, string>;
  /** The response is a list that can be read in pages. */
  paginated?: boolean;
  /** The rate limit. By default, operations that write count against `WRITE_LIMIT`. */
  limit?: Limited;
  /** The response has an ETag. */
  hasETag?: boolean;
}

export type ApiMethod = "GET" | "POST" | "PUT" | "DELETE";

/** The operations of one path. */
export type Operations = Partial<Record<ApiMethod, OperationDescription>>;

/** One path of the API, with its parameters as in the route table: `/users/delete/:id`. */
export interface ApiPath {
  path: string;
  operations: Operations;
}

/** Lists the API's paths: the routes whose loader carries a description, see `defineApiRoute`. */
export function apiPathsOf(routes: ServerBuild["routes"]): ApiPath[] {
  return Object.values(routes).flatMap(({ path = "", module: { loader } }) => {
    const { operations } = (loader ?? {}) as { operations?: Operations };
    return operations ? [{ path: publicPath(`/${path}`), operations }] : [];
  });
}

/** The resource route behind `/report`, which is also a page. */
export const reportRoute = "/report.json";

/** The path of a resource route as clients know it. */
export function publicPath(path: string): string {
  return path === reportRoute ? "/report" : path;
}
