import { z } from "zod";
import { door } from "./door.server.ts";
import { shelfCall } from "./shelf-call.server.ts";

const params = z.object({
  category: z.string().describe("Android or Ios."),
  type: z.string().describe("Smart Phone or Tablet."),
});

export const loader = door({ GET: shelfCall({ summary: "Devices of one system and one type", params }) });
