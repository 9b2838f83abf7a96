import { z } from "zod";
import { verifySeller } from "#app/features/accounts/users.server.ts";
import { problem } from "#app/platform/problem.server.ts";
import { call, door } from "./door.server.ts";
import { byId } from "./records.ts";

const answer = z.object({
  acknowledged: z.literal(true),
  modifiedCount: z.int().min(0).max(1).describe("0 when they were verified before."),
});

export const loader = door({
  PUT: call({
    subject: "Accounts",
    summary: "Verify a seller",
    who: "admin",
    params: byId,
    answer,
    refusals: { 404: "There is no such seller." },
    async make({ context, viewer, params }) {
      const modifiedCount = await verifySeller(context.db, viewer, params.id);
      if (modifiedCount === null) return problem(404, "There is no such seller.", { modifiedCount: 0 });
      return Response.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof answer>);
    },
  }),
});
