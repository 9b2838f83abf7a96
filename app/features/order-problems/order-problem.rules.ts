import { brand } from "#app/brand.ts";
import type {
  OrderStage,
  ProblemKind,
  ProblemOffer,
  ProblemState,
  ProblemStepKind,
  ReviewRole,
} from "#app/db/values.ts";
import { market } from "#app/market.ts";

/** What the two sides of a problem can do; it depends on who opened it, and on its state. */
export const problemAnswers = ["offer", "accept", "decline", "ask", "close"] as const;
export type ProblemAnswer = (typeof problemAnswers)[number];

/** What moderators decide: the ends of a problem. */
export const problemDecisions = ["returned", "solved", "refused"] as const;
export type ProblemDecision = (typeof problemDecisions)[number];

/** The answers of a side in each state that is not an end. */
export const allowedAnswers = (state: ProblemState, isOpener: boolean): readonly ProblemAnswer[] =>
  answers[isOpener ? "opener" : "other"][state] ?? [];

const answers: Record<"opener" | "other", Partial<Record<ProblemState, ProblemAnswer[]>>> = {
  opener: {
    open: ["ask", "close"],
    offered: ["accept", "decline", "ask", "close"],
    "with moderators": ["close"],
  },
  other: { open: ["offer", "ask"], offered: ["ask"] },
};

/** The step that an answer adds. */
export const stepOf: Record<ProblemAnswer, ProblemStepKind> = {
  offer: "offered",
  accept: "accepted",
  decline: "declined",
  ask: "asked moderators",
  close: "closed",
};

const kindLabels: Record<ReviewRole, Partial<Record<ProblemKind, string>>> = {
  buyer: {
    "not arrived": "I haven’t received it",
    "not as described": "It isn’t as described",
    "something missing": "Something is missing",
    defect: `It has a defect (${market.warranty.short})`,
    "other terms": "The seller asks for other terms",
  },
  seller: { "not paid": "The buyer hasn’t paid", "other terms": "The buyer asks for other terms" },
};

/** The kinds of problems that a side can open, with their labels; some need a device that was handed over. */
export function problemChoices(role: ReviewRole, stage: OrderStage) {
  const before: ProblemKind[] = ["not arrived", "other terms", "not paid"];
  return (Object.entries(kindLabels[role]) as [ProblemKind, string][])
    .filter(([kind]) => stage !== "reserved" || before.includes(kind))
    .map(([value, label]) => ({ value, label }));
}

const kindNames: Record<ProblemKind, string> = {
  "not arrived": "Not arrived",
  "not as described": "Not as described",
  "something missing": "Something is missing",
  defect: "Defect",
  "other terms": "Asked for other terms",
  "not paid": "Not paid",
};

export function problemName(kind: ProblemKind): string {
  return kindNames[kind];
}

/** What the side that answers can offer. */
export function offerChoices(openedBy: ReviewRole, isReserved: boolean) {
  const back = { value: "return" as const, label: offerLabel("return", isReserved), description: backHint };
  const other = {
    value: "something else" as const,
    label: offerLabel("something else", isReserved),
    description: "Say what you’ll do, and by when. The order goes on.",
  };
  if (openedBy === "seller" || isReserved) return [back, other];
  const ofSeller = [
    {
      value: "part refund" as const,
      label: offerLabel("part refund", isReserved),
      description: "Say how much you pay back, and how. The buyer keeps the device.",
    },
    {
      value: "repair" as const,
      label: offerLabel("repair", isReserved),
      description: "Say who repairs it, by when, and who pays.",
    },
  ];
  return [back, ...ofSeller, other];
}

const backHint = `The order ends, and the device goes back to the seller. You settle the money yourselves: ${brand.name} doesn’t hold it.`;

export function offerLabel(offer: ProblemOffer, isReserved: boolean): string {
  if (offer === "return") return isReserved ? "Cancel the order" : "Return and refund";
  return { "part refund": "Partial refund", repair: "Repair it", "something else": "Something else" }[offer];
}

/** Who has to act in a state: the side that opened the problem, the other one, or the moderators; null after the end. */
export function whoActs(state: ProblemState): "opener" | "other" | "moderators" | null {
  if (state === "open") return "other";
  if (state === "offered") return "opener";
  return state === "with moderators" ? "moderators" : null;
}

/** The state of a problem and the next step with its date. @param role the viewer's */
export function problemStatusText(
  { state, openedBy }: { state: ProblemState; openedBy: ReviewRole },
  role: ReviewRole | "moderator",
  day: string,
): string {
  const ended = endTexts[state];
  if (ended) return ended;
  const acts = whoActs(state);
  if (acts === "moderators") {
    return role === "moderator" ? `Decide by ${day}.` : `${brand.name} decides by ${day} and tells you both.`;
  }
  const actor = (acts === "opener") === (openedBy === "buyer") ? "buyer" : "seller";
  const what = acts === "opener" ? "accept or decline the offer" : "answer";
  const then = `After that, ${brand.name} decides.`;
  if (actor === role) return `${what[0]?.toUpperCase()}${what.slice(1)} by ${day}. ${then}`;
  return `The ${actor} has until ${day} to ${what}. ${then}`;
}

const endTexts: Partial<Record<ProblemState, string>> = {
  solved: "Solved. The order goes on.",
  returned: "Settled: the order has ended, and the device goes back to the seller.",
  refused: `${brand.name} decided that the order goes on as it is.`,
};

/** Follow the name of the problem. */
export const stateLabels: Record<ProblemState, string> = {
  open: "waiting for an answer",
  offered: "offer made",
  "with moderators": `${brand.name} decides`,
  solved: "solved",
  returned: "returned",
  refused: "refused",
};

const stepLabels: Record<ProblemStepKind, string> = {
  opened: "Problem opened",
  offered: "Offer",
  accepted: "Offer accepted",
  declined: "Offer declined",
  "asked moderators": `${brand.name} asked to decide`,
  closed: "Marked as solved",
  decided: "Decision",
};

export function problemStepLabel(kind: ProblemStepKind): string {
  return stepLabels[kind];
}

export const decisionChoices: { value: ProblemDecision; label: string; description: string }[] = [
  {
    value: "returned",
    label: "End the order",
    description:
      "The device goes back to the seller, who can list it again. Say who returns what, and by when.",
  },
  {
    value: "solved",
    label: "Settle it, the order goes on",
    description: "Say what each side does, such as a part refund or a repair.",
  },
  { value: "refused", label: "No problem, the order goes on", description: "Say why." },
];

/** Why a problem is not opened, answered or decided. */
export const problemRefusals = {
  "problem open": "This order has an open problem already.",
  cancelled: "This order has been cancelled.",
  "too late": "The year to open a problem has passed.",
  "not yet": "You can choose this once the device has been handed over.",
  "not open": "This problem has ended.",
  changed: "Something has changed since. Check what’s new, then answer again.",
  "not now": "It’s not your turn, or this isn’t possible right now.",
  "no offer": "Choose what you offer.",
  "own order": "This is your own order, so somebody else decides.",
};
export type ProblemRefusal = keyof typeof problemRefusals;
