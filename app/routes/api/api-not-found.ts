import { problem } from "#app/server/api/problem.server.ts";

// Public: all API paths without a route.
export const loader = () => problem(404, "The API has no such path. See /openapi.json.");
export const action = loader;
