import { expect, test } from "vitest";
import { newUserSchema } from "#app/features/accounts/account.schema.ts";
import { listingSchema } from "#app/features/listings/listing.schema.ts";
import { contentReportBody } from "#app/features/moderation/reports/content-report.schema.ts";

const { os, deviceType } = listingSchema.shape;

test.each([
  ["Os", os, "Os must be Android or Ios"],
  ["Device Type", deviceType, "Device Type must be Smart Phone or Tablet"],
  ["User Type", newUserSchema.shape.userType, "User Type must be Buyer or Seller"],
  ["Kind", contentReportBody.shape.kind, "Kind must be one of: listing, seller, review, message"],
])(
  "%s says that it is required when it is empty, and what it can be when it is wrong",
  (label, schema, wrong) => {
    const messagesOf = (value: unknown) =>
      schema.safeParse(value).error?.issues.map(({ message }) => message);
    expect(messagesOf(undefined)).toEqual([`${label} is required`]);
    expect(messagesOf("")).toEqual([`${label} is required`]);
    expect(messagesOf("Symbian")).toEqual([wrong]);
    expect(messagesOf(7)).toEqual([wrong]);
  },
);
