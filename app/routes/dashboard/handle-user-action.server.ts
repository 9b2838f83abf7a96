import type { AppLoadContext } from "@remix-run/cloudflare";
import { may, type Permission } from "#app/features/accounts/permissions.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest } from "#app/server/http/responses.server.ts";
import { actionFailedToast } from "./table-requests.server.ts";

const mutations = {
  delete: "delete user",
  verify: "verify seller",
  "end sessions": "end sessions",
  "appoint moderator": "change role",
  "withdraw moderator": "change role",
} as const;
type Intent = keyof typeof mutations;

const permissions: Record<Intent, Permission> = {
  delete: "manage users",
  verify: "verify sellers",
  "end sessions": "manage users",
  "appoint moderator": "manage moderators",
  "withdraw moderator": "manage moderators",
};

/** Deletes or verifies a user, ends their sessions, or changes their role, as the pressed button says. */
export async function handleUserIntent(
  context: AppLoadContext,
  request: Request,
  admin: Viewer,
  { intent, userId, back, backAfterDeletion = back }: UserIntent,
) {
  if (!isIntent(intent) || !may(admin, permissions[intent])) throw badRequest();
  const mutation = mutations[intent];
  const limitRefusal = await rateLimitRefusal(context, mutation, request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const done = await perform(context, admin, intent, userId);
  if (!done) return redirectWithToast(context, back, actionFailedToast);
  const isDeleted = intent === "delete" && done.kind !== "error";
  return redirectWithToast(context, isDeleted ? backAfterDeletion : back, { kind: "success", ...done });
}

interface UserIntent {
  intent: FormDataEntryValue | null;
  userId: string;
  /** Where to redirect to. */
  back: string;
  backAfterDeletion?: string;
}

function isIntent(intent: FormDataEntryValue | null): intent is Intent {
  return typeof intent === "string" && Object.hasOwn(mutations, intent);
}

/** Returns the toast, or null if the intent came too late. */
async function perform({ db }: AppLoadContext, admin: Viewer, intent: Intent, userId: string) {
  const { changeModerator, endSessions, removeUser, verifySeller, moneyHeldText } = await import(
    "#app/features/administration/user-actions.server.ts"
  );
  if (intent === "end sessions") {
    return (await endSessions(db, admin, userId)) ? { message: "All sessions ended" } : null;
  }
  if (intent === "delete") {
    const { removalId: undo, refusal } = await removeUser(db, admin, userId);
    if (refusal === "money held") return { kind: "error" as const, message: moneyHeldText };
    return undo ? { message: "User Deleted", undo } : null;
  }
  if (intent === "appoint moderator" || intent === "withdraw moderator") {
    const isAppointment = intent === "appoint moderator";
    const kind = isAppointment ? "appointment" : "withdrawal";
    const { removalId: undo } = await changeModerator(db, admin, userId, kind);
    if (!undo) return null;
    return { message: isAppointment ? "Now a moderator" : "No longer a moderator", undo };
  }
  const { removalId: undo } = await verifySeller(db, admin, userId);
  return undo ? { message: "User verified", undo } : null;
}
