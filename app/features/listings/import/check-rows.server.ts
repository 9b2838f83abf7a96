import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db } from "#app/db/client.server.ts";
import { isOneOf } from "#app/db/conditions.server.ts";
import type { ImportPlan, SellingTab } from "#app/db/enums.ts";
import { phones } from "#app/db/schema.ts";
import { market } from "#app/market.ts";
import { isPublicUrl } from "#app/server/forms/public-url.ts";
import { todayIn } from "#app/time.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { notSentText, type PhotoZip } from "../../photos/imported-photos.server.ts";
import { maxPhotos } from "../../photos/photo.rules.ts";
import { photoRefusalText } from "../../photos/photo-refusals.ts";
import { attributesWith, inWords } from "../attributes.ts";
import { brandKey } from "../device-variant.rules.ts";
import { editRefusals } from "../edit-refusals.ts";
import type { FairPrice } from "../fair-price.rules.ts";
import { type PricedDevice, selectFairPrice } from "../fair-price.server.ts";
import { listingFormSchema } from "../listing.schema.ts";
import { schemaForEditOf } from "../listing-edit.schema.ts";
import { editableColumns, editRefusalOf, imeiHashesOf } from "../listing-edit.server.ts";
import { holdsImei } from "../listing-removal.server.ts";
import { ownNumberKey } from "../listing-tables.server.ts";
import { editQuestions, plausibilityQuestions } from "../plausibility.rules.ts";
import { sizeKey } from "../size.rules.ts";
import { rowRefusals } from "./import.rules.ts";
import {
  cellAsTyped,
  daysInCell,
  type FileField,
  type FileRow,
  fileColumns,
  inWordsOfFile,
  type ListingFile,
  listingCell,
  photosInCell,
  type StatedField,
  statedTexts,
} from "./listing-file.server.ts";

interface Remark {
  /** Empty if it is about no column. */
  field: string;
  text: string;
}

/** A row that was compared with what is listed. */
export interface CheckedRow {
  line: number;
  plan: ImportPlan;
  phoneId: string | null;
  device: string;
  ownNumber: string | null;
  fields: Record<string, string | null> | null;
  before: Record<string, string | null> | null;
  imeiHashes: string[] | null;
  /** For a listing that has none. */
  photos: string[] | null;
  remarks: Remark[];
}

/** A row that is not wrong, with what the seller may be asked about. */
interface RowToQuestion extends CheckedRow {
  toQuestion?: ToQuestion;
}

interface ToQuestion {
  stated: Plausible;
  /** What the listing states; null for a new one. */
  before: Plausible | null;
}

/** Empty, they leave what is listed as it is. */
const keptIfEmpty: FileField[] = ["imei", "postDate", "image"];
const mayBeEmpty: string[] = [...attributesWith("optional"), "ownNumber"];

/** Values of one JSON parameter. */
const chunkSize = 500;
/** Statements of one batch. */
const batchSize = 50;

/**
 * Compares the rows of a file with the seller's listings, by the rules of publishing and editing. Stores nothing.
 *
 * @param zip with the photos; null if none was sent
 */
export async function checkRows(
  db: Db,
  seller: Viewer,
  file: ListingFile,
  secrets: string[],
  zip: PhotoZip | null = null,
): Promise<CheckedRow[]> {
  const keyed = await Promise.all(file.rows.map((row) => keyOf(row, secrets)));
  const listed = await findListed(db, seller, keyed);
  const lines = {
    id: linesBy(keyed, ({ id }) => id),
    ownNumber: linesBy(keyed, ({ ownNumber }) => ownNumberKey(ownNumber)),
    imei: linesBy(keyed, ({ imeiHashes }) => imeiHashes[0] ?? ""),
  };
  const repeated = (field: "id" | "ownNumber" | "imei", key: string, line: number): Remark[] => {
    const others = (key ? (lines[field].get(key) ?? []) : []).filter((other) => other !== line);
    return others.length > 0 ? [{ field, text: `Row ${others[0]} has the same` }] : [];
  };
  const checked = keyed.map((row) => {
    const faults = [
      ...(row.hasMoreCells && !row.isBroken
        ? [
            {
              field: "",
              text: "It has more cells than columns: put texts with a separator in quotation marks",
            },
          ]
        : []),
      ...(row.isBroken ? [{ field: "", text: "A quotation mark is missing in this row" }] : []),
      ...repeated("id", row.id, row.line),
      ...repeated("ownNumber", ownNumberKey(row.ownNumber), row.line),
      ...repeated("imei", row.imeiHashes[0] ?? "", row.line),
    ];
    return checkRow(row, listed, faults, zip);
  });
  return addQuestions(db, checked);
}

