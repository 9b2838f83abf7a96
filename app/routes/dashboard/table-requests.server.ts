import type { AppLoadContext } from "@remix-run/cloudflare";
import { type Cursor, idKey, parseCursor, tableKey } from "#app/db/cursor.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { removalRefusals, removeListing } from "#app/features/listings/listing-removal.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { orderRefusals } from "#app/features/orders/order-texts.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { parseTableQuery, type TableDefinition } from "#app/server/forms/table-query.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";

/** The cursor of a table's page in the query, with the row number that its link gives. */
export function tableCursor(request: Request, key = idKey): Cursor {
  const { searchParams } = new URL(request.url);
  const cursor = parseCursor(searchParams, key);
  const row = searchParams.get("row") ?? "";
  return cursor && /^[1-9]\d{0,8}$/.test(row) ? { ...cursor, row } : cursor;
}

/** The filters, the sort order and the cursor of a table's page in the query. */
export function tableQuery<const Table extends TableDefinition>(table: Table, request: Request) {
  const { searchParams } = new URL(request.url);
  return { cursor: tableCursor(request, tableKey), query: parseTableQuery(table, searchParams) };
}

/** Cancels the order whose row's button was pressed. */
export async function handleCancelOrder(context: AppLoadContext, request: Request, viewer: Viewer) {
  const limitRefusal = await rateLimitRefusal(context, "cancel order", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const orderId = String((await readForm(request)).get("_id"));
  const { refusal, removalId } = await cancelOrder(context.db, viewer, orderId);
  const { canRestoreOrder } = await import("#app/features/orders/order-restoring.server.ts");
  const canUndo = removalId && (await canRestoreOrder(context.db, viewer, orderId, context.environment));
  return redirectWithToast(
    context,
    pathAndQuery(request),
    refusal && refusal !== "done before"
      ? { kind: "error", message: orderRefusals[refusal] }
      : { kind: "success", message: "Order Cancelled", undo: canUndo ? removalId : undefined },
  );
}

/** Removes the listing whose row's button was pressed. */
export async function handleRemoveListing(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  form: FormData,
) {
  const limitRefusal = await rateLimitRefusal(context, "delete listing", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const phoneId = String(form.get("_id"));
  const { refusal, removalId } = await removeListing(context.db, viewer, phoneId);
  return redirectWithToast(
    context,
    pathAndQuery(request),
    refusal
      ? { kind: "error", message: removalRefusals[refusal] }
      : { kind: "success", message: "Post Deleted", undo: removalId },
  );
}

/** The toast if a button of a table came too late or was not permitted. */
export const actionFailedToast = {
  kind: "error",
  message: "That didn’t work. Here’s the current state.",
} as const;
