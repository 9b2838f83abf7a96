/** Settings under which a few buyers of a measurement may book all devices. */
export const unlimitedReservations = { MAX_RESERVATIONS: "999999", MAX_RESERVATIONS_UNCONFIRMED: "999999" };
