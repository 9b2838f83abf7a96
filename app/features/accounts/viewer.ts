import type { Role } from "#app/db/values.ts";

/** The signed-in user of a request, as read from the database. */
export interface Viewer {
  id: string;
  name: string;
  email: string;
  userType: Role;
}
