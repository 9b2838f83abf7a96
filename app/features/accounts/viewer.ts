import type { Role } from "#app/db/values.ts";

/** The signed-in person behind a request, as the database knows them at this moment. */
export interface Viewer {
  id: string;
  name: string;
  email: string;
  userType: Role;
}
