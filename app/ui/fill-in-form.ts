/** Fills in what the user can edit, unless the form is for another account now; returns whether it did. */
export function fillInForm(form: HTMLFormElement, fields: [name: string, value: string][]): boolean {
  const saved = new FormData();
  for (const [name, value] of fields) saved.append(name, value);
  if (saved.get("account") !== new FormData(form).get("account")) return false;
  const fold = form.closest("details");
  if (fold) fold.open = true;
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && (field.type === "radio" || field.type === "checkbox")) {
      field.checked = saved.getAll(field.name).includes(field.value);
    } else if (
      field instanceof HTMLSelectElement ||
      ((field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
        field.type !== "hidden" &&
        !field.readOnly)
    ) {
      const value = saved.get(field.name);
      if (typeof value === "string") field.value = value;
    } else continue;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return true;
}

/** @param message of the server, which this one replaces */
export function unsentMessage(message: string | undefined): string {
  return `${message ? `${message}. ` : ""}What you entered is back in the form. Submit it again to send it.`;
}
