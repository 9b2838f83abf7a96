import { Form, useBlocker, useRevalidator } from "@remix-run/react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { PendingButton } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/hydrated.ts";
import { maxPhotos, photoTypes } from "./photo.rules.ts";
import { usePhotoQueue } from "./photo-queue.ts";
import { QueuedPhotos } from "./queued-photos.tsx";

/** The form to add photos. JavaScript adds a queue of the chosen files with checks, shrinking and progress. */
export function PhotoForm({ remaining, uploadTo }: { remaining: number; uploadTo: string }) {
  const hydrated = useHydrated();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { revalidate } = useRevalidator();
  const [statusText, setStatusText] = useState("");
  const { queue, isSending, isUnfinished, choose, remove, send } = usePhotoQueue(
    uploadTo,
    remaining,
    (added) => {
      if (added > 0) setStatusText(added === 1 ? "1 photo added." : `${added} photos added.`);
      revalidate();
    },
  );

  function takeFiles() {
    const { current } = input;
    if (!current?.files?.length) return;
    choose([...current.files]);
    // The queue has them now, and the same file can be chosen again.
    current.value = "";
    setStatusText("");
  }
  // Files that were chosen before hydration.
  useEffect(takeFiles, []);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    if (isUnfinished) {
      setStatusText("");
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
          <label htmlFor={id} className="mb-1 block font-medium">
            Choose photos
          </label>
          <input
            ref={input}
            id={id}
            type="file"
            name="photos"
            multiple
            accept={photoTypes}
            aria-describedby={`${id}-limits`}
            // With JavaScript the files are in the queue, so the browser's own "No file chosen" would be wrong.
            className={`w-full cursor-pointer text-sm file:mr-4 file:rounded-field file:border file:px-4 file:py-2.5 file:font-semibold ${hydrated ? "text-transparent file:text-base-content" : ""}`}
            onChange={takeFiles}
          />
          <p id={`${id}-limits`} className="mt-2 text-sm text-quiet">
            JPEG, PNG or WebP, up to 8 MB each{hydrated ? "" : " and 24 MB in total"}. A listing can have{" "}
            {maxPhotos} photos; this one has room for {remaining}
            {remaining < maxPhotos && " more"}. We remove hidden data, such as where a photo was taken.
          </p>
        </>
      ) : (
        <p>This listing has {maxPhotos} photos, the maximum. Remove one to add another.</p>
      )}
      <QueuedPhotos queue={queue} onRemove={remove} input={input} />
      <div className="mt-4 flex flex-wrap items-center gap-4">
        {remaining > 0 && (
          <PendingButton isBusy={isSending}>{isSending ? "Adding photos…" : "Add photos"}</PendingButton>
        )}
        <p role="status">{statusText}</p>
      </div>
    </Form>
  );
}

/** Asks before the page is left while photos are not added yet. */
function LeaveConfirmation() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm("Some photos are not added yet. Leave this page?")) blocker.proceed();
    else blocker.reset();
  }, [blocker]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
  return null;
}
