import type { ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import type { z } from "zod";
import type { Mutation } from "../http/mutations.server.ts";
import { apiRoot } from "../http/paths.ts";

/** One operation of the REST API. Its schemas validate requests and generate the OpenAPI document. */
export interface OperationDescription {
  tag: string;
  summary: string;
  description?: string;
  /** "anyone", "signed in", or the permission that is needed. */
  access: string;
  /** Whether personal access tokens are refused, since it concerns accounts; they always are if a permission is needed. */
  needsSession?: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** A body that succeeds, but for the ids in it. A test sends it. */
  example?: object;
  /** Of a body that may be larger than others. */
  maxBodyKiB?: number;
  /** The body is a file of these types, as in `accept` of a file input. */
  fileTypes?: string;
  response: z.ZodType;
  /** If the response is a file, its type. */
  responseType?: string;
  /** Added to the common errors. */
  errors?: Record<number, string>;
  paginated?: boolean;
  /** What a write does, which names its rate limit. */
  mutation?: Mutation;
  hasETag?: boolean;
}

/** Whether an operation is closed to personal access tokens: it is for staff, or needs a session. */
export function refusesTokens({
  access,
  needsSession = access !== "anyone" && access !== "signed in",
}: Pick<OperationDescription, "access" | "needsSession">): boolean {
  return needsSession;
}

export type ApiMethod = "GET" | "POST" | "PUT" | "DELETE";

type Operations = Partial<Record<ApiMethod, OperationDescription>>;

/** One path of the API, written as in the route table: `/users/delete/:id`. */
export interface ApiPath {
  path: string;
  operations: Operations;
}

/** Lists the API's paths: the routes whose loader carries operations, see `defineApiRoutes`. */
export function apiPathsOf(routes: ServerBuild["routes"]): ApiPath[] {
  return Object.values(routes).flatMap(({ path = "", module: { loader } }) => {
    const { paths } = (loader ?? {}) as { paths?: Record<string, Operations> };
    const operations = paths?.[publicPath(path)];
    return operations ? [{ path: publicPath(path), operations }] : [];
  });
}

/** The methods that a path answers, in alphabetical order. */
export function allowedMethods(operations: Operations): string[] {
  return [...Object.keys(operations), ...(operations.GET ? ["HEAD"] : []), "OPTIONS"].sort();
}

/** Returns what finds the largest body of a request in KiB, if its operation has a limit of its own. */
export function bodyLimits(paths: ApiPath[]): (request: Request) => number | undefined {
  const large = paths.filter(({ operations }) => Object.values(operations).some((one) => one.maxBodyKiB));
  return ({ method, url }) => {
    const [match] = matchRoutes(large, new URL(url).pathname) ?? [];
    return match?.route.operations[method as ApiMethod]?.maxBodyKiB;
  };
}

/** The path that a client requests, of a path in the route table. */
export function publicPath(path: string): string {
  return path.slice(apiRoot.length);
}
