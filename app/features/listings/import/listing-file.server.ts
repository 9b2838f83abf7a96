import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { deviceTypes, operatingSystems } from "#app/db/enums.ts";
import { phones } from "#app/db/schema.ts";
import { market } from "#app/market.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";
import { sanitizeText } from "#app/server/forms/sanitize-text.ts";
import { todayIn } from "#app/time.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { csvCell, csvLines, textOfCell } from "../../tables/csv.server.ts";
import { type Attribute, attributeNames, attributes, inWords, recordOf } from "../attributes.ts";
import { isDrawing } from "../drawing.rules.ts";
import { attributeColumns } from "../listings.server.ts";
import { decimalPrice } from "../money.rules.ts";
import { maxImportBytes, maxImportRows, photosColumn, tooManyRowsText } from "./import.rules.ts";

/** What a listing states in a file, in the order of its columns. An IMEI is only read: its hash alone is stored. */
const statedFields = [
  "ownNumber",
  ...attributeNames,
  "sellingPrice",
  "marketPrice",
  "sellingReason",
  "postDate",
  ...(brand.imageLinks ? (["image"] as const) : []),
] as const;

export type StatedField = (typeof statedFields)[number];
export type FileField = StatedField | "id" | "photos" | "imei" | "state";

const fields: FileField[] = ["id", ...statedFields, "photos", "imei", "state"];

/** The names of the columns. */
export const columnTitles: Record<FileField, string> = {
  id: "Id",
  ownNumber: "Number",
  ...recordOf(attributeNames, (name) => attributes[name].term),
  sellingPrice: `Price in ${market.currency}`,
  marketPrice: `Market price in ${market.currency}`,
  sellingReason: "Selling reason",
  postDate: "Post date",
  image: "Image link",
  photos: photosColumn,
  imei: "IMEI",
  state: "State",
};

/** What messages of forms call a field that has another column. */
const formLabels: Partial<Record<FileField, string>> = {
  ownNumber: "Your own number",
  camera: "Camera Detail",
  ram: "Ram",
  rom: "Rom",
  brandName: "Brand Name",
  model: "Model",
  os: "Os",
  deviceType: "Device Type",
  usedTime: "Used Time",
  sellingPrice: "Selling Price",
  marketPrice: "Market Price",
  sellingReason: "Selling Reason",
  postDate: "Post Date",
  image: "Image Link",
};

/** A message of a form in the words of the file. */
export function inWordsOfFile(field: string, message: string): string {
  const label = formLabels[field as FileField];
  return label ? message.replace(label, titleOf(field)) : message;
}

/** The name of a field's column; empty for what is no field. */
export const titleOf = (field: string) => columnTitles[field as FileField] ?? "";

/** What else a column may be called, beside the name of its field in the API. */
const otherTitles: Record<string, FileField> = {
  sku: "ownNumber",
  price: "sellingPrice",
  description: "sellingReason",
  manufacturer: "brandName",
  pictures: "photos",
};

const titleKey = (title: string) => title.toLowerCase().replace(/[^a-z0-9]/g, "");

const fieldOfTitle = new Map<string, FileField>([
  ...Object.entries(otherTitles),
  ...fields.flatMap((field) =>
    [titleKey(field), titleKey(columnTitles[field])].map((key) => [key, field] as const),
  ),
]);

/** The columns of a listing that a file states. */
export const fileColumns = {
  id: phones.id,
  ...attributeColumns,
  ownNumber: phones.ownNumber,
  sellingCents: phones.sellingCents,
  marketCents: phones.marketCents,
  sellingReason: phones.sellingReason,
  postDate: phones.postDate,
  image: phones.image,
  imeiHash: phones.imeiHash,
};

export type FileListing = Omit<
  Record<keyof typeof fileColumns, string | number | null>,
  "sellingCents" | "marketCents"
> & {
  sellingCents: number;
  marketCents: number;
};

/** What a listing states, as texts. */
export function statedTexts(listing: FileListing): Record<StatedField, string> {
  return recordOf(statedFields, (field) => {
    if (field === "sellingPrice") return decimalPrice(listing.sellingCents);
    if (field === "marketPrice") return decimalPrice(listing.marketCents);
    return String(inWords(field, listing[field] ?? ""));
  });
}

