import { type RefObject, useEffect, useRef } from "react";
import { rememberFocus } from "#app/ui/focus.ts";
import { AlertIcon } from "#app/ui/icons.tsx";
import { fileSizeLabel } from "./photo.rules.ts";
import type { QueuedPhoto } from "./photo-queue.ts";

/** @param input the file input, which gets the focus when the last file is removed */
export function QueuedPhotos({
  queue,
  onRemove,
  input,
}: {
  queue: QueuedPhoto[];
  onRemove: (key: number) => void;
  input: RefObject<HTMLInputElement>;
}) {
  const focusNext = useRef<(() => boolean) | null>(null);
  useEffect(() => {
    if (focusNext.current && !focusNext.current()) input.current?.focus();
    focusNext.current = null;
  }, [queue.length]);
  const withErrors = queue.filter(({ message }) => message);

  return (
    <>
      <ul aria-label="Chosen files" className="mt-4 grid gap-3 empty:hidden">
        {queue.map(({ key, file, state, progress, message, picture }) => (
          <li key={key} className="flex min-w-0 items-center gap-3">
            <Preview canvas={picture?.preview} />
            <div className="min-w-0 flex-1">
              <p className="line-clamp-2 wrap-anywhere">{file.name}</p>
              {message ? (
                <p className="flex gap-1.5 text-sm font-medium text-error">
                  <AlertIcon className="mt-0.5 size-4 shrink-0" />
                  {message}
                </p>
              ) : state === "sending" ? (
                <progress aria-label={`Uploading ${file.name}`} max={1} value={progress} />
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
                  focusNext.current = rememberFocus(currentTarget);
                  onRemove(key);
                }}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {/* Screen readers announce all errors at once. */}
      <p role="alert" className="sr-only">
        {withErrors.map(({ file, message }) => `${file.name}: ${message}`).join(" ")}
      </p>
    </>
  );
}

const stateTexts: Partial<Record<QueuedPhoto["state"], string>> = {
  waiting: "Waiting…",
  reading: "Reading…",
  ready: "Ready to add",
  added: "Added",
};

/** Shows the canvas itself, because the content security policy allows no `blob:` images. */
function Preview({ canvas }: { canvas: HTMLCanvasElement | undefined }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (canvas) frame.current?.replaceChildren(canvas);
    canvas?.classList.add("size-full", "object-cover");
  }, [canvas]);
  return (
    <div
      ref={frame}
      aria-hidden="true"
      className="size-12 shrink-0 sm:size-16 overflow-hidden rounded-field bg-base-200"
    />
  );
}
