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
import { type ImportPlan, importPlans } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { listingImportRows, listingImports } from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { cutLine } from "#app/server/forms/sanitize-text.ts";
import { dayMs } from "#app/time.ts";
import { mayDeal } from "../../accounts/accounts.server.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { undoableSince } from "../../audit/removals.server.ts";
import { openPhotoZip } from "../../photos/imported-photos.server.ts";
import type { PhotoStorage } from "../../photos/photo-objects.server.ts";
import { type CheckedRow, checkRows } from "./check-rows.server.ts";
import {
  type ImportCount,
  importNumbers,
  importRefusals,
  photosColumn,
  runningStates,
  stateColumn,
} from "./import.rules.ts";
import { readListingFile, titleOf } from "./listing-file.server.ts";

/** How many days the rows of an import are kept. */
const keptDays = 7;
/** Rows of one statement. */
const chunkSize = 200;
const pageSize = 100;

type Refusal = { refusal: keyof typeof importRefusals };

/** Condition on `listingImports`: the queue works on it. */
export const isRunningImport = inArray(listingImports.state, runningStates);

/** Some imports that the queue works on. */
export function runningImports(db: Db, limit = 20) {
  return db.select({ id: listingImports.id }).from(listingImports).where(isRunningImport).limit(limit);
}

/** How many imports the queue works on. */
export const countRunningImports = (db: Db) => db.$count(listingImports, isRunningImport);

/** Condition on `listingImports`: so short ago that it can be undone. */
const isUndoable = () => gt(listingImports.appliedAt, undoableSince());

/** Stores a ZIP file of photos, and returns its key. The cleanup of photos deletes it after an hour. */
export async function storeArchive({ bucket }: Pick<PhotoStorage, "bucket">, file: File): Promise<string> {
  const key = `imports/${randomToken()}.zip`;
  await bucket.put(key, await file.arrayBuffer());
  return key;
}

const remarkColumn = sql`value ->> 'column'`;

const hasRemark = (condition: SQL) =>
  sql`exists (select 1 from json_each(${listingImportRows.remarks}) where ${condition})`;

/**
 * Condition on `listingImportRows`: a value is doubtful, so that the seller is asked. What a row says of photos and of its
 * state is only told.
 */
export const isDoubtful = hasRemark(notInArray(remarkColumn, [photosColumn, stateColumn]));

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
): Promise<{ id: string; isUnchanged: boolean } | { status: number; text: string }> {
  const file = await readListingFile(bytes);
  if ("refusal" in file) return { status: 400, text: file.refusal };
  const zip = archive && bucket ? await openPhotoZip(bucket, archive) : null;
  if (zip && "refusal" in zip) return { status: 400, text: zip.refusal };
  const rows = await checkRows(db, seller, file, secrets, zip);
  const { unknownColumns } = file;
  const stored = await storeCheck(db, seller, { name: cutLine(name, 100), unknownColumns, archive }, rows);
  if ("refusal" in stored) return { status: 409, text: importRefusals[stored.refusal] };
  return { ...stored, isUnchanged: rows.every(({ plan }) => plan === "unchanged") };
}

/**
 * Stores a checked file in place of the seller's earlier ones, of which only those stay that run or can be undone. Nothing
 * is listed yet.
 */
export async function storeCheck(
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
      "account closed": mayDeal(db, seller.id),
      running: not(hasRow(db, listingImports, and(own, isRunningImport))),
    },
    [
      db.delete(listingImports).where(and(own, or(isNull(listingImports.appliedAt), not(isUndoable())))),
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

/** An import of the seller with its numbers, by default the one that runs or the newest; null for others'. */
export async function findImport(db: Db, seller: Viewer, importId?: string) {
  const [found] = await db
    .select({
      ...columns,
      canUndo:
        sql`${or(eq(listingImports.state, "applying"), and(inArray(listingImports.state, ["applied", "stopped"]), isNull(listingImports.undoneAt), isUndoable()))}`
          .mapWith(Boolean)
          .as("can_undo"),
    })
    .from(listingImports)
    .where(
      and(
        eq(listingImports.sellerId, seller.id),
        importId === undefined ? undefined : eq(listingImports.id, importId),
      ),
    )
    .orderBy(desc(sql`${isRunningImport}`), desc(listingImports.id))
    .limit(1);
  if (!found) return null;
  const counts: ImportCount[] = await db
    .select({
      plan: listingImportRows.plan,
      result: listingImportRows.result,
      isDoubtful: isDoubtful.mapWith(Boolean).as("is_doubtful"),
      isPhotoless: hasRemark(eq(remarkColumn, photosColumn)).mapWith(Boolean).as("is_photoless"),
      rows: sql<number>`count(*)`.as("row_count"),
    })
    .from(listingImportRows)
    .where(eq(listingImportRows.importId, found.id))
    .groupBy(listingImportRows.plan, listingImportRows.result, sql`is_doubtful, is_photoless`);
  return { ...found, numbers: importNumbers(counts, found.confirmed) };
}

/** What else of the seller can still be undone, newest first. @param importId the import that is shown */
export async function listUndoable(db: Db, seller: Viewer, importId: string): Promise<FoundImport[]> {
  const isOther = and(eq(listingImports.sellerId, seller.id), ne(listingImports.id, importId));
  const isDone = and(inArray(listingImports.state, ["applied", "stopped"]), isNull(listingImports.undoneAt));
  const others = await db
    .select({ id: listingImports.id })
    .from(listingImports)
    .where(and(isOther, isDone, isUndoable()))
    .orderBy(desc(listingImports.id));
  const found = await Promise.all(others.map(({ id }) => findImport(db, seller, id)));
  return found.flatMap((one) => one ?? []);
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
    when ${listingImportRows.plan} = 'wrong' then 1
    when ${listingImportRows.remarks} <> '[]' then 2
    ${sql.join(
      importPlans.map(
        (one, index) => sql`when ${listingImportRows.plan} = ${one} then ${sql.raw(String(index + 3))}`,
      ),
      sql` `,
    )} end) * 100000 + ${listingImportRows.line}`;
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
  const page = rows.slice(0, pageSize).map(({ fields, before, ...row }) => ({
    ...row,
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
      begun: hasRow(db, listingImports, checked),
      "account closed": mayDeal(db, seller.id),
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
  const undoable = and(
    own,
    or(
      eq(listingImports.state, "applying"),
      and(
        inArray(listingImports.state, ["applied", "stopped"]),
        isNull(listingImports.undoneAt),
        isUndoable(),
      ),
    ),
  );
  const refusal = await batchUnless<Refusal["refusal"] | "begun">(
    db,
    {
      "not found": hasRow(db, listingImports, own),
      begun: not(hasRow(db, listingImports, and(own, inArray(listingImports.state, ["undoing", "undone"])))),
      "account closed": mayDeal(db, seller.id),
      running: not(hasRow(db, listingImports, isOtherRunning(seller, importId))),
      "too late": hasRow(db, listingImports, undoable),
    },
    [db.update(listingImports).set({ state: "undoing" }).where(undoable)],
  );
  return refusal === "begun" ? null : refusal;
}

/** Deletes imports some days after their file was checked. */
export async function deleteOldImports(db: Db, now = new Date(), limit = 20): Promise<void> {
  const isOld: SQL | undefined = and(
    lt(listingImports.id, firstIdAt(new Date(now.getTime() - keptDays * dayMs))),
    not(isRunningImport),
  );
  const old = db.select({ id: listingImports.id }).from(listingImports).where(isOld).limit(limit);
  await db.delete(listingImports).where(inArray(listingImports.id, old));
}
