/** What administrators can do to several rows of a table at once. */
export const bulkActions = [
  "delete users",
  "verify sellers",
  "hide listings",
  "delete listings",
  "delete tickets",
] as const;
export type BulkAction = (typeof bulkActions)[number];

/** The rows of a page. The toast that undoes an action holds their ids in a cookie. */
export const maxSelectedRows = 25;

export const nothingSelected = "Select at least one row first.";
export const tooManySelected = `Select at most ${maxSelectedRows} rows at once. Nothing was changed.`;

/** Why an action is not possible for a row. */
export type BulkRefusal =
  | "own account"
  | "money held"
  | "verified before"
  | "reserved"
  | "hidden before"
  | "deleted before"
  | "undone since"
  | "not found";

interface Labels {
  button: string;
  verb: string;
  done: string;
  one: string;
  many: string;
  /** The table whose rows it is for. */
  table: string;
}

const listings = { one: "listing", many: "listings", table: "/manage/listings" };
const users = { one: "user", many: "users", table: "/manage/users" };
const deletion = { button: "Delete selected", verb: "Delete", done: "deleted" };

export const bulkActionLabels: Record<BulkAction, Labels> = {
  "delete users": { ...deletion, ...users },
  "verify sellers": {
    button: "Verify selected",
    verb: "Verify",
    done: "verified",
    one: "seller",
    many: "sellers",
    table: "/manage/sellers",
  },
  "hide listings": { button: "Hide selected", verb: "Hide", done: "hidden", ...listings },
  "delete listings": { ...deletion, ...listings },
  "delete tickets": { ...deletion, one: "report", many: "reports", table: "/manage/reports" },
};

/** "1 user", "3 users". */
export function recordsLabel(action: BulkAction, count: number): string {
  const { one, many } = bulkActionLabels[action];
  return `${count} ${count === 1 ? one : many}`;
}

const refusalTexts: Record<BulkRefusal, { one: string; many: string }> = {
  "own account": { one: "is your own account", many: "are your own account" },
  "money held": {
    one: "has an order whose money we hold",
    many: "have orders whose money we hold",
  },
  "verified before": { one: "has already been verified", many: "have already been verified" },
  reserved: { one: "is reserved for a buyer", many: "are reserved for buyers" },
  "hidden before": { one: "has already been hidden", many: "have already been hidden" },
  "deleted before": { one: "has already been deleted", many: "have already been deleted" },
  "undone since": { one: "has been undone since", many: "have been undone since" },
  "not found": { one: "was not found", many: "were not found" },
};

/** Why a row, or `count` of them, is left out: "is reserved for a buyer". */
export function bulkRefusalText(refusal: BulkRefusal, count = 1): string {
  return refusalTexts[refusal][count === 1 ? "one" : "many"];
}

/** "3 users deleted. 2 could not be deleted: 1 is your own account, 1 has already been deleted." */
export function bulkMessage(action: BulkAction, doneCount: number, refusals: BulkRefusal[]): string {
  const { done } = bulkActionLabels[action];
  const reasons = [...new Set(refusals)].map((refusal) => {
    const count = refusals.filter((other) => other === refusal).length;
    return `${count} ${bulkRefusalText(refusal, count)}`;
  });
  if (doneCount + refusals.length === 0) return nothingSelected;
  const failed = `${refusals.length} couldn’t be ${done}: ${reasons.join(", ")}.`;
  if (doneCount === 0)
    return `${recordsLabel(action, refusals.length)} couldn’t be ${done}: ${reasons.join(", ")}.`;
  const succeeded = `${recordsLabel(action, doneCount)} ${done}`;
  return refusals.length === 0 ? succeeded : `${succeeded}. ${failed}`;
}
