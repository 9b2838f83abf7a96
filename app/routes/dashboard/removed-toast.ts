import { savedStatePath } from "#app/features/saved-listings/saved-states.ts";
import type { Toast } from "#app/server/forms/flash.server.ts";

/** The message after a listing was removed from the saved ones. */
export function removedToast(phoneId: string): Toast {
  const button = { label: "Undo", action: savedStatePath, fields: { save: phoneId } };
  return { kind: "success", message: "No longer saved", button };
}
