/** For the main image of a page. React 18 accepts only the lower-case name, its types only the camel-case one. */
export const highPriority = { fetchpriority: "high" };
