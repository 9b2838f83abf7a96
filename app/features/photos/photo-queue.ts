import { useEffect, useReducer, useState } from "react";
import { formErrorsOf } from "#app/ui/error-box.tsx";
import { useStall } from "#app/ui/stalled-request.ts";
import { hasTooManyPixels, maxPhotoBytes, type PhotoOwner } from "./photo.rules.ts";
import { type PhotoRefusal, photoRefusalText } from "./photo-refusals.ts";
import { endOfJpeg, readPictureHeader } from "./picture-header.ts";

export interface QueuedPhoto {
  key: number;
  file: File;
  /** "failed" uploads can be repeated, "refused" files cannot be added. */
  state: "waiting" | "reading" | "ready" | "sending" | "added" | "failed" | "refused";
  /** From 0 to 1. */
  progress: number;
  message?: string;
  /** What is uploaded. */
  body?: Blob;
  /** Absent if only the server may be able to decode the file. */
  preview?: HTMLCanvasElement;
  /** Whether the listing had this photo before. */
  existing?: boolean;
}

type QueueAction =
  | { choose: File[] }
  | { key: number; change: Partial<QueuedPhoto> }
  | { remove: number }
  | "retry"
  | "remove added";

let lastKey = 0;

function reduceQueue(queue: QueuedPhoto[], action: QueueAction): QueuedPhoto[] {
  if (action === "retry") {
    return queue.map((photo) =>
      photo.state === "failed" ? { ...photo, state: "ready", message: undefined } : photo,
    );
  }
  if (action === "remove added") return queue.filter(({ state }) => state !== "added");
  if ("remove" in action) return queue.filter(({ key }) => key !== action.remove);
  if ("key" in action) {
    return queue.map((photo) => (photo.key === action.key ? { ...photo, ...action.change } : photo));
  }
  const chosen = action.choose.filter((file) => !queue.some((queued) => isSameFile(queued.file, file)));
  return [
    ...queue,
    ...chosen.map((file): QueuedPhoto => {
      lastKey += 1;
      return { key: lastKey, file, state: "waiting", progress: 0 };
    }),
  ];
}

function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

/**
 * A queue of chosen files. Each is checked and shrunk when it is chosen; `send` uploads them to `to` one by one, which
 * keeps their order, and then calls `onSent` with the numbers of photos added and of those that the listing had. Those of
 * a draft are sent when they are chosen. If the session has ended, it stops and keeps the queue.
 *
 * @param remaining how many photos the listing has room for; files beyond stay in the queue as refused
 */
export function usePhotoQueue(
  to: string,
  remaining: number,
  onSent: (added: number, existing: number) => void,
  owner: PhotoOwner = "listing",
) {
  const [queue, dispatch] = useReducer(reduceQueue, []);
  const [isSending, setSending] = useState(false);
  const [hasSessionEnded, setSessionEnded] = useState(false);
  const isRepeated = useStall();
  const fitting = queue.filter(({ state }) => state !== "refused").slice(0, remaining);
  const first = (state: QueuedPhoto["state"]) => fitting.find((photo) => photo.state === state);
  const change = (key: number, values: Partial<QueuedPhoto>) => dispatch({ key, change: values });

  // One at a time, since each is decoded in memory.
  const unread = first("reading") ? undefined : first("waiting");
  useEffect(() => {
    if (!unread) return;
    const { key, file } = unread;
    change(key, { state: "reading" });
    readPhoto(file).then((result) => change(key, result));
  }, [unread]);

  const unsent = isSending && !first("sending") ? first("ready") : undefined;
  useEffect(() => {
    if (!unsent?.body) return;
    const { key, body } = unsent;
    change(key, { state: "sending", progress: 0 });
    const show = (progress: number) => change(key, { progress });
    uploadUntilAnswered(to, body, show, isRepeated).then((result) => {
      if (result === "session ended") {
        change(key, { state: "ready" });
        setSending(false);
        setSessionEnded(true);
      } else if ("added" in result) change(key, { state: "added", existing: result.existing });
      else change(key, { state: result.retryable ? "failed" : "refused", message: result.refusal });
    });
  }, [unsent, to]);

  const isSent =
    isSending && fitting.every(({ state }) => state === "added" || state === "failed" || state === "refused");
  useEffect(() => {
    if (!isSent) return;
    setSending(false);
    dispatch("remove added");
    const added = queue.filter(({ state }) => state === "added");
    const existing = added.filter((photo) => photo.existing).length;
    onSent(added.length - existing, existing);
  });

  const send = () => {
    dispatch("retry");
    setSessionEnded(false);
    setSending(true);
  };

  return {
    queue: queue.map((photo) =>
      photo.state !== "refused" && !fitting.includes(photo)
        ? { ...photo, state: "refused" as const, message: photoRefusalText("too many", owner) }
        : photo,
    ),
    isSending,
    /** Whether files are still being read. */
    isReading: fitting.some(({ state }) => state === "waiting" || state === "reading"),
    hasSessionEnded,
    /** Whether photos would be lost by leaving the page. */
    isUnfinished: fitting.some(({ state }) => state !== "added"),
    choose: (files: File[]) => {
      dispatch({ choose: files });
      if (owner === "draft") send();
    },
    remove: (key: number) => dispatch({ remove: key }),
    send,
  };
}

