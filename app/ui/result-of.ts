import type { SubmissionResult } from "@conform-to/react";

/** The result of a page's form, for the one of its forms that sent it. */
export function resultOfForm(result: SubmissionResult<string[]> | undefined, intent: string) {
  return result?.initialValue?.intent === intent ? result : undefined;
}
