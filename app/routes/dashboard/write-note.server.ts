import type { AppLoadContext } from "@remix-run/cloudflare";
import { formRefusal, type PostedForm } from "#app/auth/guard.server.ts";
import { may } from "#app/features/accounts/permissions.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { noteSchema } from "#app/features/administration/note.schema.ts";
import type { NoteSubject } from "#app/features/administration/notes.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, submissionKeyOf } from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { notFound } from "#app/server/http/responses.server.ts";

const loadNotes = () => import("#app/features/administration/notes.server.ts");

/** What `NotesSection` shows on a page; null for those who may not read notes. */
export async function notesFor({ db }: AppLoadContext, viewer: Viewer, subject: NoteSubject | null) {
  if (!subject || !may(viewer, "write notes")) return null;
  const { listNotes } = await loadNotes();
  return { notes: await listNotes(db, subject), account: viewer.email, formKey: crypto.randomUUID() };
}

/** Stores the note that was written on a page. */
export async function writeNote(posted: PostedForm, subject: NoteSubject | null) {
  const { context, request, viewer, form } = posted;
  if (!subject || !may(viewer, "write notes")) throw notFound();
  const submission = parseForm(form, noteSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal(posted, "write note");
  if (refusal) return invalidForm(submission, refusal);
  const note = { text: submission.value.note, formKey: await submissionKeyOf(posted) };
  const { addNote } = await loadNotes();
  if (!(await addNote(context.db, viewer, subject, note))) throw notFound();
  return redirectWithToast(context, `${pathAndQuery(request)}#notes`, {
    kind: "success",
    message: "Note added",
  });
}
