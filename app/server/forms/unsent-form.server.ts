import type { AppLoadContext } from "@remix-run/cloudflare";
import { isMultipart, isUrlEncoded } from "../http/request.server.ts";
import { maxUploadBytes, readUpload } from "./files.server.ts";
import { parsePrice } from "./parse-price.ts";

/** A posted form that failed in an outage or without a session, and can be submitted again. */
export interface UnsentForm {
  to: string;
  fields: [string, string][];
  /** The values that the user entered, with readable labels. */
  entered: [string, string][];
}

/** Whether a posted form has fields that can be kept. */
export function hasKeepableFields({ pages }: AppLoadContext, request: Request): boolean {
  if (!isMultipart(request)) return isUrlEncoded(request);
  // While a copy is read, memory holds what the original has not read yet.
  if (Number(request.headers.get("Content-Length")) > maxUploadBytes) return false;
  return pages.at(new URL(request.url).pathname)?.handle.uploads === "fields and files";
}

/** The texts of a posted form. */
export async function postedTexts(
  request: Pick<Request, "headers" | "text" | "body" | "formData">,
): Promise<URLSearchParams> {
  if (isUrlEncoded(request)) return new URLSearchParams(await request.text());
  const { form } = await readUpload(request);
  const texts = [...form].filter(([, value]) => typeof value === "string");
  return new URLSearchParams(texts as [string, string][]);
}

const secretFields = /password|token/i;

/** The names of technical fields that do not always hold an id. */
const technicalNames = [
  "_id",
  "intent",
  "answer",
  "shownCents",
  "savedAddress",
  "redirectTo",
  "account",
  "confirmed",
  "base",
];

const idPattern = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})$/;

/** Whether a field is part of the form rather than typed by a person: by its name, or because its value is an id. */
const isTechnical = ([name, value]: [string, string]) =>
  technicalNames.includes(name) || name.startsWith("shown-") || idPattern.test(value);

/** Whether a price of a list is as the list has shown it, in cents. */
const isShownPrice = ([name, value]: [string, string], posted: URLSearchParams) =>
  name.startsWith("price-") && parsePrice(value) === Number(posted.get(name.replace("price-", "shown-")));

/** Prepares a form for submitting it again; null if it holds a password or token, which is never sent back. */
export function unsentForm(to: string, posted: URLSearchParams): UnsentForm | null {
  const { pathname, search } = new URL(to);
  const fields = [...posted];
  if (fields.some(([name]) => secretFields.test(name))) return null;
  const entered = fields
    .filter((field) => field[1] !== "" && !isTechnical(field) && !isShownPrice(field, posted))
    .map(([name, value]): [string, string] => [labelOf(name, posted), value]);
  return { to: pathname + search, fields, entered };
}

/** Where a form's label is not the name of the field in words. */
const labels: Record<string, string> = {
  text: "Your text",
  imei: "IMEI",
  camera: "Camera Detail",
  image: "Image Link",
  brandName: "Brand Name",
  deviceType: "Device Type",
  sellingReason: "Selling Reason",
  marketPrice: "Market Price",
  sellingPrice: "Selling Price",
  postDate: "Post Date",
  usedTime: "Used Time",
};

function labelOf(name: string, posted: URLSearchParams): string {
  // Beside an offer stands a message.
  if (name === "text" && posted.has("amount")) return "Message";
  if (name === "amount") return posted.get("intent") === "counter" ? "Your counteroffer" : "Your offer";
  const label = name.startsWith("price-") ? "New price" : labels[name];
  if (label) return label;
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
