import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { DecisionKind } from "#app/db/enums.ts";
import { purgeAfterDays } from "#app/terms.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { suspendedMoneyText } from "../../payments/payout-texts.ts";
import { QuotedText } from "../case-section.tsx";
import { targetLabelForOwner } from "../reports/content-report.rules.ts";
import { refusedWhileSuspended, reversedText, suspensionEndText } from "./decision.rules.ts";
import { appealSchema } from "./decision.schema.ts";
import type { OwnDecision } from "./own-decisions.server.ts";

/** Of decisions that have ended. */
const pastTitles: Record<DecisionKind, string> = {
  dismiss: "",
  hide: "was hidden",
  remove: "was removed",
  warn: "You were warned",
  suspend: "Your account was suspended",
  hold: "was waiting for approval",
  approve: "was approved",
  uphold: "Decision upheld",
  reverse: "A decision was reversed",
};

const titles: Record<DecisionKind, string> = {
  dismiss: "",
  hide: "is hidden",
  remove: "has been removed",
  warn: "We warned you",
  suspend: "Your account is suspended",
  hold: "is waiting for approval",
  approve: "is approved and on sale",
  uphold: "Decision upheld",
  reverse: "A decision has been reversed",
};

/** A decision as its owner sees it, with the form of the appeal as children. */
export function OwnDecisionView({
  decision,
  children,
}: {
  decision: SerializeFrom<OwnDecision>;
  children: ReactNode;
}) {
  const { dayLabel } = useDateLabels();
  const { kind, targetKind, target, reason, until, createdAt, endedAt, appeal, ruling, canAppeal } = decision;
  const isAboutContent = ["hide", "remove", "hold", "approve"].includes(kind);
  const title = (endedAt ? pastTitles : titles)[kind];
  const content = targetLabelForOwner(targetKind, target, "Your");
  return (
    <div className="max-w-2xl">
      <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">
        {isAboutContent ? `${content} ${title}` : title}
        {kind === "suspend" && !endedAt && ` ${suspensionEndText(until, dayLabel)}`}
      </h1>
      <p className="mt-2 text-quiet">
        <time dateTime={createdAt}>{dayLabel(createdAt)}</time>
        {kind === "warn" && targetKind === "listing" && <span className="wrap-anywhere"> for {target}</span>}
      </p>
      {endedAt && kind !== "approve" && (
        <p className="mt-6 rounded-box bg-base-200 px-4 py-3 font-medium">This is no longer in effect.</p>
      )}
      <p className="mt-6 text-pretty">{explain(decision)}</p>
      {decision.holdsMoney && <p className="mt-2 text-pretty">{suspendedMoneyText(until, dayLabel)}</p>}
      {reason && <TitledText title="The moderator’s reason" text={reason} />}
      {appeal && <TitledText title="Your appeal" text={appeal} />}
      <Ruling decision={decision} />
      {appeal && !ruling && <p className="mt-6 text-quiet">{waitingText(decision)}</p>}
      {canAppeal && (
        <section aria-labelledby="appeal-title" className="mt-10">
          <h2 id="appeal-title" className="mb-4 text-xl font-semibold">
            Appeal
          </h2>
          {children}
        </section>
      )}
    </div>
  );
}

/** What became of the decision. One that replaces it has a page of its own. */
function Ruling({ decision }: { decision: SerializeFrom<OwnDecision> }) {
  const { kind, targetKind, endedAt, appeal, ruling } = decision;
  if (!ruling) return null;
  if (ruling.kind === "uphold")
    return <TitledText title="A moderator upheld the decision" text={ruling.reason} />;
  if (ruling.kind === "reverse")
    return (
      <>
        <p className="mt-6 font-medium">
          {endedAt === ruling.createdAt ? `${reversedText(kind, targetKind)}.` : "We made a mistake."}
        </p>
        <TitledText title="A moderator has reversed the decision" text={ruling.reason} />
      </>
    );
  return (
    <p className="mt-6 font-medium">
      {appeal ? "A new decision answers your appeal" : "A new decision has replaced this one"}.{" "}
      <Link to={`/manage/decisions/${ruling.id}`} className="link">
        Read the new decision
      </Link>
    </p>
  );
}

/** What happens with an appeal that nobody has answered. */
function waitingText({ until, endedAt }: SerializeFrom<OwnDecision>): string {
  if (!endedAt) return "A moderator will read it and let you know.";
  return until && until <= endedAt
    ? "Your suspension ended before a moderator answered, so your appeal is closed."
    : "We took the decision back, so your appeal is closed.";
}

function explain({ kind, targetKind, endedAt, canAppeal }: SerializeFrom<OwnDecision>): string {
  const isMessage = kind === "hide" && targetKind === "message";
  if (endedAt) return isMessage ? pastHiddenMessage : pastExplanations[kind];
  const invitation = canAppeal ? (invitations[kind] ?? "") : "";
  return `${isMessage ? hiddenMessage : explanations[kind]} ${invitation}`.trim();
}

/** What the owner can do about it. */
const invitations: Partial<Record<DecisionKind, string>> = {
  hide: "Think that’s a mistake? You can appeal.",
  remove: `Think that’s a mistake? You can appeal within ${purgeAfterDays} days. Then it’s erased.`,
};

const explanations: Record<DecisionKind, string> = {
  dismiss: "",
  hide: "Nobody sees it anymore.",
  remove: "Nobody sees it anymore.",
  warn: "Nothing is hidden. If it happens again, we may hide what you publish or suspend your account.",
  suspend: `You can’t ${refusedWhileSuspended}, your listings are hidden, and we cancel what you’ve only reserved. You can still log in, read, and finish your other orders.`,
  hold: "We review the first listing of each new seller before it goes on sale. You don’t need to do anything, but you can add photos in the meantime.",
  approve: "We’ve checked your listing. Everyone can see it now.",
  uphold: "A moderator has read your appeal.",
  reverse: "Whatever we hid is back, and any suspension is over.",
};

/** Of decisions that have ended. */
const pastExplanations: Record<DecisionKind, string> = {
  dismiss: "",
  hide: "Nobody could see it.",
  remove: "Nobody could see it.",
  warn: "Nothing was hidden.",
  suspend: `You couldn’t ${refusedWhileSuspended}, and your listings were hidden.`,
  hold: "We review the first listing of each new seller before it goes on sale.",
  approve: "A moderator took back the approval.",
  uphold: "A moderator took back the answer to your appeal.",
  reverse: "A moderator undid that, so the decision stands again.",
};

const hiddenMessage = "It’s hidden from both of you.";

const pastHiddenMessage = "It was hidden from both of you.";

function TitledText({ title, text }: { title: string; text: string }) {
  return (
    <section className="mt-6">
      <h2 className="font-semibold">{title}</h2>
      <QuotedText text={text} />
    </section>
  );
}

/** The owner's appeal against a decision. */
export function AppealForm({
  account,
  lastResult,
}: {
  account: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(appealSchema, {
    id: "appeal",
    lastResult,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ appeal: "Your appeal" }} />
      <TextAreaField
        field={fields.appeal}
        label="Your appeal"
        rows={6}
        hint="A moderator reads it and decides again. You can appeal once."
      />
      <SubmitButton className="btn-primary justify-self-start">Send appeal</SubmitButton>
    </Form>
  );
}
