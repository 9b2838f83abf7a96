import { type ContentReportReason, type TargetKind, targetKinds } from "#app/db/enums.ts";
import {
  type TableDefinition,
  type TableQuery,
  timeFilters,
  timeSorts,
} from "#app/server/forms/table-query.ts";

export const reasonLabels: Record<ContentReportReason, string> = {
  stolen: "Stolen or counterfeit",
  misleading: "Wrong or misleading description",
  "other payment": "Asks for payment outside what we agreed",
  offensive: "Offensive or personal content",
  duplicate: "Duplicate or spam",
  "something else": "Something else",
  fraud: "Fraud or attempted fraud",
  impersonation: "Pretends to be someone else",
  "offensive behavior": "Offensive behavior",
  spam: "Spam",
  "not of purchase": "Not about this purchase",
  "false review": "False or paid for",
  threats: "Threats or harassment",
};

/** The reasons to choose from, the gravest first. */
export const reportReasons = {
  listing: ["stolen", "misleading", "other payment", "offensive", "duplicate", "something else"],
  seller: ["fraud", "impersonation", "offensive behavior", "spam", "something else"],
  review: ["not of purchase", "offensive", "false review", "spam", "something else"],
  message: ["fraud", "threats", "other payment", "offensive", "spam", "something else"],
} as const satisfies Record<TargetKind, readonly ContentReportReason[]>;

/** A reason in words; so is why something else is urgent, and a reason of the version before. */
export const reasonText = (reason: string) => reasonLabels[reason as ContentReportReason] ?? reason;

/** The reasons that a query lists with commas, in words. */
export const reasonsText = (reasons: string) => reasons.split(",").map(reasonText).join(", ");

/** Reasons that moderators are told of at once. */
export const urgentReasons: ContentReportReason[] = ["stolen", "other payment", "fraud", "threats"];

export const targetKindLabels: Record<TargetKind, string> = {
  listing: "Listing",
  seller: "Seller",
  review: "Review",
  message: "Message",
};

const targetPrefixes: Record<TargetKind, string> = {
  listing: "",
  seller: "",
  review: "Review by ",
  message: "Message from ",
};

/**
 * What pages call a target: "Apple iPhone 13", "Review by Ann", "Deleted listing".
 *
 * @param name of its device or its owner; empty if it is deleted. Earlier rows have the whole text
 */
export function targetLabel(kind: TargetKind, name: string): string {
  const deleted = `Deleted ${kind}`;
  if (!name || name === deleted) return deleted;
  const prefix = targetPrefixes[kind];
  return name.startsWith(prefix) ? name : prefix + name;
}

/** The same of a row with the device of a listing, looked up, and the name of the owner. */
export function targetLabelOf(row: { kind: TargetKind; device: string | null; ownerName: string }): string {
  const { kind, device, ownerName } = row;
  return targetLabel(kind, kind === "listing" ? (device ?? "") : ownerName);
}

/** What a target is called to its owner, and beside the owner's name: "your review", "their review". */
export function targetLabelForOwner(
  kind: TargetKind,
  name: string,
  whose: "your" | "Your" | "their",
): string {
  if (kind === "listing") return targetLabel(kind, name);
  return `${whose} ${kind === "seller" ? "account" : kind}`;
}

export function isTargetKind(kind: string | undefined): kind is TargetKind {
  return targetKinds.some((known) => known === kind);
}

/** Why a report is not stored. */
export const contentReportRefusals = {
  "already reported": "You’ve already reported this. A moderator will look at it.",
  own: "It’s your own, so you can’t report it.",
};

/** Reports of listings, sellers, reviews and messages. @param words what of a person is looked for */
const tableOfReports = (words: string) =>
  ({
    filters: [
      { name: "q", label: `Reporter’s ${words}`, kind: "words" },
      { name: "owner", label: `Owner’s ${words}`, kind: "words" },
      {
        name: "kind",
        label: "Kind",
        kind: "choice",
        choices: targetKindLabels,
      },
      {
        name: "state",
        label: "Decision",
        kind: "choice",
        choices: { open: "Open", decided: "Decided" },
      },
      ...timeFilters,
    ],
    sorts: timeSorts,
  }) as const satisfies TableDefinition;

export const contentReportTable = tableOfReports("name or email");

/** For moderators, who see no email addresses and so cannot look for one. */
export const contentReportTableWithoutEmails = tableOfReports("name");

export type ContentReportQuery = TableQuery<typeof contentReportTable>;
