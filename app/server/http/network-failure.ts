/** Said when a form did not get through: from the browser to us, or from us to the database. */
export const networkFailed = "The network failed. Try again in a moment.";
