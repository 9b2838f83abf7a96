import { parseWithZod } from "@conform-to/zod/v4";
import { loginSchema } from "./account.schema.ts";

export const validateLogin = ({ formData }: { formData: FormData }) =>
  parseWithZod(formData, { schema: loginSchema });