interface KeyedRow extends FileRow {
  id: string;
  ownNumber: string;
  /** None if the IMEI is left out, or isn't one. */
  imeiHashes: string[];
}

async function keyOf(row: FileRow, secrets: string[]): Promise<KeyedRow> {
  const { id = "", ownNumber = "", imei = "" } = row.cells;
  const { data } = listingFormSchema.shape.imei.safeParse(cellAsTyped("imei", imei) || undefined);
  return {
    ...row,
    id: cellAsTyped("id", id).slice(0, 60),
    ownNumber: cellAsTyped("ownNumber", ownNumber),
    imeiHashes: await imeiHashesOf(secrets, data),
  };
}

/** The lines of each key. */
function linesBy(rows: KeyedRow[], key: (row: KeyedRow) => string): Map<string, number[]> {
  const lines = new Map<string, number[]>();
  for (const row of rows) lines.set(key(row), [...(lines.get(key(row)) ?? []), row.line]);
  return lines;
}

function selectListed(db: Db, seller: Viewer, ids: string[], numbers: string[]) {
  const own = and(eq(phones.sellerId, seller.id), isNotNull(phones.tab));
  const byId = db
    .select({ id: phones.id })
    .from(phones)
    .where(and(own, isOneOf(phones.id, ids)));
  const byNumber = db
    .select({ id: phones.id })
    .from(phones)
    .where(and(own, isOneOf(sql`lower(${phones.ownNumber})`, numbers)));
  return db
    .select({
      ...fileColumns,
      ...editableColumns(db),
      cover: phones.cover,
      tab: phones.tab,
    })
    .from(phones)
    .where(sql`${phones.id} in (select id from (${byId}) union select id from (${byNumber}))`);
}

type Listed = Awaited<ReturnType<typeof selectListed>>[number];

/** The seller's listings that a file names, and the listings with its IMEIs. */
async function findListed(db: Db, seller: Viewer, rows: KeyedRow[]) {
  const byId = new Map<string, Listed>();
  const byNumber = new Map<string, Listed>();
  const byImei = new Map<string, string>();
  for (let start = 0; start < rows.length; start += chunkSize) {
    const chunk = rows.slice(start, start + chunkSize);
    const hashes = chunk.flatMap(({ imeiHashes }) => imeiHashes);
    const found = await selectListed(
      db,
      seller,
      chunk.map(({ id }) => id),
      chunk.map(({ ownNumber }) => ownNumberKey(ownNumber)),
    );
    for (const listing of found) {
      byId.set(listing.id, listing);
      if (listing.ownNumber) byNumber.set(ownNumberKey(listing.ownNumber), listing);
    }
    if (hashes.length === 0) continue;
    const sameImei = await db
      .select({ id: phones.id, imeiHash: phones.imeiHash })
      .from(phones)
      .where(and(isOneOf(phones.imeiHash, hashes), holdsImei(phones)));
    for (const { id, imeiHash } of sameImei) byImei.set(imeiHash ?? "", id);
  }
  return { byId, byNumber, byImei };
}

type AllListed = Awaited<ReturnType<typeof findListed>>;