/**
 * Prepares a file for its upload: as a JPEG that is upright, small enough and without metadata, if this browser can
 * decode it, of any format and size.
 */
async function readPhoto(file: File): Promise<Partial<QueuedPhoto>> {
  const refused = (refusal: PhotoRefusal) =>
    ({ state: "refused", message: photoRefusalText(refusal) }) as const;
  if (file.size === 0) return refused("empty");
  try {
    // Before the file is decoded, since that takes its pixels in memory.
    const header = readPictureHeader(new Uint8Array(await file.arrayBuffer()));
    if (header && hasTooManyPixels(header)) return refused("too many pixels");
    const drawn = await drawPicture(file);
    // Also if the file is smaller: it may be one that the server can't decode, like a photo that was cut.
    if (drawn) return { state: "ready", ...drawn };
    if (header && file.size <= maxPhotoBytes) return { state: "ready", body: file };
    return refused(header ? "unreadable" : "not a photo");
  } catch {
    // The file was moved or deleted after it was chosen.
    return refused("unreadable");
  }
}

/** In pixels: twice the largest stored size, so that shrinking twice is not visible. */
const maxSide = 2400;
const previewSide = 160;

/** Draws a picture upright and as a JPEG, with a preview. Returns null if this browser cannot decode it. */
async function drawPicture(file: File): Promise<{ body: Blob; preview: HTMLCanvasElement } | null> {
  const bitmap =
    (await decode(file).catch(() => null)) ?? (await decode(new Blob([file, endOfJpeg])).catch(() => null));
  if (!bitmap) return null;
  try {
    const preview = draw(bitmap, previewSide);
    const smaller = draw(bitmap, maxSide);
    const body = await new Promise<Blob | null>((resolve) => smaller.toBlob(resolve, "image/jpeg", 0.86));
    return body && { body, preview };
  } finally {
    bitmap.close();
  }
}

function decode(file: Blob): Promise<ImageBitmap> {
  return createImageBitmap(file, { imageOrientation: "from-image" });
}

function draw(bitmap: ImageBitmap, maxLength: number): HTMLCanvasElement {
  const scale = Math.min(1, maxLength / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  // JPEG has no transparency: it would become black.
  if (context) context.fillStyle = "white";
  context?.fillRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Uploads a photo. While the server cannot be reached, the user decides whether to try again. */
async function uploadUntilAnswered(
  to: string,
  body: Blob,
  onProgress: (progress: number) => void,
  isRepeated: () => Promise<boolean>,
): Promise<Exclude<UploadResult, "no answer">> {
  do {
    const result = await uploadPhoto(to, body, onProgress);
    if (result !== "no answer") return result;
  } while (await isRepeated());
  return { refusal: uploadFailed, retryable: true };
}

/** The result of an upload; `retryable` if another try may succeed, `existing` if the listing had this photo. */
type UploadResult =
  | { added: true; existing: boolean }
  | { refusal: string; retryable: boolean }
  | "session ended"
  | "no answer";

const uploadFailed = "We couldn’t upload this photo. Check your connection and try again.";

/** Uploads a photo with `XMLHttpRequest`, because `fetch` reports no upload progress (0 to 1). */
function uploadPhoto(to: string, body: Blob, onProgress: (progress: number) => void): Promise<UploadResult> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", to);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const [refusal] = formErrorsOf(request.response);
      if (request.response?.added) resolve({ added: true, existing: request.response.existing === true });
      else if (refusal) resolve({ refusal, retryable: request.status === 429 || request.status >= 500 });
      else if (new URL(request.responseURL).pathname === "/login") resolve("session ended");
      else resolve("no answer");
    };
    request.onerror = () => resolve("no answer");
    request.send(body);
  });
}
