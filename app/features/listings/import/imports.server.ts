import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow } from "#app/db/conditions.server.ts";
import type { ImportPlan } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { listingImportRows, listingImports } from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { cutLine } from "#app/server/forms/sanitize-text.ts";
import { dayMs } from "#app/time.ts";
import { isActiveAccount } from "../../accounts/accounts.server.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { undoableSince } from "../../audit/removals.server.ts";
import { openPhotoZip, zipRefusals } from "../../photos/imported-photos.server.ts";
import type { PhotoStorage } from "../../photos/photo-objects.server.ts";
import { isUndoneToday } from "../publishing.server.ts";
import { type CheckedRow, checkRows } from "./check-rows.server.ts";
import { type ImportCount, importNumbers, importRefusals, runningStates } from "./import.rules.ts";
import { fileRefusals, readListingFile, titleOf } from "./listing-file.server.ts";

/** How many days the rows of an import are kept. */
const keptDays = 7;
/** Rows of one statement. */
const chunkSize = 200;
const pageSize = 100;
/** Imports that are shown beside the newest. */
const maxEarlier = 5;

type Refusal = { refusal: keyof typeof importRefusals };

/** Condition on `listingImports`: the queue works on it. */
export const isRunningImport = inArray(listingImports.state, runningStates);

/** Some imports that the queue works on. */
export function runningImports(db: Db) {
  return db.select({ id: listingImports.id }).from(listingImports).where(isRunningImport).limit(20);
}

/** How many imports the queue works on. */
export const countRunningImports = (db: Db) => db.$count(listingImports, isRunningImport);

/** Condition on `listingImports`: applied so short ago that it can be undone. */
const isRecent = () => gt(listingImports.appliedAt, undoableSince());

/** Condition on `listingImports`: it can be undone. */
const isUndoable = () =>
  or(
    eq(listingImports.state, "applying"),
    and(inArray(listingImports.state, ["applied", "stopped"]), isNull(listingImports.undoneAt), isRecent()),
  );

/** Stores a ZIP file of photos, and returns its key. The cleanup of photos deletes it after an hour, unless its import still waits. */
export async function storeArchive({ bucket }: Pick<PhotoStorage, "bucket">, file: File): Promise<string> {
  const key = `imports/${randomToken()}.zip`;
  await bucket.put(key, await file.arrayBuffer());
  return key;
}

/** The rows of an earlier version have the title of the column, for the days that they are kept. */
const remarkField = sql`coalesce(value ->> 'field', lower(value ->> 'column'))`;

const hasRemark = (condition: SQL) =>
  sql`exists (select 1 from json_each(${listingImportRows.remarks}) where ${condition})`;

/**
 * Condition on `listingImportRows`: a value is doubtful, so that the seller is asked. What a row says of photos and of its
 * state is only told.
 */
export const isDoubtful = hasRemark(notInArray(remarkField, ["photos", "state"]));

const hasMissingPhotos = hasRemark(eq(remarkField, "photos"));

/** Condition on `listingImportRows`: its photos were tried, and some could not be added; or all were missing before. */
const hasLostPhotos = sql`coalesce(${listingImportRows.photoRemarks} <> '[]', ${listingImportRows.photos} is null and ${hasMissingPhotos})`;

const checkRefusals = { ...fileRefusals, ...zipRefusals, ...importRefusals };

/** What is answered to a file that is not checked; `importRefusals` are about the account and its other imports. */
export const refusedFileAnswer = (refusal: keyof typeof checkRefusals) => ({
  status: refusal in importRefusals ? 409 : 400,
  text: checkRefusals[refusal],
});

/** Reads a file, compares it with the seller's listings and stores what it would do; or says why not. */
export async function checkFile(
  db: Db,
  seller: Viewer,
  {
    name,
    bytes,
    secrets,
    bucket,
    archive = null,
  }: {
    name: string;
    bytes: Uint8Array;
    secrets: string[];
    bucket?: R2Bucket | undefined;
    archive?: string | null;
  },
): Promise<{ id: string; isUnchanged: boolean } | { refusal: keyof typeof checkRefusals }> {
  const file = await readListingFile(bytes);
  if ("refusal" in file) return file;
  const zip = archive && bucket ? await openPhotoZip(bucket, archive) : null;
  if (zip && "refusal" in zip) return zip;
  const rows = await checkRows(db, seller, file, secrets, zip);
  const { unknownColumns } = file;
  const stored = await storeCheckedImport(
    db,
    seller,
    { name: cutLine(name, 100), unknownColumns, archive },
    rows,
  );
  if ("refusal" in stored) return stored;
  return { ...stored, isUnchanged: rows.every(({ plan }) => plan === "unchanged") };
}

/**
 * Stores a checked file in place of the seller's earlier ones, of which only those stay that run, can be undone or were
 * undone within a day. Nothing is listed yet.
 */
