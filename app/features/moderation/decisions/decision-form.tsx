import { getFormProps, getSelectProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { TargetKind } from "#app/db/enums.ts";
import { EnterButton, SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { ConfirmedValues, FormErrors, LabelledField, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import {
  choicesWithoutReasonText,
  decisionChoice,
  type ModeratorDecisionKind,
  moderatorDecisions,
  type ReversibleDecision,
} from "./decision.rules.ts";
import { decisionSchema } from "./decision.schema.ts";

/** @param choices the decisions that are possible now */
export function DecisionForm({
  targetKind,
  choices,
  lengths,
  reversible,
  account,
  lastDecisionId,
  formKey,
  lastResult,
  asked,
  othersHeld,
  insertReply,
}: {
  targetKind: TargetKind;
  choices: ModeratorDecisionKind[];
  /** Of suspensions. */
  lengths: string[];
  reversible: ReversibleDecision | null;
  account: string;
  /** The newest decision about the target that the page shows. */
  lastDecisionId: string;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
  /** What the moderator is asked to confirm. */
  asked: string[] | undefined;
  /** How many other listings of the owner wait for approval. */
  othersHeld: number;
  /** Offers texts for the field with this id. */
  insertReply: (textId: string) => ReactNode;
}) {
  const [form, fields] = useSchemaForm(decisionSchema, {
    id: "decision",
    lastResult,
    defaultValue: { days: "7" },
  });
  const texts = choices.map((choice) => ({ choice, ...decisionChoice(choice, targetKind, reversible) }));
  const optional = choicesWithoutReasonText(choices);
  const { key: _, ...days } = getSelectProps(fields.days);
  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-5">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="formKey" value={formKey} />
      <input type="hidden" name={fields.lastDecisionId.name} value={lastDecisionId} />
      <EnterButton />
      <ConfirmedValues asked={asked} />
      <FormErrors form={form} labels={{ decision: "Decision", reason: "Reason", days: "Suspend for" }} />
      <ChoiceField
        field={fields.decision}
        label="Decision"
        choices={texts.map(({ choice, label, hint }) => ({
          value: choice,
          label,
          description: hint,
          fields:
            choice === "approve"
              ? othersHeld > 0 && (
                  <label className="flex min-h-6 items-center gap-3">
                    <input
                      type="checkbox"
                      name={fields.others.name}
                      className="size-5 shrink-0 accent-primary"
                    />
                    {othersHeld === 1
                      ? "Approve this seller’s other waiting listing, too"
                      : `Approve this seller’s ${othersHeld} other waiting listings, too`}
                  </label>
                )
              : choice === "suspend" && (
                  <LabelledField id={fields.days.id} label="Suspend for" field={fields.days}>
                    <select {...days} className={`select w-full ${fields.days.errors ? "input-error" : ""}`}>
                      {lengths.map((length) => (
                        <option key={length} value={length}>
                          {length === "permanent"
                            ? "Permanently"
                            : length === "1"
                              ? "1 day"
                              : `${length} days`}
                        </option>
                      ))}
                    </select>
                  </LabelledField>
                ),
        }))}
      />
      {choices.some((choice) => moderatorDecisions[choice].hasReason) && (
        <>
          {insertReply(fields.reason.id)}
          <TextAreaField
            field={fields.reason}
            label="Reason"
            rows={4}
            hint={`The owner reads it.${optional ? ` You don’t need one to ${optional}.` : ""}`}
          />
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton pending={{ intent: "" }} className="btn-primary">
          Save decision
        </SubmitButton>
        <SubmitButton intent="next" className="btn-outline">
          Save and open the next case
        </SubmitButton>
      </div>
    </Form>
  );
}
