// Values of enum columns, separate from the tables so that the browser can import them.

export * from "./device-enums.ts";

/** The roles that people choose when they sign up. */
export const signUpRoles = ["Buyer", "Seller"] as const;
export type SignUpRole = (typeof signUpRoles)[number];

export const roles = [...signUpRoles, "Admin"] as const;
export type Role = (typeof roles)[number];

/** The tabs of My Sells with listings; drafts are no listings yet. */
export const sellingTabs = ["for sale", "to hand over", "handed over", "sold", "not listed"] as const;
export type SellingTab = (typeof sellingTabs)[number];

/** Where an import of listings stands. "stopped" is one whose seller was suspended before its end. */
export const importStates = ["checked", "applying", "applied", "undoing", "undone", "stopped"] as const;
export type ImportState = (typeof importStates)[number];

/** What a row of an import is to do. */
export const importPlans = ["wrong", "created", "changed", "unchanged"] as const;
export type ImportPlan = (typeof importPlans)[number];

/** What became of it; "kept" was not taken back by the undo. */
export const importResults = ["done", "refused", "undone", "kept"] as const;
export type ImportResult = (typeof importResults)[number];

export const orderStages = ["reserved", "handed over", "received"] as const;
export type OrderStage = (typeof orderStages)[number];

/** Events of an order; "reinstated" undoes a cancellation. A handover or a receipt that is undone loses its step. */
export const orderStepKinds = [
  ...orderStages,
  "handover undone",
  "receipt undone",
  "extended",
  "delivery changed",
  "cancelled",
  "reinstated",
  "rebooking allowed",
  "returned",
  "given back",
  "listed again",
  "payout decided",
] as const;
export type OrderStepKind = (typeof orderStepKinds)[number];

/** Who makes an offer: a buyer, or the seller as a counteroffer. */
export const offerSides = ["buyer", "seller"] as const;
export type OfferSide = (typeof offerSides)[number];

export const offerAnswers = ["accepted", "refused", "withdrawn", "countered"] as const;
export type OfferAnswer = (typeof offerAnswers)[number];

/** The role in an order of a review's author. */
export const reviewRoles = ["buyer", "seller"] as const;
export type OrderSide = (typeof reviewRoles)[number];

/** What a problem with an order is about. */
export const problemKinds = [
  "not arrived",
  "not as described",
  "something missing",
  "defect",
  "changed mind",
  "other terms",
  "not paid",
  "not refunded",
  "not returned",
  "bank dispute",
] as const;
export type ProblemKind = (typeof problemKinds)[number];

/** Who opens a problem: a side, or Ringback itself. */
export const problemOpeners = [...reviewRoles, "system"] as const;
export type ProblemOpener = (typeof problemOpeners)[number];

/** The last three are ends. */
export const problemStates = ["open", "offered", "with moderators", "solved", "returned", "refused"] as const;
export type ProblemState = (typeof problemStates)[number];

/** The ends that moderators decide on. */
export const problemDecisions = ["returned", "solved", "refused"] as const satisfies ProblemState[];
export type ProblemDecision = (typeof problemDecisions)[number];

/** How a side offers to settle a problem. Not an offer of a price, which `offers` has. */
export const problemOffers = ["return", "refund", "part refund", "repair", "something else"] as const;
export type ProblemOffer = (typeof problemOffers)[number];

/** "written" changes nothing; "ended" is by the system: the problem ended with its order. */
export const problemStepKinds = [
  "opened",
  "written",
  "offered",
  "accepted",
  "declined",
  "asked moderators",
  "closed",
  "decided",
  "ended",
] as const;
export type ProblemStepKind = (typeof problemStepKinds)[number];

/** How far a seller is with the account that they are paid on. */
export const payoutAccountStates = ["to do", "waiting", "ready", "refused"] as const;
export type PayoutState = (typeof payoutAccountStates)[number];

/** What the payment provider is asked to do with the money of an order. */
export const paymentTaskKinds = ["release", "refund", "take back"] as const;
export type PaymentTaskKind = (typeof paymentTaskKinds)[number];

/** Why. "problem": a problem with the order was settled or decided. */
export const paymentCauses = [
  "paid too late",
  "cancelled",
  "received",
  "approved",
  "problem",
  "staff",
  "dispute",
] as const;
export type PaymentCause = (typeof paymentCauses)[number];

