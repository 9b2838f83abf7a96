import { createContext } from "react";

/** Values that only the server has while it renders a page: the CSP nonce and the request's id in the log. */
export const ServerRenderContext = createContext<{ nonce?: string; reference?: string }>({});
