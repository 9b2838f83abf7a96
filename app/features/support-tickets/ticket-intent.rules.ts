/** Shows the report form with what another form has sent, and stores nothing. */
export const prefillIntent = "fill-in";