/** What has happened to the money of an order. */
export const ledgerKinds = ["charged", "released", "refunded", "taken back", "fee"] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

export const oneTimeTokenPurposes = [
  "recovery",
  "verification",
  "address change",
  "passkey registration",
  "passkey login",
] as const;
export type OneTimeTokenPurpose = (typeof oneTimeTokenPurposes)[number];

/** Emails about an account: three with a link that works once, and those that tell of a change of its credentials. */
export const accountEmailKinds = [
  "recovery",
  "verification",
  "address change",
  "address changed",
  "password changed",
  "password reset",
  "passkey added",
  "passkey removed",
  "token created",
  "Google linked",
] as const;
export type AccountEmailKind = (typeof accountEmailKinds)[number];

/** What a personal access token allows; "write" includes reading. */
export const tokenScopes = ["read", "write"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** News about a saved listing: it is cheaper, cannot be bought any more, or can be again. */
export const savedListingNews = ["price drop", "saved listing gone", "saved listing back"] as const;

/** Events that users are notified of, on `/manage/notifications` and by email. */
export const notificationKinds = [
  "order placed",
  "booked",
  "cancelled",
  "cancelled by system",
  "reinstated",
  "rebooking allowed",
  "handed over",
  "shipped",
  "handover undone",
  "received",
  "receipt undone",
  "received by system",
  "hand over reminder",
  "receive reminder",
  "extended",
  "seller suspended",
  "seller back",
  "delivery details changed",
  "problem opened",
  "problem offer",
  "problem answer",
  "problem message",
  "problem due",
  "problem with moderators",
  "problem decided",
  "payment disputed",
  "refunded",
  "paid out",
  "message",
  "offer made",
  "offer countered",
  "offer accepted",
  "counteroffer accepted",
  "offer refused",
  "counteroffer refused",
  "offer withdrawn",
  "counteroffer withdrawn",
  "offer lost",
  "offer listing gone",
  "offer ended",
  "review invitation",
  "review",
  "review reply",
  ...savedListingNews,
  "search match",
  "verification",
  "appointment",
  "withdrawal",
  "decision",
  "cases waiting",
  "urgent case",
  "system alarm",
  "from us",
] as const;

export type NotificationKind = (typeof notificationKinds)[number];

/** Why an order was cancelled by itself, as its reader is concerned. */
export type CancelCause =
  | "seller suspended"
  | "reader suspended"
  | "buyer barred"
  | "seller left"
  | "buyer left"
  | "not paid in time";

/** What waits for staff. */
export type WorkKind =
  | "reports"
  | "appeals"
  | "first-listings"
  | "signals"
  | "order-problems"
  | "tickets"
  | "payments"
  | "disputes"
  | "differences"
  | "sellers";

/** What a notification says beside its subject. The words are made where it is shown. */
export type NotificationDetails =
  | { offeredCents: number; isLast?: boolean }
  | { refundedCents: number }
  | { releasedCents: number }
  | { cents: number; oldCents: number }
  | { parcelService: string; trackingNumber: string | null }
  | { cancelledFor: CancelCause }
  | { backOnFor: "bank" }
  | { problem: ProblemKind; openedBy?: OrderSide }
  | { problemStep: ProblemStepKind | "listed again" }
  | { problemOffer: ProblemOffer; problem: ProblemKind; stage: OrderStage }
  | { problemDecision: ProblemState; problem: ProblemKind; stage: OrderStage }
  | ({ decision: DecisionKind; days?: string } & Partial<DecisionContext & TakenBack>)
  | { matches: number; searches: number }
  | { urgent: ContentReportReason | "overdue order problem"; targetKind?: TargetKind }
  | { waiting: { [kind in WorkKind]?: number } }
  | { alarms: SystemAlarm[]; figures?: Partial<Record<SystemAlarm, number>> }
  | TakenBack;

/** What administrators are told of by the scheduled jobs. */
const systemAlarms = ["jobs", "emails", "backup", "errors"] as const;
export type SystemAlarm = (typeof systemAlarms)[number];

/** What a decision is about that replaces, or ends, another one. */
interface DecisionContext {
  /** Of the decision that a reversal has ended. */
  reversed: DecisionKind;
  targetKind: TargetKind;
  answersAppeal: true;
}

/** Staff has undone what the notification says. */
interface TakenBack {
  takenBack: true;
}

/**
 * Kinds that change neither a state nor a duty: a person has one unread notification of these for a page, and one email.
 * Each event of another kind goes out.
 */
export const bundledNotificationKinds: NotificationKind[] = ["message", "problem message"];

/** Kinds of what staff can undo: their emails wait until that is over. */
export const undoableKinds: NotificationKind[] = [
  "decision",
  "seller suspended",
  "seller back",
  "verification",
  "appointment",
  "withdrawal",
];

/** What became of the email of a notification: it was sent, or why not. "too late": it could not be sent within a day. */
export const emailOutcomes = [
  "sent",
  "account deleted",
  "address not confirmed",
  "switched off",
  "read before",
  "undone",
  "order over",
  "too late",
] as const;
export type EmailOutcome = (typeof emailOutcomes)[number];

/** Who reads an announcement. */
export const announcementAudiences = ["all", "sellers"] as const;

/** When the owner of a saved search is notified of new matches. */
export const alertFrequencies = ["at once", "daily", "never"] as const;

/** What can be reported to moderators. */
export const targetKinds = ["listing", "seller", "review", "message"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** Why something is reported to moderators. */
export const contentReportReasons = [
  "stolen",
  "misleading",
  "other payment",
  "offensive",
  "duplicate",
  "something else",
  "fraud",
  "impersonation",
  "offensive behavior",
  "spam",
  "not of purchase",
  "false review",
  "threats",
] as const;
export type ContentReportReason = (typeof contentReportReasons)[number];

/** Hints for moderators, as lists name them. */
export type SignalKind =
  | "many reservations"
  | "same text"
  | "low price"
  | "known IMEI"
  | "contact details"
  | "same message"
  | "warned messages"
  | "many accounts"
  | "one partner"
  | "partner at address";

/** What a moderator decides; "hold" stands for a first listing that waits for approval. */
export const decisionKinds = [
  "dismiss",
  "hide",
  "remove",
  "warn",
  "suspend",
  "hold",
  "approve",
  "uphold",
  "reverse",
] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** Where a support ticket stands. */
export const ticketStates = ["open", "answered", "closed"] as const;
export type TicketState = (typeof ticketStates)[number];

/** What staff writes internal notes about. */
export const noteSubjectKinds = ["user", "listing", "order", "report"] as const;
export type NoteSubjectKind = (typeof noteSubjectKinds)[number];

/** What a version of a page is: visitors see the newest that is not a draft, unless it is "unpublished". */
export const pageStates = ["draft", "published", "unpublished"] as const;

/** What the blogs list, and everything else. */
export const pageKinds = ["page", "post"] as const;
export type PageKind = (typeof pageKinds)[number];

/** What the activity log records. */
export const activityActions = [
  "verified seller",
  "deleted user",
  "deleted listing",
  "deleted order",
  "deleted report",
  "undid deletion",
  "ended sessions",
  "changed address",
  "exported table",
  "searched contact data",
  "wrote to user",
  "announced",
  "ended announcement",
  "published page",
  "unpublished page",
  "dismissed reports",
  "dismissed signals",
  "hid content",
  "removed listing",
  "warned user",
  "suspended user",
  "approved listing",
  "upheld decision",
  "reversed decision",
  "decided order problem",
  "dropped decision",
  "undid decision",
  "undid verification",
  "appointed moderator",
  "withdrew moderator",
  "undid role change",
  "took case",
  "gave back case",
  "answered report",
  "closed report",
  "reopened report",
  "wrote note",
  "added saved reply",
  "changed saved reply",
  "deleted saved reply",
  "merged brands",
  "refunded order",
  "paid suspended seller",
  "sent payment again",
  "settled payment",
] as const;
export type ActivityAction = (typeof activityActions)[number];

/** What the words of an action need beside its target. */
export interface ActivityDetails {
  /** Of what moderators decided about: the target is the name of its device or its owner. */
  targetKind?: TargetKind;
  /** Nobody had reported it. */
  isUnreported?: true;
  /** The kind of a case that was taken or given back. */
  work?: WorkKind;
  /** The brand that another one was merged into. */
  into?: string;
  /** What is paid back to a buyer, and why. */
  amountCents?: number;
  reason?: string;
}
