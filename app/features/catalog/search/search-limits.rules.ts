// What the URL of a list may hold. Apart from its parser, which only lists load.

/** In characters. */
export const maxQueryLength = 100;
export const maxValueLength = 60;

export const maxValuesPerFacet = 20;

export const maxExtraPages = 9;
