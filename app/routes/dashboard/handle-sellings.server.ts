import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { accountChangeRefusal, suspensionRefusal } from "#app/auth/guard.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { draftFromListing, draftRefusals } from "#app/features/listings/drafts.server.ts";
import { removalRefusals } from "#app/features/listings/listing-removal.server.ts";
import {
  pauseDayText,
  pauseEnd,
  saleChangeMessage,
  saleChangeNames,
} from "#app/features/listings/sale-change.rules.ts";
import { changeSale, endPause, pauseAll } from "#app/features/listings/sale-change.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { formKeyOf, refusedForm } from "#app/server/forms/forms.server.ts";
import { pathAndQuery, safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { handleRemoveListing } from "./table-requests.server.ts";

/** The rows of a page. */
const maxChosen = 50;

/** Handles the forms of My Sells: of one listing, of those chosen and of all. */
export async function handleSellings(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  form: FormData,
) {
  const intent = form.get("intent");
  const change = saleChangeNames.find((name) => name === intent);
  if (!change && intent !== "sell similar" && intent !== "pause all" && intent !== "end pause")
    return handleRemoveListing(context, request, viewer, form);
  const otherAccount = accountChangeRefusal(form, viewer);
  if (otherAccount) return refusedForm(otherAccount);
  const suspended = suspensionRefusal(viewer, "edit listing");
  if (suspended) return refusedForm({ status: 403, formErrors: [suspended] });
  const refusal = await rateLimitRefusal(context, "edit listing", request);
  if (refusal) return refusedForm(refusal);
  const back = safeRedirect(form.get("back"), pathAndQuery(request));
  const show = (kind: "success" | "error", message: string) =>
    redirectWithToast(context, back, { kind, message });
  if (change) {
    const ids = [...new Set([...form.getAll("_id"), ...form.getAll("id")].map(String))].slice(0, maxChosen);
    if (ids.length === 0) return show("error", "Choose at least one listing.");
    const done = await changeSale(context.db, viewer, ids, change);
    return show(done.length > 0 ? "success" : "error", saleChangeMessage(change, done.length, ids.length));
  }
  if (intent === "sell similar") {
    const draft = await draftFromListing(context.db, viewer, String(form.get("_id")), formKeyOf(form));
    if ("id" in draft) return redirect(`/addphone?draft=${draft.id}`, 303);
    return show(
      "error",
      draft.refusal === "unknown listing" ? removalRefusals["not found"] : draftRefusals[draft.refusal],
    );
  }
  if (intent === "end pause") {
    await endPause(context.db, viewer);
    return show("success", "Your listings are back on sale");
  }
  const until = pauseEnd(String(form.get("until")));
  if (!until) return show("error", pauseDayText);
  await pauseAll(context.db, viewer, until);
  return show("success", "Your listings are paused");
}
