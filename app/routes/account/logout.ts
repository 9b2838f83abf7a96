import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { closeSession } from "#app/features/accounts/sessions.server.ts";
import { sessionIdOf } from "../guard.server.ts";
import { sessionForgotten } from "./entrance.server.ts";

// Public: whoever comes here by hand has nothing to see.
export const loader = () => redirect("/");

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: ends the asker's own session, if there is one.
  const sessionId = await sessionIdOf(context, request);
  if (sessionId) await closeSession(context.db, sessionId);
  return redirect("/", { status: 303, headers: await sessionForgotten(context) });
}