function checkRow(
  row: KeyedRow,
  { byId, byNumber, byImei }: AllListed,
  faults: Remark[],
  zip: PhotoZip | null,
): RowToQuestion {
  const { id, ownNumber, imeiHashes, line } = row;
  const listing = id ? byId.get(id) : byNumber.get(ownNumberKey(ownNumber));
  const fault = (field: FileField, text: string) => faults.push({ field, text });
  if (id && !listing) fault("id", "You have no listing with this id. Leave it out for a new one");
  if (!id && !ownNumber) fault("ownNumber", "Number is required: we find the listing by it again");
  const ofNumber = byNumber.get(ownNumberKey(ownNumber));
  if (listing && ofNumber && ofNumber.id !== listing.id) fault("ownNumber", editRefusals["number taken"]);
  const ofImei = imeiHashes.flatMap((hash) => byImei.get(hash) ?? []);
  if (ofImei.some((other) => other !== listing?.id)) fault("imei", editRefusals["imei taken"]);
  const named = {
    line,
    phoneId: listing?.id ?? null,
    device: deviceOf(row, listing),
    ownNumber: ownNumber.slice(0, 60) || (listing?.ownNumber ?? null),
  };
  const photos = listing?.cover ? [] : photosInCell(row.cells.photos ?? "");
  if (photos.length > maxPhotos) fault("photos", photoRefusalText("too many"));
  if (photos.some((photo) => photo.includes("://") && !isPublicUrl(photo)))
    fault("photos", "Links must be public ones that start with https");
  const compared = listing ? compareWith(listing, row) : readNew(row);
  const remarks = [...faults, ...compared.faults];
  const nothing = { fields: null, before: null, imeiHashes: null, photos: null };
  if (remarks.length > 0) return { ...named, ...nothing, plan: "wrong", remarks };
  const { fields, before, toQuestion } = compared;
  const missing = missingPhotos(photos, zip);
  const notes = [...notesOnState(row, listing), ...missing];
  const areAdded = photos.length > missing.length;
  if (listing && Object.keys(fields).length === 0 && !areAdded)
    return { ...named, ...nothing, before, plan: "unchanged", remarks: notes };
  return {
    ...named,
    // As it will be stored.
    device: nameOf((field) => fields[field] ?? listing?.[field]),
    plan: listing ? "changed" : "created",
    fields,
    before,
    imeiHashes: !listing || "imei" in fields ? imeiHashes : null,
    photos: areAdded ? photos : null,
    remarks: [...(listing?.status === "reserved" ? [bookedNote] : []), ...notes],
    ...(toQuestion && { toQuestion }),
  };
}

/** What a new listing is. */
const forSale: SellingTab = "for sale";

function notesOnState({ cells }: KeyedRow, listing: Listed | undefined): Remark[] {
  const state = cellAsTyped("state", cells.state ?? "").toLowerCase();
  if (!state || state === (listing?.tab ?? forSale)) return [];
  return [{ field: "state", text: "A file can’t change it. Do that in My Sells" }];
}

/** Beside what a row changes of a booked device. */
const bookedNote: Remark = { field: "state", text: "Booked. Its order stays as agreed" };

/** The photos that can't be added. Links are only followed when the file is imported. */
function missingPhotos(photos: string[], zip: PhotoZip | null): Remark[] {
  return photos
    .filter((photo) => !photo.includes("://"))
    .flatMap((photo) => {
      const refusal = zip ? zip.refusalOf(photo) : notSentText;
      return refusal ? [{ field: "photos", text: `${photo}: ${refusal}` }] : [];
    });
}

const deviceOf = ({ cells }: FileRow, listing: Listed | undefined) =>
  nameOf((field) => cellAsTyped(field, cells[field] ?? "") || listing?.[field]);

function nameOf(part: (field: "brandName" | "model" | "rom") => string | null | undefined): string {
  const parts = [part("brandName"), part("model"), part("rom")];
  return parts.filter(Boolean).join(" ").slice(0, 150);
}

interface Compared {
  fields: Record<string, string | null>;
  before: Record<string, string | null> | null;
  faults: Remark[];
  toQuestion?: ToQuestion;
}

/** What a row changes of a listing: a cell as the export writes it, or as the listing says, changes nothing. */
function compareWith(listing: Listed, { cells, imeiHashes }: KeyedRow): Compared {
  const stored = statedTexts(listing);
  const typed: Record<string, string | undefined> = {};
  const before: Compared["before"] = {};
  for (const [name, cell] of Object.entries(cells)) {
    const field = name as FileField;
    const text = cellAsTyped(field, cell);
    if (field === "id" || field === "state" || field === "photos") continue;
    if (text === "" && keptIfEmpty.includes(field)) continue;
    if (field === "imei") {
      before.imei = listing.imeiHash;
      if (!listing.imeiHash || !imeiHashes.includes(listing.imeiHash)) typed.imei = text;
      continue;
    }
    before[field] = stored[field] || null;
    if (field === "postDate" && daysInCell(cell.trim()).includes(stored.postDate)) {
      // A British spreadsheet has written it.
    } else if (cell !== listingCell(field, stored[field]) && !meansSame(field, text, stored[field])) {
      typed[field] = text === "" && mayBeEmpty.includes(field) ? undefined : text;
    }
  }
  const { data, error } = schemaForEditOf(listing).partial().safeParse(typed);
  if (error) return { fields: {}, before: null, faults: faultsOf(error) };
  const changes = textsOf(data, Object.keys(typed));
  const fields = Object.fromEntries(
    Object.entries(changes).filter(
      ([field, text]) => field === "imei" || !meansSame(field, text ?? "", stored[field as StatedField]),
    ),
  );
  const changed = Object.keys(fields);
  const refusal = changed.length > 0 ? editRefusalOf(listing, changed) : null;
  const faults = refusal ? [{ field: "", text: rowRefusals[refusal] }] : [];
  const stated = { ...listing, marketPrice: listing.marketCents, sellingPrice: listing.sellingCents };
  return { fields, before, faults, toQuestion: { stated: { ...stated, ...data }, before: stated } };
}

