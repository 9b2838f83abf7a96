import { problemDetails } from "#app/server/api/problem-details.server.ts";

// Public: all API paths without a route.
export const loader = () => problemDetails(404, "The API has no path like this. See /openapi.json.");
export const action = loader;
