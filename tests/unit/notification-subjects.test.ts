import { expect, test } from "vitest";
import type { NotificationDetails } from "#app/db/enums.ts";
import { subjectText } from "#app/features/notifications/notification-subjects.server.ts";

test.each<[NotificationDetails | null, string]>([
  [null, "Pixel 7"],
  [{ offeredCents: 27_950 }, "Pixel 7 ($279.50)"],
  [{ cents: 27_900, oldCents: 129_900 }, "Now $279, was $1,299: Pixel 7"],
  [{ parcelService: "UPS", trackingNumber: "1Z9" }, "Pixel 7 is on its way with UPS 1Z9"],
  [
    { parcelService: "Another service", trackingNumber: null },
    "Pixel 7 is on its way with another parcel service",
  ],
  [{ cancelledFor: "buyer barred" }, "Pixel 7 (the buyer can’t go on)"],
  [{ problem: "defect" }, "Pixel 7: defect"],
  [{ problem: "defect", openedBy: "buyer" }, "Pixel 7: defect, says the buyer"],
  [{ problemStep: "closed" }, "Pixel 7: marked as solved"],
  [{ problemStep: "listed again" }, "Pixel 7: listed again"],
  [{ problemOffer: "return", problem: "defect", stage: "received" }, "Pixel 7: return and refund"],
  [{ problemOffer: "return", problem: "defect", stage: "reserved" }, "Pixel 7: cancel the order"],
  [{ problemDecision: "returned", problem: "defect", stage: "received" }, "Pixel 7: order ended"],
  [{ decision: "hide" }, "We hid this: Pixel 7"],
  [{ decision: "hide", targetKind: "listing" }, "We hid this: Pixel 7"],
  [{ decision: "hide", targetKind: "review" }, "We hid this: your review about the Pixel 7"],
  [{ decision: "suspend", days: "1", targetKind: "seller" }, "Your account is suspended for 1 day"],
  [
    { decision: "suspend", days: "7", targetKind: "listing" },
    "Your account is suspended for 7 days because of your listing: Pixel 7",
  ],
  [{ decision: "suspend", days: "7" }, "Your account is suspended for 7 days"],
  [{ matches: 1, searches: 1 }, '1 new or cheaper device for "Pixel 7"'],
  [{ matches: 3, searches: 1 }, '3 new or cheaper devices for "Pixel 7"'],
  [{ matches: 3, searches: 2 }, 'new or cheaper devices for "Pixel 7" and 1 more search'],
  [{ matches: 3, searches: 3 }, 'new or cheaper devices for "Pixel 7" and 2 more searches'],
  [{ alarms: ["jobs", "backup"] }, "scheduled jobs failed, the last backup is too old"],
  [{ urgent: "stolen" }, "stolen or counterfeit, Pixel 7"],
  [{ urgent: "threats", targetKind: "review" }, "threats or harassment, Review by Pixel 7"],
])("a subject with %o", (details, text) => {
  expect(subjectText("Pixel 7", details)).toBe(text);
});
