import { createContext } from "react";

/**
 * What the server knows about the answer it is rendering: the scripts' nonce, and the request's name in the
 * log. In the browser both are absent: the nonce is spent, and the reference stands in the page already.
 */
export const RequestMarksContext = createContext<{ nonce?: string; reference?: string }>({});