export async function storeCheckedImport(
  db: Db,
  seller: Viewer,
  file: { name: string; unknownColumns: string[]; archive?: string | null },
  rows: CheckedRow[],
): Promise<{ id: string } | Refusal> {
  const id = timeOrderedId();
  const own = eq(listingImports.sellerId, seller.id);
  const chunks = Array.from({ length: Math.ceil(rows.length / chunkSize) }, (_, index) =>
    rows.slice(index * chunkSize, (index + 1) * chunkSize),
  );
  const { name, unknownColumns, archive = null } = file;
  const refusal = await batchUnless(
    db,
    {
      "account closed": isActiveAccount(db, seller.id),
      running: not(hasRow(db, listingImports, and(own, isRunningImport))),
    },
    [
      db
        .delete(listingImports)
        .where(and(own, not(isUndoneToday()), or(isNull(listingImports.appliedAt), not(isRecent())))),
      db.insert(listingImports).values({ id, sellerId: seller.id, fileName: name, unknownColumns, archive }),
      ...chunks.map((chunk) => insertRows(db, id, chunk)),
    ],
  );
  return refusal ? { refusal } : { id };
}

function insertRows(db: Db, importId: string, rows: CheckedRow[]) {
  const json = (name: keyof CheckedRow) => sql`nullif(value -> ${sql.raw(`'${name}'`)}, 'null')`;
  const text = (name: keyof CheckedRow) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  // In the order of the table.
  const columns = [
    sql`${importId}`,
    ...(["line", "plan", "phoneId", "device", "ownNumber"] as const).map(text),
    ...(["fields", "before", "imeiHashes", "remarks"] as const).map(json),
    sql`null, null`,
    json("photos"),
    sql`null`,
  ];
  return db
    .insert(listingImportRows)
    .select(sql`select ${sql.join(columns, sql`, `)} from json_each(${JSON.stringify(rows)})`);
}

const columns = {
  id: listingImports.id,
  fileName: listingImports.fileName,
  state: listingImports.state,
  confirmed: listingImports.confirmed,
  unknownColumns: listingImports.unknownColumns,
  createdAt: listingImports.createdAt,
  appliedAt: listingImports.appliedAt,
  undoneAt: listingImports.undoneAt,
};

/** The seller's imports that meet a condition, with their numbers: the one that runs first, then the newest. */
async function selectImports(db: Db, seller: Viewer, condition: SQL | undefined, limit: number) {
  const found = await db
    .select({ ...columns, canUndo: sql`${isUndoable()}`.mapWith(Boolean).as("can_undo") })
    .from(listingImports)
    .where(and(eq(listingImports.sellerId, seller.id), condition))
    .orderBy(desc(sql`${isRunningImport}`), desc(listingImports.id))
    .limit(limit);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const counts = await db
    .select({
      importId: listingImportRows.importId,
      plan: listingImportRows.plan,
      result: listingImportRows.result,
      isDoubtful: isDoubtful.mapWith(Boolean).as("is_doubtful"),
      hasMissingPhotos: hasMissingPhotos.mapWith(Boolean).as("has_missing_photos"),
      hasLostPhotos: hasLostPhotos.mapWith(Boolean).as("has_lost_photos"),
      rows: sql<number>`count(*)`.as("row_count"),
    })
    .from(listingImportRows)
    .where(inArray(listingImportRows.importId, ids))
    .groupBy(
      listingImportRows.importId,
      listingImportRows.plan,
      listingImportRows.result,
      sql`is_doubtful, has_missing_photos, has_lost_photos`,
    );
  return found.map((one) => {
    const ofImport: ImportCount[] = counts.filter(({ importId }) => importId === one.id);
    return { ...one, numbers: importNumbers(ofImport, one) };
  });
}

/** An import of the seller, by default the one that runs or the newest; null for others'. */
export async function findImport(db: Db, seller: Viewer, importId?: string) {
  const isIt = importId === undefined ? undefined : eq(listingImports.id, importId);
  const [found] = await selectImports(db, seller, isIt, 1);
  return found ?? null;
}

/** The seller's other imports that can be undone, or were a short time ago. @param importId the import that is shown */
export function listEarlierImports(db: Db, seller: Viewer, importId: string) {
  const isUndone = gt(listingImports.undoneAt, undoableSince());
  const isEarlier = and(ne(listingImports.id, importId), or(isUndoable(), isUndone));
  return selectImports(db, seller, isEarlier, maxEarlier);
}