/** A text as a file has it. A drawing of our own is no link. */
export function listingCell(field: StatedField, text: string): string {
  return field === "image" && isDrawing(text) ? "" : csvCell(text);
}

const exportSize = 500;

/** Streams the seller's listings as CSV, the oldest first; of a seller without listings, an example. */
export async function* exportOwnListings(db: Db, seller: Viewer): AsyncGenerator<string, void> {
  yield `\uFEFF${await csvLines([fields.map((field) => columnTitles[field])])}`;
  let isEmpty = true;
  for (let after = ""; ; ) {
    const listings = await db
      .select({ ...fileColumns, tab: phones.tab })
      .from(phones)
      .where(and(eq(phones.sellerId, seller.id), isNotNull(phones.tab), gt(phones.id, after)))
      .orderBy(asc(phones.id))
      .limit(exportSize);
    const rows = listings.map(({ tab, ...listing }) => {
      const texts = statedTexts(listing);
      const stated = statedFields.map((field) =>
        listingCell(field, texts[field]) === "" ? "" : texts[field],
      );
      return [listing.id, ...stated, "", "", tab];
    });
    if (rows.length > 0) yield await csvLines(rows);
    isEmpty &&= rows.length === 0;
    if (rows.length < exportSize) break;
    after = listings.at(-1)?.id ?? after;
  }
  if (isEmpty) yield await csvLines([fields.map((field) => example()[field] ?? "")]);
}

/** A row to overwrite; its number is invented. */
const example = (): Partial<Record<FileField, string>> => ({
  ownNumber: "EXAMPLE-1",
  brandName: "Sony",
  model: "Xperia 5",
  rom: "256 GB",
  ram: "8 GB",
  condition: "Good",
  color: "Black",
  processor: "Snapdragon 865",
  camera: "12 MP",
  battery: "4000 mAh",
  os: "Android",
  deviceType: "Smart Phone",
  usedTime: "14",
  sellingPrice: "349.00",
  marketPrice: "549.00",
  sellingReason: "I have a new one",
  postDate: todayIn(market.timeZone),
});

/** The photos of a cell: names of files, which may have spaces, and links. */
export function photosInCell(cell: string): string[] {
  return textOfCell(cell)
    .split(/[|\n]|, |\s(?=https:)/)
    .map((photo) => sanitizeText(photo))
    .filter(Boolean);
}

/** A row of a file. @property line in the file, as spreadsheets count them */
export interface FileRow {
  line: number;
  /** By column; only those that the file has. */
  cells: Partial<Record<FileField, string>>;
  /** A quotation mark is missing, so that its cells may be others. */
  isBroken: boolean;
  /** It has cells that are below no column: a separator in a text or a number. */
  hasMoreCells: boolean;
}

export interface ListingFile {
  rows: FileRow[];
  unknownColumns: string[];
}

/** Why a file is not read. */
export const fileRefusals = {
  "too many rows": tooManyRowsText,
  "not CSV": "This is a spreadsheet or a ZIP file. Save it as CSV and choose that.",
  "no rows": "This file has no rows. Start with the template.",
  "no number column": `We can’t find the column “${columnTitles.ownNumber}”. The first row needs the names of the columns, as in the template.`,
};

