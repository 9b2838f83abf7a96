import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { accountData } from "#app/features/reports/account-data.server.ts";
import { withOutageRedirect } from "#app/platform/outage.server.ts";
import { streamOf } from "#app/platform/text-stream.server.ts";
import { requireUser } from "../guard.server.ts";

// Public: whoever comes here by hand finds the button on the page.
export const loader = () => redirect("/manage/account");

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  return new Response(await streamOf(accountData(context.db, viewer)), {
    headers: {
      "Content-Type": "application/json",
      "Content-Disposition": 'attachment; filename="ringback-my-data.json"',
      "Cache-Control": "private, no-store",
    },
  });
});