/** A new listing. Without a day, it is of today. */
function readNew({ cells }: KeyedRow): Compared {
  const typed: Record<string, string> = { postDate: todayIn(market.timeZone) };
  for (const [field, cell] of Object.entries(cells)) {
    const text = cellAsTyped(field as FileField, cell);
    if (text && !["id", "state", "photos"].includes(field)) typed[field] = text;
  }
  const { data, error } = listingFormSchema.safeParse(typed);
  if (error) return { fields: {}, before: null, faults: faultsOf(error) };
  const { imei: _, ...fields } = textsOf(data, Object.keys(typed));
  return { fields, before: null, faults: [], toQuestion: { stated: data, before: null } };
}

/** Values of a form as a file has them; null for what is left out. The IMEI is not kept. */
function textsOf(data: Record<string, unknown>, names: string[]): Record<string, string | null> {
  return Object.fromEntries(
    names.map((name) => {
      const value = data[name];
      if (value === undefined) return [name, null];
      if (name === "imei") return [name, ""];
      return [name, name.endsWith("Price") ? (Number(value) / 100).toFixed(2) : String(inWords(name, value))];
    }),
  );
}

/** Whether a text means what a listing states. */
export function meansSame(field: string, text: string, stored: string): boolean {
  if (text === stored) return true;
  if (field === "ram" || field === "rom") return sizeKey(text) === sizeKey(stored);
  if (field === "ownNumber") return ownNumberKey(text) === ownNumberKey(stored);
  if (field === "brandName") return brandKey(text) === brandKey(stored);
  return false;
}

function faultsOf(error: z.ZodError): Remark[] {
  return error.issues.map(({ path, message }) => {
    const field = String(path[0] ?? "");
    return { field, text: inWordsOfFile(field, message) };
  });
}

type Plausible = Parameters<typeof plausibilityQuestions>[0] & PricedDevice;

/** Adds questions about improbable values, beside the usual prices of the models. */
async function addQuestions(db: Db, rows: RowToQuestion[]): Promise<CheckedRow[]> {
  const devices = new Map(
    rows
      .flatMap(({ toQuestion }) => [toQuestion?.stated ?? [], toQuestion?.before ?? []].flat())
      .map((device) => [deviceKey(device), device]),
  );
  const usual = new Map<string, FairPrice | null>();
  const all = [...devices];
  for (let start = 0; start < all.length; start += batchSize) {
    const [first, ...others] = all.slice(start, start + batchSize);
    if (!first) break;
    const select = ([, phone]: typeof first) => selectFairPrice(db, phone);
    const found = await db.batch([select(first), ...others.map(select)]);
    for (const [index, [key]] of [first, ...others].entries()) usual.set(key, found[index]?.[0] ?? null);
  }
  const priced = (stated: Plausible) => ({ stated, usual: usual.get(deviceKey(stated)) ?? null });
  return rows.map(({ toQuestion, ...row }) => {
    if (!toQuestion) return row;
    const edit = priced(toQuestion.stated);
    // The file is asked about as a whole, once.
    const { remarks } = toQuestion.before
      ? editQuestions(priced(toQuestion.before), edit)
      : plausibilityQuestions(edit.stated, edit.usual, []);
    return { ...row, remarks: [...remarks, ...row.remarks] };
  });
}

const deviceKey = ({ brandName, model, rom }: PricedDevice) => JSON.stringify([brandName, model, rom]);

/** The fields of a row as a form sends them. */
export function stated(fields: Record<string, string | null> | null): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([name, text]) => [name, text ?? undefined]));
}
