import { useReducer } from "react";
import { hasTooManyPixels, maxPhotoBytes, type PhotoRefusal, refusalText } from "./photo.rules.ts";
import { readPictureHeader } from "./picture-header.ts";
import { type ShrunkPicture, shrinkPicture } from "./shrink-picture.ts";
import { uploadPhoto } from "./upload-photo.ts";

export interface QueuedPhoto {
  key: number;
  name: string;
  state: "reading" | "ready" | "sending" | "refused";
  /** From 0 to 1. */
  progress: number;
  message?: string;
  picture?: ShrunkPicture;
}

type QueueAction =
  | { chosen: QueuedPhoto[] }
  | { key: number; to: Partial<QueuedPhoto> }
  | { uploaded: number };

let lastKey = 0;

function reduceQueue(queue: QueuedPhoto[], action: QueueAction): QueuedPhoto[] {
  if ("chosen" in action) return action.chosen;
  if ("uploaded" in action) return queue.filter(({ key }) => key !== action.uploaded);
  return queue.map((photo) => (photo.key === action.key ? { ...photo, ...action.to } : photo));
}

/** Checks and shrinks chosen files, then uploads them to `to` one by one, which keeps their order. */
export function usePhotoQueue(to: string, remaining: number) {
  const [queue, dispatch] = useReducer(reduceQueue, []);

  async function choose(files: File[]): Promise<void> {
    const chosen = files.map((file) => {
      lastKey += 1;
      return { key: lastKey, file };
    });
    dispatch({
      chosen: chosen.map(({ key, file }) => ({ key, name: file.name, state: "reading", progress: 0 })),
    });
    let readyCount = 0;
    // One at a time, since each is decoded in memory.
    for (const { key, file } of chosen) {
      const refusal = (await findRefusal(file)) ?? (readyCount < remaining ? null : "too many");
      if (refusal) {
        dispatch({ key, to: { state: "refused", message: refusalText(refusal) } });
        continue;
      }
      const picture = await shrinkPicture(file);
      if (picture) {
        readyCount += 1;
        dispatch({ key, to: { state: "ready", picture } });
      } else dispatch({ key, to: { state: "refused", message: refusalText("unreadable") } });
    }
  }

  async function send(): Promise<number> {
    let added = 0;
    for (const { key, picture } of queue.filter(({ state }) => state === "ready")) {
      if (!picture) continue;
      dispatch({ key, to: { state: "sending", progress: 0, message: undefined } });
      const result = await uploadPhoto(to, picture.body, (progress) => dispatch({ key, to: { progress } }));
      if ("added" in result) {
        added += 1;
        dispatch({ uploaded: key });
      } else {
        dispatch({ key, to: { state: result.retryable ? "ready" : "refused", message: result.refusal } });
      }
    }
    return added;
  }

  return { queue, choose, send };
}

/** The checks of the server, before the file is decoded here. */
async function findRefusal(file: File): Promise<PhotoRefusal | null> {
  if (file.size > maxPhotoBytes) return "too large";
  const header = readPictureHeader(new Uint8Array(await file.arrayBuffer()));
  if (!header) return "not a photo";
  return hasTooManyPixels(header) ? "too many pixels" : null;
}
