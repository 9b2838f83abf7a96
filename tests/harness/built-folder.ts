import { inject } from "vitest";
import { sendRequest } from "../../scripts/send-request.ts";

/** The directory of the product's build, once it is there. */
export async function builtFolder(): Promise<string> {
  const response = await sendRequest(inject("buildServer"), "GET", "/");
  if (!response.ok) throw new Error("The build failed.");
  return response.text();
}
