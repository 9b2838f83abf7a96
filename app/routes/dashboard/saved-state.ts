import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
} from "@remix-run/cloudflare";
import { requireUser, viewerOf } from "#app/auth/guard.server.ts";
import { idKey } from "#app/db/cursor.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import {
  type SaveListingOutcome,
  savedMessage,
  saveRefusals,
} from "#app/features/saved-listings/saved-listing.rules.ts";
import {
  findOwnIds,
  findSavedIds,
  saveListing,
  unsaveListing,
} from "#app/features/saved-listings/saved-listings.server.ts";
import {
  type LoadedStates,
  maxAskedStates,
  removedToast,
  savedStatePath,
} from "#app/features/saved-listings/saved-states.ts";
import { isSavedSearch, readSearchToSave } from "#app/features/saved-searches/saved-searches.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectRefused, redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { type FormRefusal, readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { hasSessionCookie } from "#app/server/http/cookies.server.ts";
import { withOutagePage, withOutageRedirect } from "#app/server/http/outage.server.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest } from "#app/server/http/responses.server.ts";
import { saveParameter } from "../account/login-reason.server.ts";

export const handle: RouteHandle = { access: "signed in" };

/** Which of the listings in the query the viewer has saved, which are their own, and whether the search is saved. */
export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const { searchParams } = new URL(request.url);
  const asked = searchParams.get("ids")?.split(",") ?? [];
  const search = searchParams.get("search");
  const ids = asked.filter((id) => idKey.test(id)).slice(0, maxAskedStates);
  const isSaved = async (query: string) =>
    isSavedSearch(context.db, viewer, await readSearchToSave(context.db, new URLSearchParams(query)));
  const [saved, own, isSearchSaved] = await Promise.all([
    ids.length > 0 ? findSavedIds(context.db, viewer, ids) : [],
    ids.length > 0 ? findOwnIds(context.db, viewer, ids) : [],
    search ? isSaved(search) : false,
  ]);
  return Response.json({ saved, own, isSearchSaved } satisfies LoadedStates);
});

/** Saves a listing or removes it from the saved ones. A script gets JSON, others go back with a message. */
export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  // Public: visitors without a session go through the login, which then saves the listing.
  const form = await readForm(request);
  const change = changeIn(form);
  const isScript = request.headers.get("Accept") === "application/json";
  const back = placeOf(request, form);
  const refuse = (refusal: FormRefusal) =>
    isScript ? refusedForm(refusal) : redirectRefused(context, back, refusal);
  const viewer = await viewerOf(context, request);
  if (!viewer)
    return isScript ? refusedForm({ status: 401 }) : saveAfterLogin(context, request, change.phoneId, back);
  const limitRefusal = await rateLimitRefusal(context, "save listing", request);
  if (limitRefusal) return refuse(limitRefusal);
  const outcome = await apply(context, viewer, change);
  if (outcome in saveRefusals) {
    const status = outcome === "unknown listing" ? 404 : 409;
    return refuse({ status, formErrors: [saveRefusals[outcome as keyof typeof saveRefusals]] });
  }
  if (isScript) return Response.json({ saved: outcome !== "removed" });
  return redirectWithToast(context, back, toastOf(outcome, change.phoneId));
});

/** Where the state is unknown, the button saves. So pressing it twice is harmless, and the message offers to remove. */
function toastOf(outcome: "removed" | SaveListingOutcome, phoneId: string): Toast {
  if (outcome === "removed") return removedToast(phoneId);
  const button = { label: "Remove", action: savedStatePath, fields: { remove: phoneId } };
  if (outcome === "already saved") return { kind: "success", message: "You’ve saved this device.", button };
  return {
    kind: "success",
    message: savedMessage,
    link: { to: "/manage/saved", label: "View saved" },
  };
}

type Change = { kind: "save" | "remove"; phoneId: string };

/** @throws Response 400 if the form has no button of ours */
function changeIn(form: FormData): Change {
  for (const kind of ["save", "remove"] as const) {
    const phoneId = form.get(kind);
    if (typeof phoneId === "string") return { kind, phoneId };
  }
  throw badRequest();
}

async function apply({ db }: AppLoadContext, viewer: Viewer, { kind, phoneId }: Change) {
  if (kind === "save") return saveListing(db, viewer, phoneId);
  await unsaveListing(db, viewer, phoneId);
  return "removed" as const;
}

/** The page with the button, and the card on it. */
function placeOf(request: Request, form: FormData): string {
  const page = safeRedirect(form.get("redirectTo"), "/manage/saved");
  const card = new URL(request.url).searchParams.get("at") ?? "";
  return /^[\w-]+$/.test(card) ? `${page}#${card}` : page;
}

async function saveAfterLogin(context: AppLoadContext, request: Request, phoneId: string, back: string) {
  const login = `/login?${new URLSearchParams({ redirectTo: back, [saveParameter]: phoneId })}`;
  const headers = new Headers({ "Set-Cookie": await context.cookies.save.serialize(phoneId) });
  if (!hasSessionCookie(request)) return redirect(login, { headers });
  const message = "Your session has ended. Log in to save this listing.";
  return redirectWithToast(context, login, { kind: "error", message }, headers);
}
