import { expect, test } from "vitest";
import { maxImportBytes, maxImportRows } from "#app/features/listings/import/import.rules.ts";
import { cellAsTyped, readListingFile } from "#app/features/listings/import/listing-file.server.ts";
import { csvCell, csvLines, textOfCell } from "#app/features/tables/csv.server.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function read(file: string | Uint8Array) {
  const read = await readListingFile(typeof file === "string" ? bytesOf(file) : file);
  if ("refusal" in read) throw new Error(read.refusal);
  return read;
}

async function refusalOf(file: string | Uint8Array) {
  const read = await readListingFile(typeof file === "string" ? bytesOf(file) : file);
  return "refusal" in read ? read.refusal : null;
}

const rows = [
  {
    line: 2,
    cells: { ownNumber: "A-1", model: "Xperia 5", sellingPrice: "349,50", city: "Zürich" },
    isBroken: false,
    hasMoreCells: false,
  },
  {
    line: 4,
    cells: { ownNumber: "A-2", model: "Two\nlines", sellingPrice: "99", city: "" },
    isBroken: false,
    hasMoreCells: false,
  },
];

const table = (separator: string, lineBreak: string) =>
  [
    ["Number", "Model", "Price in USD", "City"],
    ["A-1", "Xperia 5", separator === "," ? '"349,50"' : "349,50", "Zürich"],
    ["", "", "", ""],
    ["A-2", '"Two\nlines"', "99", ""],
    [""],
  ]
    .map((cells) => cells.join(separator))
    .join(lineBreak);

const utf16 = (text: string, isLittle: boolean) =>
  Uint8Array.from(
    [...text].flatMap((letter) => {
      const code = letter.charCodeAt(0);
      return isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255];
    }),
  );

const latin = (text: string) => Uint8Array.from([...text].map((letter) => letter.charCodeAt(0)));

test.each([
  ["Excel, “CSV UTF-8”", bytesOf(`\uFEFF${table(",", "\r\n")}`)],
  ["a European Excel, “CSV UTF-8”", bytesOf(`\uFEFF${table(";", "\r\n")}`)],
  ["a European Excel, “CSV”, in Windows-1252", latin(table(";", "\r\n"))],
  ["Excel, “Unicode text”", utf16(`\uFEFF${table("\t", "\r\n")}`, true)],
  ["big-endian UTF-16", utf16(`\uFEFF${table("\t", "\r\n")}`, false)],
  ["LibreOffice", bytesOf(table(",", "\n"))],
  ["Numbers", bytesOf(table(";", "\r\n"))],
])("reads a file as written by %s", async (_, file) => {
  expect(await read(file)).toEqual({ rows, unknownColumns: [] });
});

test.each([
  ["1.299,00", "99,50", ["1299.00", "99,50"]],
  ["1.299", "99,5", ["1299.00", "99,5"]],
  ["1 299", "1.299", ["1 299", "1299.00"]],
  // One of the market's, so that the others are, too.
  ["1,299.00", "1.299", ["1,299.00", "1.299"]],
])("prices are read as the file writes decimals: %s and %s", async (first, second, prices) => {
  const file = await readListingFile(bytesOf(`Number;Price;Market price\nA-1;${first};${second}`));
  if ("refusal" in file) throw new Error(file.refusal);
  const [row] = file.rows;
  expect([row?.cells.sellingPrice, row?.cells.marketPrice]).toEqual(prices);
});

test("a first line can name the separator", async () => {
  const { rows } = await read("sep=;\r\nNumber;Model\r\nA-1;5,5");
  expect(rows).toEqual([
    { line: 3, cells: { ownNumber: "A-1", model: "5,5" }, isBroken: false, hasMoreCells: false },
  ]);
});

test("names the columns that it does not know", async () => {
  const { rows, unknownColumns } = await read("SKU,brandName,Shelf,Number,\nA-1,Sony,4,B,\n");
  expect(rows[0]?.cells).toEqual({ ownNumber: "A-1", brandName: "Sony" });
  expect(unknownColumns).toEqual(["Shelf", "Number"]);
});

test("says which row lacks a quotation mark", async () => {
  const { rows } = await read('Number,Model\nA-1,"Xperia\nA-2,"5" x\n');
  expect(rows.map(({ isBroken }) => isBroken)).toContain(true);
});

test.each([
  ["an empty file", ""],
  ["a header alone", "Number,Model\n"],
  ["a file without numbers", "Brand,Model\nSony,Xperia\n"],
  ["a workbook", Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0])],
  ["too many rows", `Number\n${"A\n".repeat(maxImportRows + 1)}`],
  ["too many bytes", new Uint8Array(maxImportBytes + 1)],
  ["a picture", Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
  ["NULs", "\0".repeat(100)],
])("refuses %s", async (_, file) => {
  expect(await refusalOf(file)).toEqual(expect.any(String));
});

test("reads hostile cells as text", async () => {
  const huge = "x".repeat(1_000_000);
  const { rows } = await read(`Number,Model,City\n=1+1,${huge},a\0b\n`);
  expect(rows[0]?.cells).toEqual({ ownNumber: "=1+1", model: huge, city: "a\0b" });
  expect(cellAsTyped("city", "a\0b")).toBe("ab");
});

test.each(["=1+1", "'=1", "-5", "+1 555", "a;=b", "a\n'@c", "\t=1", "", "plain", "＝1", "'plain", "x; '=y"])(
  "a cell of %j keeps its text",
  async (text) => {
    const [line = ""] = (await csvLines([["x", text]])).split("\r\n");
    const { default: Papa } = await import("papaparse");
    const { data } = Papa.parse<string[]>(line);
    expect(data[0]?.[1]).toBe(csvCell(text));
    if (!/(^|[;\s])'/.test(text)) expect(textOfCell(csvCell(text))).toBe(text);
  },
);

test.each([
  ["11/20/2026", "2026-11-20"],
  ["20/11/2026", "2026-11-20"],
  ["20.11.2026", "2026-11-20"],
  ["1.2.2026", "2026-02-01"],
  ["11/20/26", "2026-11-20"],
  ["1.2.26", "2026-02-01"],
  ["20-11-2026", "2026-11-20"],
  ["2026-11-20", "2026-11-20"],
  ["20/20/2026", "20/20/2026"],
  ["soon", "soon"],
])("the day %s is %s", (cell, day) => {
  expect(cellAsTyped("postDate", cell)).toBe(day);
});
