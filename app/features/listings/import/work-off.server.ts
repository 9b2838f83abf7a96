import {
  and,
  asc,
  eq,
  inArray,
  is,
  isNotNull,
  isNull,
  lte,
  not,
  notInArray,
  or,
  SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isOneOf } from "#app/db/conditions.server.ts";
import {
  conversations,
  listingImportRows,
  listingImports,
  offers,
  phones,
  photos,
  savedListings,
  users,
} from "#app/db/schema.ts";
import type { Environment } from "#app/server/config/environment.server.ts";
import { isActiveAccount, viewerColumns } from "../../accounts/accounts.server.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { PhotoStorage } from "../../photos/photo-objects.server.ts";
import { listingFormSchema } from "../listing.schema.ts";
import { schemaForEditOf } from "../listing-edit.schema.ts";
import { changeListing, findOwnListing, isOpenOffer } from "../listing-edit.server.ts";
import { type ImportStep, removeListing } from "../listing-removal.server.ts";
import { addPhone } from "../publishing.server.ts";
import { meansSame, stated } from "./check-rows.server.ts";
import type { RowRefusal } from "./import.rules.ts";
import { photoAdder } from "./import-photos.server.ts";
import { isDoubtful, isRunningImport } from "./imports.server.ts";
import { type FileListing, fileColumns, listingCell, statedTexts } from "./listing-file.server.ts";

type Settings = Pick<
  Environment,
  | "HOLD_FIRST_LISTINGS"
  | "PAYOUTS_REQUIRED"
  | "MAX_LISTINGS_A_DAY"
  | "MAX_LISTINGS_A_DAY_UNCONFIRMED"
  | "MAX_LISTINGS_A_DAY_VERIFIED"
> & {
  /** Without it, no photos are added. */
  photoStorage?: PhotoStorage | null;
  reference?: string;
};

interface Context extends Pick<Settings, "photoStorage" | "reference"> {
  db: Db;
  environment: Environment;
}

/** Rows that one message works off; the next continues. */
const chunkSize = 20;
/** Unchanged rows that one message compares. */
const compareSize = 500;
/** Between rows, so that the database and the local server answer others. */
const pauseMs = 20;
/** Rows with photos, each of which is loaded and encoded. */
const photoChunkSize = 5;
/** Without a queue. The job continues. */
const maxChunks = 100;

/** Has an import worked off: by the queue or, without one, at once. */
export async function startImport(context: Context, importId: string): Promise<void> {
  const { environment, photoStorage = null, reference = "" } = context;
  const { IMPORT_QUEUE } = environment;
  if (IMPORT_QUEUE) return void (await IMPORT_QUEUE.send({ importId }));
  for (let chunk = 0; chunk < maxChunks; chunk += 1) {
    if (!(await workOff(context.db, importId, { ...environment, photoStorage, reference }))) break;
  }
}

/**
 * Applies or takes back some rows of a running import, each in a batch of its own that records it, so that a crash or a
 * second consumer repeats none. A suspended or removed seller stops it.
 *
 * @returns whether rows are left
 */
