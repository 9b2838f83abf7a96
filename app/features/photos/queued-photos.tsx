import { useEffect, useRef } from "react";
import { AlertIcon } from "#app/ui/icons.tsx";
import type { QueuedPhoto } from "./photo-queue.ts";

export function QueuedPhotos({ queue }: { queue: QueuedPhoto[] }) {
  const refused = queue.filter(({ message }) => message);
  return (
    <>
      <ul aria-label="Chosen files" className="mt-4 grid gap-3 empty:hidden">
        {queue.map(({ key, name, state, progress, message, picture }) => (
          <li key={key} className="flex min-w-0 items-center gap-4">
            <Preview canvas={picture?.preview} />
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere">{name}</p>
              {message ? (
                <p className="flex gap-1.5 text-sm font-medium text-error">
                  <AlertIcon className="mt-0.5 size-4 shrink-0" />
                  {message}
                </p>
              ) : state === "sending" ? (
                <progress
                  className="h-2 w-full accent-primary"
                  aria-label={`Uploading ${name}`}
                  max={1}
                  value={progress}
                />
              ) : (
                <p className="text-sm text-quiet">{state === "reading" ? "Reading…" : "Ready to add"}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {/* Screen readers announce all errors at once. */}
      <p role="alert" className="sr-only">
        {refused.map(({ name, message }) => `${name}: ${message}`).join(" ")}
      </p>
    </>
  );
}

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
      className="size-16 shrink-0 overflow-hidden rounded-field bg-base-200"
    />
  );
}
