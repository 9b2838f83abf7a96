import { imeiText, isImei } from "./imei.rules.ts";

/** Something in a text that leads buyers away from messages on the site, or that others could misuse. */
interface PrivateDetail {
  kind: "an email address" | "a phone number" | "a messenger" | "an IMEI";
  /** As it stands in the text. Of an invitation to write on a messenger, its name. */
  found: string;
}

/** Finds email addresses, phone numbers, messengers and IMEIs. Misses hidden ones rather than suspect sizes, prices and models. */
export function privateDetailsIn(text: string): PrivateDetail[] {
  const all = (kind: PrivateDetail["kind"], pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([found, name = found]): PrivateDetail => ({ kind, found: name.trim() }));
  return [
    ...all("an email address", emailAddress),
    ...all("a phone number", digits).filter(({ found }) => isPhoneNumber(found)),
    ...all("a messenger", messengerLink),
    ...all("a messenger", writeOnMessenger),
    ...all("a messenger", messengerName),
    ...all("an IMEI", new RegExp(`(?<!\\d)${imeiText}(?!\\d)`, "g")).filter(({ found }) => isImei(found)),
  ];
}

/** Also "name (at) example.com" and "name at gmail dot com", but not "bought at example.com". */
const emailAddress =
  /[\w.+-]+\s?(?:@|[([{]\s?at\s?[)\]}])\s?[\w-]+(?:\.|\s?[([{]\s?dot\s?[)\]}]\s?|\sdot\s)[a-z]{2,}|[\w.+-]+\sat\s(?:gmail|yahoo|hotmail|outlook|icloud|proton|aol)\b/gi;

/** Digits with what people put between those of a phone number, unless a word says that they are something else. */
const digits =
  /(?<![\w.,/\p{Sc}-])(?<!\b(?:imei|serial|order|model|number|no|part|#)\W{0,3})(?:\+\s?|\(\s?)?\d(?:[ ().-]{0,2}\d){6,}(?![\w/])/giu;

/** An international number, a national one with a leading zero, or one of North America. */
function isPhoneNumber(text: string): boolean {
  const { length } = text.replace(/\D/g, "");
  if (text.startsWith("+")) return length >= 8 && length <= 15;
  if (/^\(?0[1-9]/.test(text)) return length >= 9 && length <= 12;
  return /^(?:1[ .-]?)?\(?[2-9]\d{2}\)?(?:[ .-]{0,2}[2-9]\d{2}[ .-]?|[ .-]{1,2}\d{3}[ .-])\d{4}$/.test(text);
}

const messenger =
  "(?:whats\\s?app|telegram|signal|viber|we\\s?chat|messenger|instagram|insta|snapchat|discord)";
const messengerLink = /\b(?:wa\.me|t\.me|m\.me|discord\.gg)\/\S+/gi;
/** "Write me on Signal", but not "for Instagram" or "a good signal". */
const writeOnMessenger = new RegExp(
  `\\b(?:me|us|contact|reach|available)\\b[^.!?]{0,20}\\b(?:on|via|by|over|through|using)\\s+(?:\\w+\\s)?(${messenger})\\b`,
  "gi",
);
/** "WhatsApp: ringer99", "WhatsApp me" */
const messengerName = new RegExp(
  `\\b${messenger}\\s*(?:me\\b|(?::|=|@|(?:name|handle|id)\\b:?)\\s*@?\\w+)`,
  "gi",
);
