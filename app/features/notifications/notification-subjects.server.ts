import { brand } from "#app/brand.ts";
import type { CancelCause, NotificationDetails, NotificationKind, TargetKind } from "#app/db/enums.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { moderatorDecisions, reversedText } from "../moderation/decisions/decision.rules.ts";
import { reasonText, targetLabel, targetLabelForOwner } from "../moderation/reports/content-report.rules.ts";
import { problemName, problemScope } from "../order-problems/order-problem.rules.ts";
import {
  problemOfferLabel,
  problemStateLabel,
  problemStepLabel,
} from "../order-problems/order-problem-texts.ts";
import { parcelText } from "../orders/order-texts.ts";
import { alarmText } from "./alarm-text.ts";
import { notificationText } from "./notification-texts.ts";
import { workText } from "./work-text.ts";

/** The sentence of a notification in a list, which says if its event has been undone. */
export function notificationLine(
  kind: NotificationKind,
  subject: string,
  details: NotificationDetails | null,
  author: string | null = null,
): string {
  const text = notificationText(kind, subjectText(subject, details), author);
  if (isLastOffer(details)) return `${text} ${lastOfferText}`;
  return details && "takenBack" in details ? `${text} We’ve taken this back.` : text;
}

export const lastOfferText = "That was your last offer for this device.";

/** Whether it tells a buyer that the last offer that they could make for a device was declined. */
export const isLastOffer = (details: NotificationDetails | null) =>
  details !== null && "isLast" in details && details.isLast === true;

/** What a notification is about, with its details in words: "Pixel 7 ($279)". */
export function subjectText(subject: string, details: NotificationDetails | null): string {
  if (!details) return subject;
  if ("offeredCents" in details) return `${subject} (${priceLabel(details.offeredCents)})`;
  if ("refundedCents" in details) return `${subject} (${priceLabel(details.refundedCents)})`;
  if ("releasedCents" in details) return `${subject} (${priceLabel(details.releasedCents)})`;
  if ("oldCents" in details)
    return `Now ${priceLabel(details.cents)}, was ${priceLabel(details.oldCents)}: ${subject}`;
  if ("parcelService" in details) return `${subject} is on its way with ${parcelText(details)}`;
  if ("backOnFor" in details) return `${subject} (the bank gave us the money back)`;
  if ("cancelledFor" in details) return `${subject} (${cancelCauseTexts[details.cancelledFor]})`;
  if ("decision" in details) return decisionText(subject, details);
  if ("matches" in details) return matchesText(subject, details);
  if ("urgent" in details) return urgentText(subject, details);
  if ("waiting" in details) return workText(details.waiting);
  if ("alarms" in details) return alarmText(details.alarms, details.figures);
  if ("takenBack" in details) return subject;
  return `${subject}: ${problemText(details).toLowerCase()}`;
}

const cancelCauseTexts: Record<CancelCause, string> = {
  "seller suspended": "the seller is suspended",
  "reader suspended": "your account is suspended",
  "buyer barred": "the buyer can’t go on",
  "seller left": "the seller has left",
  "buyer left": "the buyer has left",
  "not paid in time": "not paid in time",
};

type DetailsOf<Name extends string> = Extract<NotificationDetails, Record<Name, unknown>>;

function problemText(details: DetailsOf<"problem"> | DetailsOf<"problemStep">): string {
  if ("problemStep" in details)
    return details.problemStep === "listed again"
      ? details.problemStep
      : problemStepLabel(details.problemStep, brand.name);
  const { problem } = details;
  if ("problemOffer" in details)
    return problemOfferLabel(details.problemOffer, problemScope(problem, details.stage));
  if ("problemDecision" in details)
    return problemStateLabel(details.problemDecision, problemScope(problem, details.stage));
  return details.openedBy ? `${problemName(problem)}, says the ${details.openedBy}` : problemName(problem);
}

function decisionText(subject: string, details: DetailsOf<"decision">): string {
  const { decision, days, reversed, targetKind, answersAppeal } = details;
  // The device of a message or review, too, except in earlier rows.
  const about =
    subject && (targetKind === "message" || targetKind === "review") ? ` about the ${subject}` : "";
  // The earliest rows have no kind, but a subject in words.
  const target = targetKind ? `${targetLabelForOwner(targetKind, subject, "your")}${about}` : subject;
  if (reversed && targetKind) {
    const text = reversedText(reversed, targetKind);
    return reversed === "suspend" || targetKind !== "listing" ? text : `${text}: ${target}`;
  }
  const named = decision === "suspend" ? suspensionCause(targetKind, target) : target;
  const news = (decision !== "hold" && moderatorDecisions[decision].news?.(named, days)) || target;
  return answersAppeal ? `${news}. That’s our answer to your appeal` : news;
}

/** @param targetKind unknown of earlier rows, which may be about the account itself */
function suspensionCause(targetKind: TargetKind | undefined, target: string): string {
  if (!targetKind || targetKind === "seller") return "";
  return targetKind === "listing" ? `your listing: ${target}` : target;
}

/** Earlier rows have no kind, but a subject in words. */
function urgentText(subject: string, { urgent, targetKind }: DetailsOf<"urgent">): string {
  return `${reasonText(urgent).toLowerCase()}, ${targetKind ? targetLabel(targetKind, subject) : subject}`;
}

/** @param name of the first of the searches */
function matchesText(name: string, { matches, searches }: DetailsOf<"matches">): string {
  const devices =
    searches > 1
      ? "new or cheaper devices"
      : `${matches} new or cheaper ${matches === 1 ? "device" : "devices"}`;
  const others = searches === 1 ? "" : ` and ${searches - 1} more ${searches === 2 ? "search" : "searches"}`;
  return `${devices} for "${name}"${others}`;
}
