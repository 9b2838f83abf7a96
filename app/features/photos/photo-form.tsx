import { Form, useRevalidator } from "@remix-run/react";
import { type FormEvent, useId, useRef, useState } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/hydrated.ts";
import { mostPhotos, photoTypes } from "./photo.rules.ts";
import { usePhotoQueue } from "./photo-queue.ts";
import { QueuedPhotos } from "./queued-photos.tsx";

/**
 * Adds photos. A plain form with files; with JavaScript they are looked at when they are chosen, made smaller, and
 * sent one by one with their progress.
 *
 * @param room how many more the listing may have
 * @param uploadTo where single photos are sent
 */
export function PhotoForm({ room, uploadTo }: { room: number; uploadTo: string }) {
  const hydrated = useHydrated();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { queue, choose, send } = usePhotoQueue(uploadTo, room);
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState("");

  async function sendAll(event: FormEvent) {
    // Files that were chosen before the page came alive are the browser's to send.
    if (queue.length === 0 && input.current?.files?.length) return;
    event.preventDefault();
    if (busy) return;
    if (queue.length === 0) {
      setTold("Choose a photo first.");
      input.current?.focus();
      return;
    }
    setBusy(true);
    setTold("");
    try {
      const added = await send();
      if (added > 0) setTold(added === 1 ? "1 photo added." : `${added} photos added.`);
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
      {room > 0 ? (
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
              setTold("");
              void choose([...(currentTarget.files ?? [])]);
            }}
          />
          <p id={`${id}-limits`} className="mt-2 text-sm text-quiet">
            JPEG, PNG or WebP, up to 8 MB each; {mostPhotos} photos a listing, {room} more here.
            {!hydrated && " All together up to 24 MB at a time."} What a photo tells beside the picture, like
            the place it was taken at, is removed.
          </p>
        </>
      ) : (
        <p>
          This listing has {mostPhotos} photos, which is all there is room for. Remove one to add another.
        </p>
      )}
      <QueuedPhotos queue={queue} />
      <div className="mt-4 flex flex-wrap items-center gap-4">
        {room > 0 && <SubmitButton>{busy ? "Adding photos…" : "Add photos"}</SubmitButton>}
        <p role="status">{told}</p>
      </div>
    </Form>
  );
}
