/** Where the route table has the routes of the API: `/users` is `/rest/users` there. Clients cannot request this path. */
export const apiRoot = "/rest";
