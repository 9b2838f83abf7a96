import type { MouseEvent } from "react";
import { HeartIcon } from "#app/ui/icons.tsx";
import { savedStatePath, useSavedState } from "./saved-states.ts";

/** The id of the form that all buttons on the page belong to, see `SaveForm`. */
export const saveFormId = "save";

/** Saves a listing, or removes one that is known to be saved. */
function useSaveButton(phoneId: string, isKnownSaved?: boolean | null) {
  const isSaved = useSavedState(phoneId) ?? isKnownSaved ?? null;
  return {
    form: saveFormId,
    name: isSaved ? "remove" : "save",
    value: phoneId,
    "aria-pressed": isSaved ?? undefined,
    // The second click of a double click does not take the first back.
    onClick: (event: MouseEvent) => event.detail > 1 && event.preventDefault(),
  };
}

/**
 * A heart on a card. The stylesheet draws it, since an element in each card would make lists too large.
 *
 * @param titleId of the card, to which the browser returns without JavaScript, or after a login
 */
export function SaveHeart({ phoneId, name, titleId }: { phoneId: string; name: string; titleId: string }) {
  return (
    <button
      {...useSaveButton(phoneId)}
      className="save-heart"
      aria-label={`Save ${name}`}
      formAction={`${savedStatePath}?at=${titleId}`}
    />
  );
}

/**
 * Of a sold listing it is shown to those only who have saved it.
 *
 * @param isSaved as the page's loader knows it; null for visitors without a session
 */
export function SaveButton({
  listing: { id, status },
  isSaved,
}: {
  listing: { id: string; status: string };
  isSaved: boolean | null;
}) {
  const button = useSaveButton(id, isSaved);
  const isPressed = button["aria-pressed"] ?? false;
  if (status === "sold" && !isPressed) return null;
  return (
    <button
      {...button}
      className="btn btn-ghost btn-sm self-start px-0 text-base hover:bg-transparent hover:underline"
    >
      <HeartIcon className={`size-5 ${isPressed ? "fill-primary text-primary" : ""}`} />{" "}
      {isPressed ? "Saved" : "Save"}
    </button>
  );
}
