import { type AppLoadContext, json } from "@remix-run/cloudflare";
import type { z } from "zod";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { fillPlaceholders, type PlaceholderValues } from "#app/server/forms/placeholders.ts";

/** Loaded on demand: few requests need it. */
const savedReplies = () => import("#app/features/administration/saved-replies.server.ts");

/** What can be inserted into a form. */
export const replyTitles = async ({ db }: AppLoadContext) => (await savedReplies()).listReplyTitles(db);

/** Responds with the form and the chosen reply after what was typed. Nothing is stored. @param field of the text */
export async function insertReply(
  context: AppLoadContext,
  form: FormData,
  { schema, field, values }: { schema: z.ZodObject; field: string; values: PlaceholderValues },
) {
  const { payload } = parseForm(form, schema);
  const chosen = form.get("reply");
  const reply = chosen ? await (await savedReplies()).findReplyText(context.db, String(chosen)) : null;
  if (reply === null) {
    const error = chosen ? "This saved reply is gone. Choose another." : "Choose a saved reply first.";
    return json({ result: { initialValue: payload, error: { "": [error] } } }, { status: 400 });
  }
  const inserted = [payload[field], fillPlaceholders(reply, values)].filter(Boolean).join("\n\n");
  return json({ result: { initialValue: { ...payload, [field]: inserted } }, inserted });
}
