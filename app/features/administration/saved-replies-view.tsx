import { getFormProps, getInputProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, type ShouldRevalidateFunctionArgs, useFetcher } from "@remix-run/react";
import { useEffect, useId, useRef } from "react";
import { unlessRefused } from "#app/server/forms/refused-form.ts";
import { undoMinutes } from "#app/terms.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { formErrorsOf, type RefusedAction } from "#app/ui/error-box.tsx";
import { Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { ShortMessageIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { quietButton } from "#app/ui/row-action.tsx";
import { UndoButton } from "#app/ui/undo-button.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import type { listSavedReplies, ReplyTitle } from "./saved-replies.server.ts";
import { insertButton, savedReplySchema } from "./saved-reply.schema.ts";

type SavedReply = SerializeFrom<Awaited<ReturnType<typeof listSavedReplies>>[number]>;

/** Keeps a page's data when a reply is inserted, since a change of it could reset the form. Routes export it as `shouldRevalidate`. */
export function unlessInserted(args: ShouldRevalidateFunctionArgs): boolean {
  return !args.formData?.has(insertButton) && unlessRefused(args);
}

/** @param reply the one that is changed; null for a new one */
export function SavedReplyForm({
  reply,
  account,
  formKey,
  lastResult,
}: {
  reply: SavedReply | null;
  account: string;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(savedReplySchema, {
    id: "reply",
    lastResult,
    defaultValue: reply
      ? { ...reply, replyId: reply.id, changedAt: String(new Date(reply.changedAt).getTime()) }
      : {},
    shouldValidate: "onSubmit",
  });
  const hidden = [fields.replyId, fields.changedAt].map((field) => getInputProps(field, { type: "hidden" }));
  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid max-w-xl gap-5">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="formKey" value={formKey} />
      <input type="hidden" name="intent" value="save" />
      {/* Without them, what was typed about a reply that is deleted now becomes a new one. */}
      {reply && hidden.map(({ key, ...input }) => <input key={key} {...input} />)}
      <FormErrors form={form} labels={{ title: "Title", text: "Text" }} />
      <Field field={fields.title} label="Title" hint="Only staff sees it." />
      <TextAreaField
        field={fields.text}
        label="Text"
        rows={6}
        hint="Write {name} for the person’s name and {device} for the device. We fill them in when you insert the text."
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton pending={{ formKey }} className="btn-primary">
          {reply ? "Save changes" : "Add saved reply"}
        </SubmitButton>
        {reply && (
          <Link to="/manage/replies" className="btn btn-outline">
            Cancel
          </Link>
        )}
      </div>
    </Form>
  );
}

export function SavedReplyList({ replies }: { replies: SavedReply[] }) {
  if (replies.length === 0) {
    return (
      <EmptyState
        icon={<ShortMessageIcon className="size-10" />}
        title="No saved replies yet"
        text="Save what you write often, and insert it into decisions and answers."
      />
    );
  }
  return (
    <ul className="divide-y divide-base-300 border-y border-base-300">
      {replies.map(({ id, title, text }) => (
        <li key={id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4">
          <div className="min-w-0 flex-1 basis-72">
            <h3 className="font-medium wrap-anywhere">
              <bdi>{title}</bdi>
            </h3>
            <p dir="auto" className="mt-1 line-clamp-3 text-sm wrap-anywhere whitespace-pre-line text-quiet">
              {text}
            </p>
          </div>
          <div className="flex gap-2">
            <Link
              to={`/manage/replies?edit=${id}`}
              aria-label={`Edit ${title}`}
              className="btn btn-outline btn-sm"
            >
              Edit
            </Link>
            <ConfirmPopover
              id={`delete-${id}`}
              label="Delete"
              className={`btn-sm ${quietButton}`}
              question={`Delete “${title}”?`}
              text={`Nobody can insert it anymore. What it was used for stays as it is. You can undo it for ${undoMinutes} minutes.`}
            >
              <Form method="post">
                <input type="hidden" name="intent" value="delete" />
                <input type="hidden" name="_id" value={id} />
                <SubmitButton pending={{ _id: id }} description={title} className="btn-primary">
                  Delete
                </SubmitButton>
              </Form>
            </ConfirmPopover>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What the viewer can bring back, also after its toast is gone. */
export function DeletedReplyList({ replies }: { replies: { removalId: string; title: string }[] }) {
  return (
    <ul className="divide-y divide-base-300 border-y border-base-300">
      {replies.map(({ removalId, title }) => (
        <li key={removalId} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
          <bdi className="min-w-0 wrap-anywhere">{title}</bdi>
          <UndoButton id={removalId} target={title} />
        </li>
      ))}
    </ul>
  );
}

/**
 * Offers the saved replies above a text of the form that it stands in. Inserting returns the form with the reply after
 * what was typed; with JavaScript the rest of the page stays.
 *
 * @param textId the id of the text area
 */
export function InsertReply({ replies, textId }: { replies: ReplyTitle[]; textId: string }) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const fetcher = useFetcher<RefusedAction & { inserted?: string }>();
  const { inserted } = fetcher.data ?? {};
  const isIdle = fetcher.state === "idle";
  useEffect(() => {
    const area = document.getElementById(textId);
    // The reply comes with what was typed before, and takes its place.
    if (area instanceof HTMLTextAreaElement) area.readOnly = !isIdle;
  }, [isIdle, textId]);
  useEffect(() => {
    const area = document.getElementById(textId);
    if (inserted === undefined || !(area instanceof HTMLTextAreaElement)) return;
    area.value = inserted;
    area.dispatchEvent(new Event("input", { bubbles: true }));
    area.focus();
    if (select.current) select.current.value = "";
  }, [fetcher.data, textId]);
  if (replies.length === 0) {
    return (
      <p className="text-sm text-quiet">
        Do you write this often?{" "}
        <Link to="/manage/replies" className="link">
          Add a saved reply
        </Link>
      </p>
    );
  }
  const [error] = formErrorsOf(fetcher.data);
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        Saved reply
      </label>
      <div className="flex gap-3">
        <select id={id} ref={select} name="reply" className="select min-w-0 flex-1">
          <option value="">Choose…</option>
          {replies.map((reply) => (
            <option key={reply.id} value={reply.id}>
              {reply.title}
            </option>
          ))}
        </select>
        <button
          type="submit"
          name={insertButton}
          value="yes"
          formNoValidate
          formAction={`#${textId}`}
          className="btn btn-outline"
          onClick={(event) => {
            const { form } = event.currentTarget;
            if (!form) return;
            event.preventDefault();
            // Not with the button as second argument, which browsers of 2022 ignore.
            const data = new FormData(form);
            data.set(insertButton, "yes");
            fetcher.submit(data, { method: "post" });
          }}
        >
          Insert
        </button>
      </div>
      {error && (
        <p role="alert" className="mt-1 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}
