import { z } from "zod";
import { roles } from "#app/db/enums.ts";

export const roleSchema = z.enum(roles);
