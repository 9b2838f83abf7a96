import { createContext } from "react";

/** The id of the element in which an error page shows its reference. */
export const referenceElement = "reference";

/**
 * What the server knows about the answer it is rendering: the scripts' nonce, and the request's name in the
 * log. In the browser the nonce is spent, and the reference is read from the page.
 */
export const RequestMarksContext = createContext<{ nonce?: string; reference?: string }>({});
