import { Form, useRevalidator } from "@remix-run/react";
import { type FormEvent, useId, useRef, useState } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/hydrated.ts";
import { maxPhotos, photoTypes } from "./photo.rules.ts";
import { usePhotoQueue } from "./photo-queue.ts";
import { QueuedPhotos } from "./queued-photos.tsx";

/** The form to add photos. JavaScript adds checks, shrinking and progress, and uploads files one by one. */
export function PhotoForm({ remaining, uploadTo }: { remaining: number; uploadTo: string }) {
  const hydrated = useHydrated();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { queue, choose, send } = usePhotoQueue(uploadTo, remaining);
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [statusText, setStatusText] = useState("");

  async function sendAll(event: FormEvent) {
    // Files chosen before hydration are submitted by the browser.
    if (queue.length === 0 && input.current?.files?.length) return;
    event.preventDefault();
    if (busy) return;
    if (queue.length === 0) {
      setStatusText("Choose a photo first.");
      input.current?.focus();
      return;
    }
    setBusy(true);
    setStatusText("");
    try {
      const added = await send();
      if (added > 0) setStatusText(added === 1 ? "1 photo added." : `${added} photos added.`);
      if (input.current) input.current.value = "";
      revalidate();
    } finally {
      setBusy(false);
    }
  }

  return (
    <Form
      method="post"
      encType="multipart/form-data"
      className="rounded-box border border-base-300 p-5"
      onSubmit={sendAll}
    >
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
            disabled={busy}
            aria-describedby={`${id}-limits`}
            className="w-full cursor-pointer text-sm file:mr-4 file:rounded-field file:border file:px-4 file:py-2.5 file:font-semibold"
            onChange={({ currentTarget }) => {
              setStatusText("");
              void choose([...(currentTarget.files ?? [])]);
            }}
          />
          <p id={`${id}-limits`} className="mt-2 text-sm text-quiet">
            JPEG, PNG or WebP, up to 8 MB each; at most {maxPhotos} photos per listing, {remaining} more for
            this one.
            {!hydrated && " Up to 24 MB in total."} We remove hidden data from your photos, such as the place
            where they were taken.
          </p>
        </>
      ) : (
        <p>This listing has {maxPhotos} photos, the maximum. Remove one to add another.</p>
      )}
      <QueuedPhotos queue={queue} />
      <div className="mt-4 flex flex-wrap items-center gap-4">
        {remaining > 0 && <SubmitButton>{busy ? "Adding photos…" : "Add photos"}</SubmitButton>}
        <p role="status">{statusText}</p>
      </div>
    </Form>
  );
}
