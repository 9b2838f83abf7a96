import type { ImportPlan, ImportResult, ImportState } from "#app/db/enums.ts";
import { countLabel } from "#app/market.ts";
import { editRefusals } from "../edit-refusals.ts";
import { payoutsRequiredText } from "../listing.schema.ts";

export { importPlans, importResults, importStates } from "#app/db/enums.ts";

export const maxImportRows = 5000;
export const maxImportBytes = 8 * 1024 * 1024;

export const tooManyRowsText = `This file is too large. Split it: up to ${countLabel(maxImportRows)} rows and ${maxImportBytes / 1024 ** 2} MB each.`;

/** The states in which the queue works on it: a seller has one of these at a time. */
export const runningStates = ["applying", "undoing"] as const satisfies ImportState[];

export const isRunning = (state: ImportState) => runningStates.some((running) => running === state);

/** The title of the column of photos. */
export const photosColumn = "Photos";

/** Rows by plan and result. */
export interface ImportCount {
  plan: ImportPlan;
  /** Null before it was applied. */
  result: ImportResult | null;
  /** Whether it has doubtful values. */
  isDoubtful: boolean;
  /** Whether it names photos that can’t be added. */
  hasMissingPhotos: boolean;
  /** Whether photos could not be added: by the check, none of them, or when it was applied. */
  hasLostPhotos: boolean;
  rows: number;
}

/** The numbers of an import, from the counts of its rows. */
export function importNumbers(
  counts: ImportCount[],
  { state, confirmed }: { state: ImportState; confirmed: boolean },
) {
  const rowsThat = (isCounted: (count: ImportCount) => boolean) =>
    counts.filter(isCounted).reduce((sum, { rows }) => sum + rows, 0);
  const isAct = ({ plan }: ImportCount) => plan === "created" || plan === "changed";
  const isToApply = (count: ImportCount) => isAct(count) && (confirmed || !count.isDoubtful);
  const isImported = state !== "checked" && state !== "undoing" && state !== "undone";
  const isListed = ({ plan, result }: ImportCount) =>
    result === "done" || result === "kept" || (plan === "unchanged" && result === null && isImported);
  const ofPlan = (plan: ImportPlan) => rowsThat((count) => count.plan === plan);
  const ofResult = (...results: ImportResult[]) =>
    rowsThat(({ result }) => results.some((one) => one === result));
  return {
    rows: rowsThat(() => true),
    created: ofPlan("created"),
    changed: ofPlan("changed"),
    unchanged: ofPlan("unchanged"),
    wrong: ofPlan("wrong"),
    doubtful: rowsThat((count) => isAct(count) && count.isDoubtful),
    missingPhotos: rowsThat((count) => count.plan !== "wrong" && count.hasMissingPhotos),
    lostPhotos: rowsThat((count) => count.hasLostPhotos && isListed(count)),
    /** What the queue has to apply, and what is left of it. */
    toApply: rowsThat(isToApply),
    left: rowsThat((count) => isToApply(count) && count.result === null),
    applied: ofResult("done", "undone", "kept"),
    refused: ofResult("refused"),
    /** Those with doubtful values, once it was applied without. */
    unconfirmed: rowsThat((count) => isAct(count) && count.isDoubtful && count.result === null && !confirmed),
    undone: ofResult("undone"),
    kept: ofResult("kept"),
  };
}

const unconfirmedText = "Left out: its unlikely values weren’t confirmed.";
const notReachedText = "Left out: the import was stopped before it was reached.";

/** Why a row that an import was to apply was not tried; null if it was, or still can be. */
export function leftOutRowText(
  row: { plan: ImportPlan; result: ImportResult | null; isDoubtful: boolean },
  { state, confirmed }: { state: ImportState; confirmed: boolean },
): string | null {
  const isToApply = row.plan === "created" || row.plan === "changed";
  if (!isToApply || row.result || state === "checked") return null;
  if (row.isDoubtful && !confirmed) return unconfirmedText;
  return state === "applying" ? null : notReachedText;
}

/** Why an import is not stored, applied or undone. */
export const importRefusals = {
  "not found": "This check is gone, since you’ve uploaded another file or undone an import. Upload it again.",
  running: "An import is already running. Wait until it’s done.",
  "account closed": "You can’t import while your account is suspended or closed.",
  "nothing to do":
    "There’s nothing to import. If all that’s left are unlikely values, confirm that they’re right, or correct them in the file.",
  "too late": "It’s too late to undo this.",
  undoing: "It’s being undone.",
  undone: "It was undone. To import it again, check the file again.",
};

/** Why a row was not applied, or not taken back. */
export const rowRefusals = {
  "number taken": editRefusals["number taken"],
  "imei taken": editRefusals["imei taken"],
  sold: editRefusals.sold,
  "identity locked": editRefusals["identity locked"],
  "too many": "You’ve listed a lot today. Import the same file again tomorrow.",
  "unknown listing": "This listing is deleted, hidden or waits for approval, so you can’t change it.",
  "changed since": editRefusals["changed since"],
  reserved: "This device is booked or sold.",
  saved: "Somebody has saved this listing, made an offer or written to you.",
  "deleted before": "It was already deleted.",
  "no payouts": payoutsRequiredText,
  "no picture": "A listing needs a photo.",
  invalid: "We couldn’t store this.",
};
export type RowRefusal = keyof typeof rowRefusals;

export const rowRefusalText = (refusal: string) => rowRefusals[refusal as RowRefusal] ?? refusal;
