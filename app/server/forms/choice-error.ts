/** The message of a required choice: "Os is required" if it is empty, else `wrong`, which names the values. */
export function choiceError(label: string, wrong: string) {
  return ({ input }: { input?: unknown }) =>
    input === undefined || input === "" ? `${label} is required` : wrong;
}
