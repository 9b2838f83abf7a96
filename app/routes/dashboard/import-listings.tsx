import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { accountChangeRefusal, requireMySellings, suspensionRefusal } from "#app/auth/guard.server.ts";
import { importRefusals, isRunning } from "#app/features/listings/import/import.rules.ts";
import { ImportView } from "#app/features/listings/import/import-view.tsx";
import { noStorageText, uploadTooLargeText } from "#app/features/photos/photo-refusals.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { filesIn, readUpload } from "#app/server/forms/files.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";

export const meta: MetaFunction = () => pageTitle("Import listings");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "my sellings", uploads: "files" };

const path = "/manage/mysells/import";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const { findImport, listEarlierImports, listImportRows } = await import(
    "#app/features/listings/import/imports.server.ts"
  );
  const found = await findImport(context.db, viewer);
  const after = Number(new URL(request.url).searchParams.get("after")) || 0;
  const page = found && (await listImportRows(context.db, viewer, found.id, { after }));
  const earlier =
    found && !isRunning(found.state) ? await listEarlierImports(context.db, viewer, found.id) : [];
  const isChecked = found?.state === "checked";
  const { listingsLeftToday } = await import("#app/features/listings/publishing.server.ts");
  const { findPauseEnd } = await import("#app/features/listings/sale-change.server.ts");
  const [leftToday, pausedUntil] = await Promise.all([
    isChecked ? listingsLeftToday(context.db, viewer, context.environment) : null,
    isChecked ? findPauseEnd(context.db, viewer) : null,
  ]);
  return { found, page, earlier, leftToday, pausedUntil, account: viewer.email };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const suspended = suspensionRefusal(viewer, "import listings");
  if (suspended) return refusedForm({ status: 403, formErrors: [suspended] });
  const limitRefusal = await rateLimitRefusal(context, "import listings", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const { db, secrets, photoStorage } = context;
  const { beginImport, beginUndo, refusedFileAnswer, checkFile, storeArchive } = await import(
    "#app/features/listings/import/imports.server.ts"
  );
  // The body, which may be large, is read only after these checks.
  const { form, isTooLarge } = await readUpload(request);
  const [file] = filesIn(form, "file");
  const [photos] = filesIn(form, "photos");
  const otherAccount = accountChangeRefusal(form, viewer);
  if (otherAccount) return refusedForm(otherAccount);
  const intent = form.get("intent");
  const importId = String(form.get("_id"));
  if (intent === "apply" || intent === "undo") {
    const refusal =
      intent === "apply"
        ? await beginImport(db, viewer, importId, form.get("confirmed") === "on")
        : await beginUndo(db, viewer, importId);
    if (refusal)
      return refusedForm({
        status: refusal === "not found" ? 404 : 409,
        formErrors: [importRefusals[refusal]],
      });
    context.inBackground(async () => {
      const { startImport } = await import("#app/features/listings/import/work-off.server.ts");
      await startImport(context, importId);
    });
    const message = intent === "apply" ? "We’re importing your listings" : "We’re undoing your import";
    return redirectWithToast(context, path, { kind: "success", message });
  }
  if (isTooLarge) return refusedForm({ status: 413, formErrors: [uploadTooLargeText] });
  if (!file) return refusedForm({ formErrors: ["Choose a CSV file first."] });
  if (photos && !photoStorage) return refusedForm({ status: 503, formErrors: [noStorageText] });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const archive = photos && photoStorage ? await storeArchive(photoStorage, photos) : null;
  const checked = await checkFile(db, viewer, {
    name: file.name,
    ...{ bytes, secrets, archive },
    bucket: photoStorage?.bucket,
  });
  if ("refusal" in checked) {
    const { status, text } = refusedFileAnswer(checked.refusal);
    return refusedForm({ status, formErrors: [text] });
  }
  return redirectWithToast(context, path, {
    kind: "success",
    message: checked.isUnchanged
      ? "Your listings already say all that a file can change"
      : "File checked. Nothing has changed yet",
  });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function ImportListings() {
  return <ImportView {...useLoaderData<typeof loader>()} />;
}
