import { useEffect, useRef } from "react";
import { AlertIcon } from "#app/ui/icons.tsx";
import type { QueuedPhoto } from "./photo-queue.ts";

/** The files that were chosen: how each looks, how far it is, and why it is refused. */
export function QueuedPhotos({ queue }: { queue: QueuedPhoto[] }) {
  const refused = queue.filter(({ message }) => message);
  return (
    <>
      <ul aria-label="Chosen files" className="mt-4 grid gap-3 empty:hidden">
        {queue.map(({ key, name, state, part, message, picture }) => (
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
                  aria-label={`Sending ${name}`}
                  max={1}
                  value={part}
                />
              ) : (
                <p className="text-sm text-quiet">{state === "reading" ? "Reading…" : "Ready to be added"}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {/* Said as a whole, once it is known; the messages stand beside their files. */}
      <p role="alert" className="sr-only">
        {refused.map(({ name, message }) => `${name}: ${message}`).join(" ")}
      </p>
    </>
  );
}

/** What was drawn of a file, put into the page as it is: a picture's address would need a wider policy. */
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
