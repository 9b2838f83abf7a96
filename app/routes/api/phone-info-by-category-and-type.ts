import { z } from "zod";
import { defineApiRoute } from "./define-api-route.server.ts";
import { listingsOperation } from "./listings-operation.server.ts";

const params = z.object({
  category: z.string().describe("Android or Ios."),
  type: z.string().describe("Smart Phone or Tablet."),
});

const route = defineApiRoute({
  GET: listingsOperation({ summary: "List devices by system and type", params }),
});

export const loader = route.loader;
export const action = route.action;
