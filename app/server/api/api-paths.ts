/** Where the route table has the routes of the API: `/users` is `/rest/users` there. Clients cannot request this path. */
export const apiRoot = "/rest";

/** Pages whose paths are the API's too, for the methods that pages do not have. */
export const pagesOfApi = [/^\/phones\/[^/]+$/];

/** The API owns these paths and all below, so no page has a path that begins with one. */
export const apiPrefixes = [
  "phoneInfoCollection",
  "allPhoneInfo",
  "phones/delete",
  "bookings",
  "reviews",
  "messages",
  "contentReports",
  "saved",
  "notifications",
  "users",
  "seller",
  "searches",
  "jwt",
];