/** Reads a file as spreadsheets write it: separated by commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252. */
export async function readListingFile(
  bytes: Uint8Array,
): Promise<ListingFile | { refusal: keyof typeof fileRefusals }> {
  if (bytes.byteLength > maxImportBytes) return { refusal: "too many rows" };
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 9) < 9) return { refusal: "not CSV" };
  const text = decode(bytes);
  const [separator = "", delimiter] = /^sep=(.)(?:\r\n|\r|\n)/i.exec(text) ?? [];
  // Loaded on demand: few requests need it.
  const { default: Papa } = await import("papaparse");
  const table = text.slice(separator.length);
  const knownTitles = (delimiter: string) => {
    const { data } = Papa.parse<string[]>(table, { delimiter, preview: 1, skipEmptyLines: "greedy" });
    return (data[0] ?? []).filter((title) => fieldOfTitle.has(titleKey(title))).length;
  };
  const [likeliest] = [",", ";", "\t"].toSorted((one, other) => knownTitles(other) - knownTitles(one));
  const { data, errors } = Papa.parse<string[]>(table, {
    delimiter: delimiter ?? likeliest,
    // As many may be blank.
    preview: 2 * maxImportRows + 2,
  });
  const broken = new Set(errors.filter(({ type }) => type === "Quotes").map(({ row }) => row));
  const first = separator ? 2 : 1;
  const lines = data
    .map((cells, index) => ({ line: index + first, cells, isBroken: broken.has(index) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim()));
  const [header, ...rest] = lines;
  if (!header || rest.length === 0) return { refusal: "no rows" };
  if (rest.length > maxImportRows || data.length > 2 * maxImportRows) return { refusal: "too many rows" };
  const columns: (FileField | null)[] = [];
  const unknownColumns: string[] = [];
  for (const title of header.cells) {
    const field = fieldOfTitle.get(titleKey(title)) ?? null;
    const isKnown = field && !columns.includes(field);
    columns.push(isKnown ? field : null);
    if (!isKnown && title.trim()) unknownColumns.push(sanitizeText(title).slice(0, 60));
  }
  if (!columns.includes("ownNumber") && !columns.includes("id")) {
    return { refusal: "no number column" };
  }
  const rows = rest.map(({ cells, ...row }) => ({
    ...row,
    hasMoreCells: cells.slice(columns.length).some((cell) => cell.trim()),
    cells: Object.fromEntries(columns.flatMap((field, at) => (field ? [[field, cells[at] ?? ""]] : []))),
  }));
  readPrices(rows, (delimiter ?? likeliest) === ";");
  return { rows, unknownColumns: unknownColumns.slice(0, 50) };
}

const priceFields = ["sellingPrice", "marketPrice"] as const;

/**
 * Rewrites prices like "1.299,00" as the market writes them, if the file writes decimals like that.
 *
 * @param isLikely whether it may do so where no price has decimals: spreadsheets separate cells by semicolons then
 */
function readPrices(rows: FileRow[], isLikely: boolean): void {
  const prices = rows.flatMap(({ cells }) => priceFields.map((field) => cells[field]?.trim() ?? ""));
  const endsIn = (sign: string) => prices.some((price) => new RegExp(`\\${sign}\\d{1,2}\\D*$`).test(price));
  if (endsIn(market.decimalSign) || !(isLikely || endsIn(market.groupSign))) return;
  for (const { cells } of rows) {
    for (const field of priceFields) {
      const cell = cells[field];
      const cents = cell ? parsePrice(textOfCell(cell), true) : null;
      if (cents !== null && parsePrice(textOfCell(cell ?? "")) !== cents) cells[field] = decimalPrice(cents);
    }
  }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** What a cell says: without the apostrophes that keep spreadsheets from running it, and a day as forms send it. */
export function cellAsTyped(field: FileField, cell: string): string {
  const text = sanitizeText(textOfCell(cell));
  if (field === "postDate") return daysInCell(text)[0] ?? text;
  return fixedWords[field]?.find((word) => wordKey(word) === wordKey(text)) ?? text;
}

/** In any letter case and with any spaces. */
const wordKey = (word: string) => word.toLowerCase().replace(/\s/g, "");

/** The words of the fields that have a choice of them. */
const fixedWords: Partial<Record<FileField, readonly string[]>> = {
  ...recordOf(attributeNames, (name) => Object.values((attributes[name] as Attribute).choices ?? {})),
  os: operatingSystems,
  deviceType: deviceTypes,
};

/**
 * The days that a cell can mean, as forms send them: none unless it is a day as spreadsheets write it, "11/20/2026",
 * "20.11.26". Americans begin with the month, which goes first, the British with the day.
 */
export function daysInCell(text: string): string[] {
  const [, first = "", sign, second = "", year = ""] =
    /^(\d{1,2})([./-])(\d{1,2})\2((?:20)?\d{2})$/.exec(text) ?? [];
  const [monthFirst, dayFirst] = [
    [first, second],
    [second, first],
  ];
  const orders = { "/": [monthFirst, dayFirst], "-": [dayFirst, monthFirst] }[sign ?? ""] ?? [dayFirst];
  return orders.flatMap(([month = "", day = ""]) =>
    year && Number(month) <= 12
      ? [`20${year.slice(-2)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`]
      : [],
  );
}
