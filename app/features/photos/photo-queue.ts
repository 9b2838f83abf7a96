import { useReducer } from "react";
import { hasTooManyPixels, mostPhotoBytes, type PhotoRefusal, refusalText } from "./photo.rules.ts";
import { readPictureHeader } from "./picture-header.ts";
import { sendPhoto } from "./send-photo.ts";
import { type ShrunkPicture, shrinkPicture } from "./shrink-picture.ts";

/** A chosen file on its way to becoming a photo. */
export interface QueuedPhoto {
  key: number;
  name: string;
  state: "reading" | "ready" | "sending" | "refused";
  /** How much of it has been sent, from 0 to 1. */
  part: number;
  /** Why it does not become a photo, or has not yet. */
  message?: string;
  picture?: ShrunkPicture;
}

type Change =
  | { chosen: QueuedPhoto[] }
  | { key: number; to: Partial<QueuedPhoto> }
  /** It has become a photo, and stands among the others. */
  | { done: number };

let keys = 0;

function changed(queue: QueuedPhoto[], change: Change): QueuedPhoto[] {
  if ("chosen" in change) return change.chosen;
  if ("done" in change) return queue.filter(({ key }) => key !== change.done);
  return queue.map((photo) => (photo.key === change.key ? { ...photo, ...change.to } : photo));
}

/**
 * The files that were chosen, looked at and made smaller in the browser, then sent one after the other, so that they
 * come in the order they were chosen in.
 *
 * @param to where they are sent
 * @param room how many there is room for
 */
export function usePhotoQueue(to: string, room: number) {
  const [queue, change] = useReducer(changed, []);

  async function choose(files: File[]): Promise<void> {
    const chosen = files.map((file) => {
      keys += 1;
      return { key: keys, file };
    });
    change({
      chosen: chosen.map(({ key, file }) => ({ key, name: file.name, state: "reading", part: 0 })),
    });
    let fit = 0;
    // One at a time: each is unpacked in memory.
    for (const { key, file } of chosen) {
      const refusal = (await refusalOf(file)) ?? (fit < room ? null : "too many");
      if (refusal) {
        change({ key, to: { state: "refused", message: refusalText(refusal) } });
        continue;
      }
      const picture = await shrinkPicture(file);
      if (picture) {
        fit += 1;
        change({ key, to: { state: "ready", picture } });
      } else change({ key, to: { state: "refused", message: refusalText("unreadable") } });
    }
  }

  /** @returns how many have become photos */
  async function send(): Promise<number> {
    let added = 0;
    for (const { key, picture } of queue.filter(({ state }) => state === "ready")) {
      if (!picture) continue;
      change({ key, to: { state: "sending", part: 0, message: undefined } });
      const sent = await sendPhoto(to, picture.body, (part) => change({ key, to: { part } }));
      if ("added" in sent) {
        added += 1;
        change({ done: key });
      } else {
        change({ key, to: { state: sent.again ? "ready" : "refused", message: sent.refused } });
      }
    }
    return added;
  }

  return { queue, choose, send };
}

/** The server's own checks, before anything is unpacked here. */
async function refusalOf(file: File): Promise<PhotoRefusal | null> {
  if (file.size > mostPhotoBytes) return "too large";
  const header = readPictureHeader(new Uint8Array(await file.arrayBuffer()));
  if (!header) return "not a photo";
  return hasTooManyPixels(header) ? "too many pixels" : null;
}
