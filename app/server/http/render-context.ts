import { createContext } from "react";

/** What only the server knows while it renders a page: the scripts' CSP nonce, and the request's id in the log. */
export const RenderContext = createContext<{ nonce?: string; reference?: string }>({});
