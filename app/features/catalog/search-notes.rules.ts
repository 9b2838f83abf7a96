import { otherCurrencyText } from "#app/server/forms/parse-price.ts";
import { recordOf } from "../listings/attributes.ts";
import { isImei } from "../listings/imei.rules.ts";
import type { AnswerPage } from "./answer-pages.ts";

const quoted = (typed: string[]) => typed.map((words) => `"${words}"`).join(" or ");

/** What a device has or not, and no listing states, by how it is typed. */
const features = new Map(
  Object.entries({
    "4g": "4G",
    "5g": "5G",
    lte: "LTE",
    gps: "GPS",
    nfc: "NFC",
    esim: "eSIM",
    "e sim": "eSIM",
    "dual sim": "two SIMs",
    dualsim: "two SIMs",
    oled: "an OLED screen",
    magsafe: "MagSafe",
    "usb c": "USB-C",
    "face id": "Face ID",
    "touch id": "Touch ID",
    "headphone jack": "a headphone jack",
    waterproof: "protection against water",
    "water proof": "protection against water",
    "water resistant": "protection against water",
    "micro sd": "room for a microSD card",
    microsd: "room for a microSD card",
    "fast charging": "fast charging",
    "wireless charging": "wireless charging",
  }),
);

/** What a list says of typed words that its filters don't show as they stand. */
const sentences = {
  /** Only unlocked devices are shown: for several carriers, one beside “unlocked”, or one that no device is locked to. */
  carriers: (typed) => `You’re seeing unlocked devices. They work with ${typed.join(" and ")}.`,
  /** Nobody can filter by devices that are locked alone. */
  locked: (typed) => `Unlocked devices work with ${typed.join(" and ")}, too, so you’re seeing them as well.`,
  /** A name begins with it: "iphone x" finds an iPhone XR. */
  inexact: (typed) => `Nothing is named just ${quoted(typed)}, so you’re seeing names that begin with it.`,
  foreignPrices: (typed) => `${otherCurrencyText}, so we left out ${quoted(typed)}.`,
  leftOut: (typed) => {
    const named = typed.flatMap((words) => features.get(words.toLowerCase()) ?? []);
    const others = typed.filter((words) => !features.has(words.toLowerCase()));
    return [
      ...(named.length > 0
        ? [`Listings don’t say whether they have ${named.join(" or ")}, so we didn’t filter by that.`]
        : []),
      ...(others.length > 0 ? [`We can’t filter by ${quoted(others)}. Check each listing.`] : []),
    ].join(" ");
  },
  otherConditions: (typed) => `No list filters by ${quoted(typed)}. Choose a condition instead.`,
  otherSystems: (typed) => `Devices here run Android, iOS or iPadOS, so we left out ${quoted(typed)}.`,
  years: (typed) => `Listings don’t say when a model came out, so we left out ${quoted(typed)}.`,
  newest: () => "Listings don’t say when a model came out, so the newest listings come first.",
  /** What devices should not be: all other colors, conditions or sizes are chosen. */
  others: (typed) => `We left out ${quoted(typed)}, and listings that don’t say.`,
  /** What devices should not be, and no list leaves out. */
  kept: (typed) => `We can’t leave out ${quoted(typed)}. Check each listing.`,
  rounded: (typed) => `There’s no filter for ${quoted(typed)}, so you’re seeing the nearest one.`,
  /** A search is for a few models. */
  otherModels: (typed) => `We left out ${quoted(typed)}. Search for a few models at a time.`,
} satisfies Record<string, (typed: string[]) => string>;

type NoteKind = keyof typeof sentences;
const noteKinds = Object.keys(sentences) as NoteKind[];

/** Typed words by what is said of them, and the pages that answer some. */
export type SearchNotes = Record<NoteKind, string[]> & { pages: AnswerPage[] };

export const noSearchNotes = (): SearchNotes => ({ ...recordOf(noteKinds, (): string[] => []), pages: [] });

export function searchNoteTexts(notes: SearchNotes): string[] {
  if (notes.leftOut.some(isImei)) return ["IMEIs stay private here, so you can’t search for one."];
  return noteKinds.flatMap((kind) => (notes[kind].length > 0 ? [sentences[kind](notes[kind])] : []));
}
