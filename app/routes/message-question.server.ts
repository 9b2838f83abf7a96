import type { Question } from "#app/features/messages/warnings.server.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";

/** What the form’s sender was asked about and has submitted again. */
export const confirmedIn = (form: FormData): string[] => form.getAll("confirmed").map(String);

/** Asks about a message beside its field. */
export const questionRefusal = ({ asked, text }: Question): FormRefusal => ({
  fieldErrors: { text: [text] },
  asked,
});

/** A refusal after which nothing is asked again that was confirmed before. */
export const keepingConfirmed = (form: FormData, { asked = [], ...refusal }: FormRefusal): FormRefusal => ({
  ...refusal,
  asked: [...confirmedIn(form), ...asked],
});
