import type { FieldMetadata } from "@conform-to/react";
import { Form, useActionData, useBeforeUnload, useBlocker, useRevalidator } from "@remix-run/react";
import { type ChangeEvent, type FormEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { maxUploadMegabytes } from "#app/server/forms/upload-limit.ts";
import { PendingButton } from "#app/ui/button.tsx";
import { fetchOptionalJson } from "#app/ui/fetch-optional-json.ts";
import { rememberFocus } from "#app/ui/focus.ts";
import { useHydrated } from "#app/ui/hydrated.ts";
import { AlertIcon, CheckIcon } from "#app/ui/icons.tsx";
import { fileSizeLabel, maxPhotos, photoLimits, photoLimitTexts, photoTypes } from "./photo.rules.ts";
import { type ListedPhoto, PhotoList } from "./photo-list.tsx";
import type { QueuedPhoto } from "./photo-queue.ts";
import { usePhotoQueue } from "./photo-queue.ts";
import { addedText } from "./photo-refusals.ts";

/** The form to add photos. JavaScript adds a queue of the chosen files with checks, shrinking and progress. */
export function PhotoForm({ remaining, uploadTo }: { remaining: number; uploadTo: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const done = useRef<HTMLParagraphElement>(null);
  const { revalidate, state } = useRevalidator();
  const [statusText, setStatusText] = useState("");
  const [doneText, setDoneText] = useState("");
  const { queue, isSending, isUnfinished, hasSessionEnded, choose, remove, send } = usePhotoQueue(
    uploadTo,
    remaining,
    (added, existing) => {
      if (added + existing === 0) return;
      setDoneText(`${addedText(added, existing)}.`);
      revalidate();
    },
  );

  useEffect(() => done.current?.focus(), [doneText]);

  useEffect(() => {
    // The photos, once they are listed, move the message.
    const { current } = done;
    if (state === "idle" && current === document.activeElement) current?.scrollIntoView({ block: "nearest" });
  }, [state]);

  function takeFiles(files: File[]) {
    choose(files);
    setStatusText("");
    setDoneText("");
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    if (isUnfinished) {
      setStatusText("");
      setDoneText("");
      send();
    } else {
      setStatusText("Choose a photo first.");
      input.current?.focus();
    }
  }

  return (
    <Form
      method="post"
      encType="multipart/form-data"
      className="rounded-box border border-base-300 p-5"
      onSubmit={submit}
    >
      {isUnfinished && <LeaveConfirmation />}
      {remaining > 0 ? (
        <>
          <PhotoInputs id={id} input={input} onChoose={takeFiles} />
          <p id={`${id}-limits`} className="mt-2 text-sm text-quiet">
            {limits} A listing can have {maxPhotos} photos; this one has room for {remaining}
            {remaining < maxPhotos && " more"}. We remove hidden data, such as where a photo was taken.
          </p>
        </>
      ) : (
        <p>This listing has {maxPhotos} photos, the maximum. Remove one to add another.</p>
      )}
      <QueuedPhotos queue={queue} onRemove={remove} input={input} />
      {hasSessionEnded && <EndedSession next="add the photos here" />}
      {doneText && (
        <p ref={done} role="status" tabIndex={-1} className="mt-4 flex gap-2 font-medium text-success">
          <CheckIcon className="mt-0.5 size-5 shrink-0" />
          {doneText}
        </p>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-4">
        {remaining > 0 && (
          <PendingButton isPending={isSending}>{isSending ? "Adding photos…" : "Add photos"}</PendingButton>
        )}
        <p role="status">{statusText}</p>
      </div>
    </Form>
  );
}

/** What can be chosen. JavaScript makes other photos into what the server accepts. */
const limits = (
  <>
    <span className="noscript:hidden">
      JPEG, PNG, WebP or any other photo that your browser can open, of any size.
    </span>
    <span className="hidden noscript:inline">
      {`${photoLimitTexts.types}, up to ${photoLimitTexts.bytes} each and ${maxUploadMegabytes} MB in total.`}
    </span>
  </>
);

/** Chooses the photos of a problem, which its form sends with its fields. JavaScript shrinks them first. */
export function PhotoPicker({ field }: { field: FieldMetadata<unknown> }) {
  const hydrated = useHydrated();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { queue, isReading, choose, remove } = usePhotoQueue("", photoLimits.problem, () => {}, "problem");
  const isWaiting = useHeldSubmit(box, {
    // Unread files may be too large, or of a format that the server does not accept.
    isHeld: isReading,
    isBusy: isReading,
    isComplete: !queue.some(({ state }) => state === "refused"),
  });
  const putFiles = (sent: HTMLInputElement | null) => {
    if (!sent) return;
    const files = new DataTransfer();
    for (const { file, state, body } of queue)
      if (state !== "refused") files.items.add(body ? new File([body], file.name) : file);
    sent.files = files.files;
  };
  return (
    <div ref={box} className="rounded-box border border-base-300 p-5">
      <p className="mb-4">
        Up to {photoLimits.problem} photos, if they show what’s wrong. Only the two of you see them, plus us
        if we have to decide.
      </p>
      <PhotoField field={field} input={input} onChoose={choose} />
      {hydrated && <input ref={putFiles} type="file" name="photos" multiple hidden />}
      <QueuedPhotos queue={queue} onRemove={remove} input={input} />
      <p role="status" className="mt-3 empty:hidden">
        {isWaiting && "We’ll send the form as soon as your photos are ready."}
      </p>
    </div>
  );
}

/** The photos of a draft, and the inputs to add more. JavaScript uploads them as they are chosen. */
export function DraftPhotos({
  field,
  formKey,
  photos,
  onAdded,
}: {
  field: FieldMetadata<unknown>;
  formKey: string;
  photos: ListedPhoto[];
  onAdded: (photos: ListedPhoto[]) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const actionData = useActionData<{ changed?: string }>();
  const [statusText, setStatusText] = useState(actionData?.changed ?? "");
  useEffect(() => setStatusText(actionData?.changed ?? ""), [actionData]);
  const [isListing, setListing] = useState(false);
  const path = `/addphone/photos/${formKey}`;
  const remaining = photoLimits.draft - photos.length;
  const { queue, isSending, isUnfinished, hasSessionEnded, choose, remove, send } = usePhotoQueue(
    path,
    remaining,
    async (added, existing) => {
      if (added + existing === 0) return;
      setListing(true);
      const listed = await fetchOptionalJson<{ photos: ListedPhoto[] }>(path, new AbortController().signal);
      if (listed) onAdded(listed.photos);
      setListing(false);
      setStatusText(`${addedText(added, existing)}.`);
    },
    "draft",
  );
  const isWaiting = useHeldSubmit(box, {
    isHeld: isUnfinished || isListing,
    isBusy: isSending || isListing,
    isComplete: !isUnfinished && !queue.some(({ state }) => state === "refused"),
    // A draft can be saved at the same time.
    holdsIntents: false,
    onHeld: send,
  });
  return (
    <div ref={box} className="rounded-box border border-base-300 p-5">
      <p className="mb-4">
        Up to {photoLimits.draft} photos: front, back and every scratch. The first one is the cover that
        buyers see in lists.
      </p>
      {photos.length > 0 && (
        <div className="mb-5">
          <PhotoList photos={photos} device="your device" editable inForm />
        </div>
      )}
      {remaining > 0 && <PhotoField field={field} input={input} onChoose={choose} />}
      <QueuedPhotos queue={queue} onRemove={remove} input={input} />
      {hasSessionEnded && <EndedSession next="upload the photos here" />}
      {isUnfinished && !isSending && (
        <button type="button" className="btn btn-outline btn-sm mt-4" onClick={send}>
          Upload again
        </button>
      )}
      <p role="status" className="mt-3 empty:hidden">
        {isWaiting ? "We’ll send the form as soon as your photos are ready." : statusText}
      </p>
      {isUnfinished && (
        <>
          <input type="hidden" name="isUploading" value="on" />
          <LeaveConfirmation />
        </>
      )}
    </div>
  );
}

/**
 * Keeps back a form that is submitted before its photos are ready, and then submits it.
 *
 * @param box an element in the form
 */
function useHeldSubmit(
  box: RefObject<HTMLElement>,
  {
    isHeld,
    isBusy,
    isComplete,
    holdsIntents = true,
    onHeld,
  }: {
    isHeld: boolean;
    /** Whether the photos are about to be ready. */
    isBusy: boolean;
    /** False if the user has to look at a file first. */
    isComplete: boolean;
    /** Whether buttons with an intent are held too. */
    holdsIntents?: boolean;
    onHeld?: () => void;
  },
): boolean {
  const [waiting, setWaiting] = useState<{ submitter: HTMLElement | null } | null>(null);
  useEffect(() => {
    const form = box.current?.closest("form");
    if (!isHeld || !form) return;
    const hold = (event: SubmitEvent) => {
      const { submitter } = event;
      // Conform validates by submitting with a hidden button, and submits nothing.
      if (submitter?.hidden || (!holdsIntents && submitter?.getAttribute("name") === "intent")) return;
      event.preventDefault();
      event.stopPropagation();
      setWaiting({ submitter });
      onHeld?.();
    };
    form.addEventListener("submit", hold);
    return () => form.removeEventListener("submit", hold);
  });
  useEffect(() => {
    if (isBusy || !waiting) return;
    setWaiting(null);
    if (isComplete) box.current?.closest("form")?.requestSubmit(waiting.submitter);
  }, [box, isBusy, isComplete, waiting]);
  return waiting !== null;
}

function EndedSession({ next }: { next: string }) {
  return (
    <p role="alert" className="mt-4 flex gap-2 font-medium text-error">
      <AlertIcon className="mt-0.5 size-5 shrink-0" />
      <span>
        Your session has ended. {/* A new tab, since this page holds the files. */}
        <a href="/login" target="_blank" rel="noreferrer" className="link">
          Log in again
        </a>{" "}
        in a new tab, then {next}.
      </span>
    </p>
  );
}

/** The inputs in a form that has other fields too, with what was wrong with the files that it sent. */
function PhotoField({
  field: { id, errorId, errors },
  input,
  onChoose,
}: {
  field: FieldMetadata<unknown>;
  input: RefObject<HTMLInputElement>;
  onChoose: (files: File[]) => void;
}) {
  return (
    <>
      <PhotoInputs id={id} input={input} onChoose={onChoose} errorId={errors && errorId} />
      <p id={`${id}-limits`} className="mt-2 text-sm text-quiet">
        {limits} We remove hidden data, such as where a photo was taken.
      </p>
      {errors && (
        <ul id={errorId} className="mt-3 grid gap-1">
          {errors.map((error) => (
            <li key={error} className="flex gap-1.5 text-sm font-medium text-error wrap-anywhere">
              <AlertIcon className="mt-0.5 size-4 shrink-0" />
              {error}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Inputs for files and, on a handset, for its camera. With JavaScript the queue takes the files over. */
function PhotoInputs({
  id,
  input,
  onChoose,
  errorId,
}: {
  id: string;
  input: RefObject<HTMLInputElement>;
  onChoose: (files: File[]) => void;
  /** Of the errors about the files. */
  errorId?: string | undefined;
}) {
  const hydrated = useHydrated();
  const takeFiles = (chooser: HTMLInputElement | null) => {
    if (!chooser?.files?.length) return;
    onChoose([...chooser.files]);
    // The same file can be chosen again.
    chooser.value = "";
  };
  // Files that were chosen before hydration.
  useEffect(() => takeFiles(input.current), []);
  const properties = {
    type: "file",
    name: "photos",
    accept: hydrated ? "image/*" : photoTypes,
    "aria-describedby": errorId ? `${id}-limits ${errorId}` : `${id}-limits`,
    "aria-invalid": errorId ? true : undefined,
    // With JavaScript the files are in the queue, so the browser's own "No file chosen" would be wrong.
    className: `w-full cursor-pointer text-sm file:mr-4 file:rounded-field file:border file:px-4 file:py-2.5 file:font-semibold ${hydrated ? "text-transparent file:text-base-content" : ""}`,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => takeFiles(currentTarget),
  };
  return (
    <div className="grid gap-4">
      <div>
        <label htmlFor={id} className="mb-1 block font-medium">
          Choose photos
        </label>
        <input ref={input} id={id} multiple {...properties} />
      </div>
      <div className="pointer-fine:hidden">
        <label htmlFor={`${id}-camera`} className="mb-1 block font-medium">
          Take a photo
        </label>
        <input id={`${id}-camera`} capture="environment" {...properties} />
      </div>
    </div>
  );
}

/** Asks before the page is left while photos are not added yet. */
function LeaveConfirmation() {
  useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname &&
      !window.confirm("Some photos aren’t added yet. Leave this page?"),
  );
  useBeforeUnload(askBeforeUnload);
  return null;
}

function askBeforeUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}

/** @param input the file input, which gets the focus when the last file is removed */
function QueuedPhotos({
  queue,
  onRemove,
  input,
}: {
  queue: QueuedPhoto[];
  onRemove: (key: number) => void;
  input: RefObject<HTMLInputElement>;
}) {
  const withErrors = queue.filter(({ message }) => message);

  return (
    <>
      <ul aria-label="Chosen files" className="mt-4 grid gap-3 empty:hidden">
        {queue.map(({ key, file, state, progress, message, preview }) => (
          <li key={key} className="flex min-w-0 items-center gap-3">
            <Preview canvas={preview} />
            <div className="min-w-0 flex-1">
              <p className="line-clamp-2 wrap-anywhere">{file.name}</p>
              {message ? (
                <p className="flex gap-1.5 text-sm font-medium text-error">
                  <AlertIcon className="mt-0.5 size-4 shrink-0" />
                  {message}
                </p>
              ) : state === "reading" ? (
                <progress aria-label={`Preparing ${file.name}`} className="w-full max-w-60" />
              ) : state === "sending" ? (
                <progress
                  aria-label={`Uploading ${file.name}`}
                  max={1}
                  value={progress}
                  className="w-full max-w-60"
                />
              ) : (
                <p className="text-sm text-quiet">
                  {fileSizeLabel(file.size)} · {stateTexts[state]}
                </p>
              )}
            </div>
            {state !== "sending" && state !== "added" && (
              <button
                type="button"
                className="btn btn-outline btn-sm"
                aria-description={file.name}
                onClick={({ currentTarget }) => {
                  const focusNext = rememberFocus(currentTarget);
                  flushSync(() => onRemove(key));
                  if (!focusNext()) input.current?.focus();
                }}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {/* Screen readers announce all errors at once. */}
      {withErrors.length > 0 && (
        <p role="alert" className="sr-only">
          {withErrors.map(({ file, message }) => `${file.name}: ${message}`).join(" ")}
        </p>
      )}
    </>
  );
}

const stateTexts: Partial<Record<QueuedPhoto["state"], string>> = {
  waiting: "Waiting…",
  ready: "Ready to add",
  added: "Added",
};

/** Shows the canvas itself, because the content security policy allows no `blob:` images. */
function Preview({ canvas }: { canvas: HTMLCanvasElement | undefined }) {
  canvas?.classList.add("size-full", "object-cover");
  return (
    <div
      ref={(frame) => canvas && frame?.replaceChildren(canvas)}
      aria-hidden="true"
      className="size-12 shrink-0 sm:size-16 overflow-hidden rounded-field bg-base-200"
    />
  );
}
