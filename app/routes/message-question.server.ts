import type { Question } from "#app/features/messages/warnings.server.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";

/** What the form’s sender was asked about and has submitted again. */
export const confirmedIn = (form: FormData): string[] => form.getAll("confirmed").map(String);

/** Asks about a message beside its field. */
export const questionRefusal = ({ asked, text }: Question, confirmed: string[]): FormRefusal => ({
  fieldErrors: { text: [text] },
  asked: [...confirmed, ...asked],
});