export async function workOff(
  db: Db,
  importId: string,
  settings: Settings,
  limit = chunkSize,
): Promise<boolean> {
  const isImport = eq(listingImports.id, importId);
  const [found] = await db
    .select({
      state: listingImports.state,
      confirmed: listingImports.confirmed,
      archive: listingImports.archive,
      seller: viewerColumns,
    })
    .from(listingImports)
    .innerJoin(users, eq(users.id, listingImports.sellerId))
    .where(and(isImport, isRunningImport));
  if (!found) return false;
  const { state, confirmed, archive, seller } = found;
  const isState = and(isImport, eq(listingImports.state, state));
  const isApplying = state === "applying";
  const isActive = isActiveAccount(db, seller.id);
  const due = and(
    eq(listingImportRows.importId, importId),
    isApplying
      ? and(
          inArray(listingImportRows.plan, ["created", "changed"]),
          isNull(listingImportRows.result),
          confirmed ? undefined : not(isDoubtful),
        )
      : eq(listingImportRows.result, "done"),
  );
  const isUncompared = and(
    eq(listingImportRows.importId, importId),
    eq(listingImportRows.plan, "unchanged"),
    isNotNull(listingImportRows.before),
  );
  if (isApplying) await compareUnchanged(db, isUncompared);
  const rows = await db
    .select()
    .from(listingImportRows)
    .where(due)
    .orderBy(asc(listingImportRows.line))
    .limit(limit);
  for (const row of rows) {
    const isRow = and(due, eq(listingImportRows.line, row.line), isActive);
    const record = (values: Partial<typeof row>) => db.update(listingImportRows).set(values).where(isRow);
    const isDue = and(hasRow(db, listingImports, isState), hasRow(db, listingImportRows, isRow));
    if (isApplying) {
      const step = { isDue, record: (phoneId: string) => record({ result: "done", phoneId }) };
      const refusal = await applyRow(db, seller, row, step, settings);
      if (refusal && refusal !== "not due") await record({ result: "refused", refusal });
    } else {
      const step = { isDue, record: () => record({ result: "undone" }) };
      const refusal = await undoRow(db, seller, row, step);
      const result = refusal === "deleted before" ? "undone" : "kept";
      if (refusal && refusal !== "not due") await record({ result, refusal });
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const hasPhotosDue = and(
    eq(listingImportRows.importId, importId),
    eq(listingImportRows.result, "done"),
    isNotNull(listingImportRows.photos),
    isNull(listingImportRows.photoRemarks),
  );
  if (rows.length === 0 && isApplying) {
    const withPhotos = await db.select().from(listingImportRows).where(hasPhotosDue).limit(photoChunkSize);
    const addPhotos = photoAdder(db, seller, archive, settings);
    for (const { line, phoneId, photos } of withPhotos) {
      const isRow = and(hasPhotosDue, eq(listingImportRows.line, line));
      const record = (values: Partial<Row>) => db.update(listingImportRows).set(values).where(isRow);
      const photoRemarks = await addPhotos(phoneId ?? "", photos ?? [], (ids) => record({ photos: ids }));
      await record({ photoRemarks });
    }
  }
  const now = new Date();
  const ended = isApplying ? { appliedAt: now } : { undoneAt: now };
  // An undo compares nothing and adds no photos.
  const kindsOfWork = isApplying ? [due, isUncompared, hasPhotosDue] : [due];
  const [, , left] = await db.batch([
    db
      .update(listingImports)
      .set({ state: "stopped", ...ended })
      .where(and(isState, not(isActive))),
    db
      .update(listingImports)
      .set({ state: isApplying ? "applied" : "undone", ...ended })
      .where(and(isState, ...kindsOfWork.map((isWork) => not(hasRow(db, listingImportRows, isWork))))),
    db.select({ id: listingImports.id }).from(listingImports).where(and(isImport, isRunningImport)),
  ]);
  return left.length > 0;
}

type Row = typeof listingImportRows.$inferSelect;
type Refusal = RowRefusal | "not due";

/** Refuses rows that the check found to change nothing where the listing has changed since. */
async function compareUnchanged(db: Db, isUncompared: SQL | undefined): Promise<void> {
  const { line, phoneId, before } = listingImportRows;
  const rows = await db
    .select({ line, phoneId, before })
    .from(listingImportRows)
    .where(isUncompared)
    .orderBy(asc(line))
    .limit(compareSize);
  const last = rows.at(-1);
  if (!last) return;
  const ids = rows.map((row) => row.phoneId ?? "");
  const found = await db
    .select(fileColumns)
    .from(phones)
    .where(and(isOneOf(phones.id, ids), isNotNull(phones.tab)));
  const listings = new Map(found.map((listing) => [listing.id, listing]));
  const refusals = rows.flatMap((row): [number, RowRefusal][] => {
    const listing = listings.get(row.phoneId ?? "");
    if (!listing) return [[row.line, "unknown listing"]];
    return says(listing, row.before) ? [] : [[row.line, "changed since"]];
  });
  const refusal = sql`(select value from json_each(${JSON.stringify(Object.fromEntries(refusals))})
    where key = cast(${line} as text))`;
  await db
    .update(listingImportRows)
    .set({ before: null, refusal, result: sql`iif(${refusal} is null, null, 'refused')` })
    .where(and(isUncompared, lte(line, last.line)));
}

/** Applies a row. @returns why not; null if it is applied */
async function applyRow(
  db: Db,
  seller: Viewer,
  { plan, phoneId, fields, before, imeiHashes }: Row,
  step: ImportStep,
  settings: Settings,
): Promise<Refusal | null> {
  const hashes = imeiHashes ?? [];
  if (plan !== "created") return changeFrom(db, seller, { phoneId, from: before, to: fields, hashes }, step);
  const { data } = listingFormSchema.safeParse(stated(fields));
  if (!data) return "invalid";
  const options = {
    holdsFirst: settings.HOLD_FIRST_LISTINGS,
    requiresPayouts: settings.PAYOUTS_REQUIRED,
    limits: settings,
    imeiHashes: hashes,
  };
  const outcome = await addPhone(db, seller, data, { ...options, formKey: null, step });
  return "refusal" in outcome ? outcome.refusal : null;
}

/** Takes a row back: a new listing is deleted, a changed one is as it was. @returns why not; null if it is */
async function undoRow(
  db: Db,
  seller: Viewer,
  { importId, line, plan, phoneId, fields, before, imeiHashes }: Row,
  step: ImportStep,
): Promise<Refusal | null> {
  if (phoneId && isEmpty(fields) && plan === "changed") return recordOnly(phoneId, step);
  const [hash = null] = imeiHashes ?? [];
  if (plan !== "created" || !phoneId) {
    const replaced = Object.entries(before ?? {}).filter(([field]) => fields && field in fields);
    const to = Object.fromEntries(replaced);
    const from = to.imei === undefined ? fields : { ...fields, imei: hash };
    return changeFrom(db, seller, { phoneId, from, to, hashes: to.imei ? [to.imei] : [] }, step);
  }
  const isAsImported = and(
    eq(phones.id, phoneId),
    await saysOnly(db, phoneId, fields),
    sql`${phones.imeiHash} is ${hash}`,
    not(and(eq(phones.status, "paused"), isNull(phones.pausedUntil)) as SQL),
  );
  const ofImport = sql`(select value from ${listingImportRows}, json_each(${listingImportRows.photos})
    where ${listingImportRows.importId} = ${importId} and ${listingImportRows.line} = ${line})`;
  const isAddedByHand = and(eq(photos.phoneId, phoneId), notInArray(photos.id, ofImport));
  const { refusal } = await removeListing(db, seller, phoneId, {
    step: {
      ...step,
      isUncounted: not(
        or(
          hasRow(db, savedListings, eq(savedListings.phoneId, phoneId)),
          hasRow(db, offers, and(eq(offers.phoneId, phoneId), isOpenOffer())),
          hasRow(db, conversations, eq(conversations.phoneId, phoneId)),
        ) as SQL,
      ),
      isUnchanged: and(hasRow(db, phones, isAsImported), not(hasRow(db, photos, isAddedByHand))),
    },
  });
  // By its seller or by staff.
  return refusal === "not found" ? "deleted before" : refusal;
}

/**
 * Condition on `phones`: a new listing says what its row says and nothing else, and nobody is editing it. Without an
 * image link, it has a drawing.
 */
async function saysOnly(db: Db, phoneId: string, fields: Row["fields"]): Promise<SQL | undefined> {
  const [listing] = await db.select(fileColumns).from(phones).where(eq(phones.id, phoneId));
  const isSaid =
    listing &&
    Object.entries(statedTexts(listing)).every(([field, text]) =>
      meansSame(field, field === "image" ? listingCell("image", text) : text, fields?.[field] ?? ""),
    );
  return isSaid ? isAsRead(listing) : sql`false`;
}

/** Condition on `phones`: the listing says what it said when these columns were read. */
function isAsRead(listing: FileListing): SQL | undefined {
  const columns = Object.entries(fileColumns) as [keyof FileListing, SQL.Aliased | SQLiteColumn][];
  return and(
    ...columns.map(
      ([name, column]) => sql`${is(column, SQL.Aliased) ? column.sql : column} is ${listing[name]}`,
    ),
  );
}

/** Whether the listing still says this. @param values of an IMEI, its hash */
function says(listing: FileListing, values: Row["fields"]): boolean {
  const texts: Record<string, string> = statedTexts(listing);
  return Object.entries(values ?? {}).every(([field, text]) =>
    field === "imei" ? text === listing.imeiHash : meansSame(field, texts[field] ?? "", text ?? ""),
  );
}

/** Whether a row only brings photos. */
const isEmpty = (values: Row["fields"]) => values !== null && Object.keys(values).length === 0;

async function recordOnly(phoneId: string, step: ImportStep): Promise<null> {
  await step.record(phoneId);
  return null;
}

interface Change {
  phoneId: string | null;
  from: Row["fields"];
  to: Row["fields"];
  hashes: string[];
}

/** Changes what a row says of a listing, unless that has changed since, or the listing does so at the same moment. */
async function changeFrom(
  db: Db,
  seller: Viewer,
  { phoneId, from, to, hashes }: Change,
  step: ImportStep,
): Promise<Refusal | null> {
  if (!phoneId) return "unknown listing";
  const isListing = eq(phones.id, phoneId);
  const [read] = await db
    .select(fileColumns)
    .from(phones)
    .where(and(isListing, isNotNull(phones.tab)));
  if (!read) return "unknown listing";
  if (!says(read, from)) return "changed since";
  if (isEmpty(to)) return recordOnly(phoneId, step);
  const listing = await findOwnListing(db, seller, phoneId);
  if (!listing) return "unknown listing";
  const { imei: _, ...typed } = stated(to);
  const { data } = schemaForEditOf(listing).partial().safeParse(typed);
  if (!data) return "invalid";
  const removed = Object.fromEntries(Object.keys(typed).map((field) => [field, undefined]));
  const changes = { ...removed, ...data, removeImei: to !== null && "imei" in to && hashes.length === 0 };
  const outcome = await changeListing(db, seller, phoneId, changes, hashes, {
    ...step,
    isUnchanged: hasRow(db, phones, and(isListing, isAsRead(read))),
  });
  return outcome === "saved" ? null : outcome;
}
