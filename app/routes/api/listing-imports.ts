import { z } from "zod";
import {
  importPlans,
  importRefusals,
  importResults,
  importStates,
  leftOutRowText,
  maxImportBytes,
  maxImportRows,
  rowRefusalText,
  tooManyRowsText,
} from "#app/features/listings/import/import.rules.ts";
import { countLabel } from "#app/market.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { readFile } from "#app/server/forms/files.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { _id } from "./record-fields.ts";
import {
  idParams,
  insertedResponse,
  insertedSchema,
  modifiedCountSchema,
  modifiedResponse,
  unmodifiedFields,
} from "./results.ts";

const load = async () => ({
  ...(await import("#app/features/listings/import/imports.server.ts")),
  ...(await import("#app/features/listings/publishing.server.ts")),
  ...(await import("#app/features/listings/sale-change.server.ts")),
});
const described = { tag: "Listings", access: "signed in" } as const;
const noImport = "No such import.";
const number = z.int().min(0);

const routes = defineApiRoutes({
  "/imports": {
    POST: operation({
      ...described,
      summary: "Check a CSV file of listings",
      description: `Send the file as the body: up to ${countLabel(maxImportRows)} rows and ${maxImportBytes / 1024 ** 2} MB. Nothing changes before you apply it. It takes the place of a file you checked before. Photos are links in the column “Photos”, or are sent to \`POST /phones/photos/{id}\` once it’s applied: its rows have the ids. A ZIP file of photos goes with the form alone.`,
      fileTypes: "text/csv",
      mutation: "import listings",
      response: insertedSchema,
      errors: { 400: "The file can’t be read.", 409: "An import is running.", 413: tooManyRowsText },
      async handle({ request, context, viewer }) {
        const { refusedFileAnswer, checkFile } = await load();
        const bytes = await readFile(request, maxImportBytes);
        if (!bytes) return problemDetails(413, tooManyRowsText);
        const file = { name: "API", bytes, secrets: context.secrets };
        const checked = await checkFile(context.db, viewer, file);
        if ("id" in checked) return insertedResponse(checked.id);
        const { status, text } = refusedFileAnswer(checked.refusal);
        return problemDetails(status, text);
      },
    }),
  },
  "/imports/:id": {
    GET: operation({
      ...described,
      summary: "Show an import of listings",
      params: idParams,
      response: z.object({
        _id,
        state: z.enum(importStates),
        rows: number,
        created: number,
        changed: number,
        unchanged: number,
        wrong: number,
        doubtful: number.describe("Rows with unlikely values, applied only if you confirm them."),
        missingPhotos: number.describe(
          "Rows that name photos we can’t add. What else they change is applied.",
        ),
        lostPhotos: number.describe(
          "Rows whose photos couldn’t all be added. `GET /imports/rows/{id}` says why.",
        ),
        applied: number,
        refused: number,
        undone: number,
        kept: number,
        leftToday: number
          .nullable()
          .describe("Before you apply it: how many listings you can still publish today. More have to wait."),
        pausedUntil: z.iso
          .datetime()
          .nullable()
          .describe("Before you apply it: until when all your listings are paused. New ones are then, too."),
        unknownColumns: z.array(z.string()),
        canUndo: z.boolean(),
      }),
      errors: { 404: noImport },
      async handle({ context, viewer, params }) {
        const { findImport, listingsLeftToday, findPauseEnd } = await load();
        const found = await findImport(context.db, viewer, params.id);
        if (!found) return problemDetails(404, noImport);
        const { id, state, unknownColumns, canUndo, numbers } = found;
        const { toApply: _, left: __, unconfirmed: ___, ...counts } = numbers;
        const isChecked = state === "checked";
        const [leftToday, pausedUntil] = await Promise.all([
          isChecked ? listingsLeftToday(context.db, viewer, context.environment) : null,
          isChecked ? findPauseEnd(context.db, viewer) : null,
        ]);
        return Response.json({ _id: id, state, ...counts, leftToday, pausedUntil, unknownColumns, canUndo });
      },
    }),
    PUT: operation({
      ...described,
      summary: "Apply an import, or undo it",
      description:
        "It goes on in the background. Undo works while it runs and for ten minutes after; a checked import that waits is gone then. The same change again is acknowledged.",
      params: idParams,
      body: z.object({
        change: z.enum(["apply", "undo"], "change must be “apply” or “undo”"),
        confirmed: z.boolean().optional().describe("Applies rows with unlikely values, too."),
      }),
      example: { change: "apply" },
      mutation: "import listings",
      response: modifiedCountSchema,
      errors: { 404: noImport, 409: "Another import is running, there’s nothing to do, or it’s too late." },
      async handle({ context, viewer, params: { id }, body: { change, confirmed = false } }) {
        const { db } = context;
        const { beginImport, beginUndo } = await load();
        const refusal =
          change === "apply" ? await beginImport(db, viewer, id, confirmed) : await beginUndo(db, viewer, id);
        if (refusal)
          return problemDetails(
            refusal === "not found" ? 404 : 409,
            importRefusals[refusal],
            unmodifiedFields,
          );
        context.inBackground(async () => {
          const { startImport } = await import("#app/features/listings/import/work-off.server.ts");
          await startImport(context, id);
        });
        return modifiedResponse(1);
      },
    }),
  },
  "/imports/rows/:id": {
    GET: operation({
      ...described,
      summary: "List the rows of an import",
      description: "Refused and wrong ones first. Send `next` as `after` for the next page.",
      params: idParams,
      query: z.object({ after: z.coerce.number().int().min(0).optional() }),
      response: z.object({
        rows: z.array(
          z.object({
            line: z.int(),
            plan: z.enum(importPlans),
            result: z.enum(importResults).nullable(),
            reason: z.string().nullable(),
            phoneId: z.string().nullable(),
            device: z.string(),
            ownNumber: z.string().nullable(),
            remarks: z.array(z.object({ column: z.string(), text: z.string() })),
            photos: z.int().min(0).describe("How many it names."),
            photoRemarks: z
              .array(z.string())
              .nullable()
              .describe("Photos that couldn’t be added. Null before they were tried."),
            changes: z.array(
              z.object({ column: z.string(), from: z.string().nullable(), to: z.string().nullable() }),
            ),
          }),
        ),
        next: z.int().nullable(),
      }),
      errors: { 404: noImport },
      async handle({ context, viewer, params, query }) {
        const { findImport, listImportRows } = await load();
        const found = await findImport(context.db, viewer, params.id);
        if (!found) return problemDetails(404, noImport);
        const { rows, next } = await listImportRows(context.db, viewer, found.id, query);
        return Response.json({
          rows: rows.map(({ position: _, refusal, isDoubtful, ...row }) => ({
            ...row,
            reason: refusal ? rowRefusalText(refusal) : leftOutRowText({ ...row, isDoubtful }, found),
          })),
          next,
        });
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