export type FoundImport = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/** A page of the rows of the seller's import: refused, wrong and remarked ones first, then by plan and in the order of the file. */
export async function listImportRows(
  db: Db,
  seller: Viewer,
  importId: string,
  { plan, after = 0 }: { plan?: ImportPlan | undefined; after?: number },
) {
  const rank = sql<number>`(case when ${listingImportRows.result} in ('refused', 'kept') then 0
    when ${listingImportRows.plan} = 'wrong' or ${hasLostPhotos} then 1
    when ${listingImportRows.remarks} <> '[]' then 2
    when ${listingImportRows.plan} = 'created' then 3
    when ${listingImportRows.plan} = 'changed' then 4
    else 5 end) * 100000 + ${listingImportRows.line}`;
  const rows = await db
    .select({
      position: rank.as("position"),
      line: listingImportRows.line,
      plan: listingImportRows.plan,
      phoneId: listingImportRows.phoneId,
      device: listingImportRows.device,
      ownNumber: sql<string | null>`${listingImportRows.ownNumber}`.as("row_number"),
      fields: listingImportRows.fields,
      before: listingImportRows.before,
      remarks: listingImportRows.remarks,
      result: listingImportRows.result,
      refusal: listingImportRows.refusal,
      isDoubtful: isDoubtful.mapWith(Boolean).as("is_doubtful"),
      photos: sql<number>`coalesce(json_array_length(${listingImportRows.photos}), 0)`.as("photo_count"),
      photoRemarks: listingImportRows.photoRemarks,
    })
    .from(listingImportRows)
    .innerJoin(
      listingImports,
      and(eq(listingImports.id, listingImportRows.importId), eq(listingImports.sellerId, seller.id)),
    )
    .where(
      and(
        eq(listingImportRows.importId, importId),
        plan && eq(listingImportRows.plan, plan),
        gt(rank, after),
      ),
    )
    .orderBy(asc(rank))
    .limit(pageSize + 1);
  const page = rows.slice(0, pageSize).map(({ fields, before, remarks, ...row }) => ({
    ...row,
    remarks: remarks.map(({ field, column, text }) => ({ column: column ?? titleOf(field ?? ""), text })),
    changes: row.plan === "changed" ? changesOf(fields ?? {}, before) : [],
  }));
  return { rows: page, next: rows.length > pageSize ? (page.at(-1)?.position ?? null) : null };
}

/** What a row changes, in the words of the file. The IMEI is only a hash. */
function changesOf(fields: Record<string, string | null>, before: Record<string, string | null> | null) {
  return Object.entries(fields).map(([field, to]) => ({
    column: titleOf(field),
    ...(field === "imei" ? { from: null, to: null } : { from: before?.[field] ?? null, to }),
  }));
}

export type ImportRow = Awaited<ReturnType<typeof listImportRows>>["rows"][number];

/** Condition on `listingImports`: another one of the seller that the queue works on. */
function isOtherRunning(seller: Viewer, importId: string) {
  return and(eq(listingImports.sellerId, seller.id), ne(listingImports.id, importId), isRunningImport);
}

/**
 * Has a checked import applied by the queue. Repeated, it succeeds again.
 *
 * @param confirmed whether rows with doubtful values are applied too
 */
export async function beginImport(
  db: Db,
  seller: Viewer,
  importId: string,
  confirmed: boolean,
): Promise<Refusal["refusal"] | null> {
  const own = and(eq(listingImports.id, importId), eq(listingImports.sellerId, seller.id));
  const checked = and(own, eq(listingImports.state, "checked"));
  const due = and(
    eq(listingImportRows.importId, importId),
    inArray(listingImportRows.plan, ["created", "changed"]),
    confirmed ? undefined : not(isDoubtful),
  );
  const refusal = await batchUnless<Refusal["refusal"] | "begun">(
    db,
    {
      "not found": hasRow(db, listingImports, own),
      undoing: not(hasRow(db, listingImports, and(own, eq(listingImports.state, "undoing")))),
      undone: not(hasRow(db, listingImports, and(own, eq(listingImports.state, "undone")))),
      begun: hasRow(db, listingImports, checked),
      "account closed": isActiveAccount(db, seller.id),
      running: not(hasRow(db, listingImports, isOtherRunning(seller, importId))),
      "nothing to do": hasRow(db, listingImportRows, due),
    },
    [db.update(listingImports).set({ state: "applying", confirmed }).where(checked)],
  );
  return refusal === "begun" ? null : refusal;
}

/** Has what an import did taken back by the queue: until ten minutes after its end, or while it runs. */
export async function beginUndo(
  db: Db,
  seller: Viewer,
  importId: string,
): Promise<Refusal["refusal"] | null> {
  const own = and(eq(listingImports.id, importId), eq(listingImports.sellerId, seller.id));
  const undoable = and(own, isUndoable());
  const refusal = await batchUnless<Refusal["refusal"] | "begun">(
    db,
    {
      "not found": hasRow(db, listingImports, own),
      begun: not(hasRow(db, listingImports, and(own, inArray(listingImports.state, ["undoing", "undone"])))),
      "account closed": isActiveAccount(db, seller.id),
      running: not(hasRow(db, listingImports, isOtherRunning(seller, importId))),
      "too late": hasRow(db, listingImports, undoable),
    },
    [
      db.update(listingImports).set({ state: "undoing" }).where(undoable),
      // It compared its file with what is taken back now.
      db
        .delete(listingImports)
        .where(and(eq(listingImports.sellerId, seller.id), eq(listingImports.state, "checked"))),
    ],
  );
  return refusal === "begun" ? null : refusal;
}

/** Deletes imports some days after their file was checked. */
export async function deleteOldImports(db: Db, now = new Date()): Promise<void> {
  const isOld: SQL | undefined = and(
    lt(listingImports.id, firstIdAt(new Date(now.getTime() - keptDays * dayMs))),
    not(isRunningImport),
  );
  const old = db.select({ id: listingImports.id }).from(listingImports).where(isOld).limit(20);
  await db.delete(listingImports).where(inArray(listingImports.id, old));
}
