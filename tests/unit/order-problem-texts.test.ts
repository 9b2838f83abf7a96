import { expect, test } from "vitest";
import { orderStages, problemKinds, problemOffers, reviewRoles } from "#app/db/enums.ts";
import { notificationTexts } from "#app/features/notifications/notification-texts.ts";
import { problemOffersFor, problemScope } from "#app/features/order-problems/order-problem.rules.ts";
import {
  afterSettlementText,
  decisionChoices,
  moneySplitText,
  problemOfferChoices,
  problemStatusText,
  settledText,
} from "#app/features/order-problems/order-problem-texts.ts";
import {
  offerEmailFacts,
  offerIntentsOf,
  offerRange,
  offerRefusalOf,
  offerText,
} from "#app/features/orders/offer.rules.ts";
import {
  nextStepText,
  orderStatusText,
  parcelText,
  paymentText,
  trackingQuestion,
} from "#app/features/orders/order-texts.ts";

const cases = problemKinds.flatMap((kind) =>
  orderStages.flatMap((stage) => reviewRoles.map((role) => [kind, stage, role] as const)),
);

test.each(cases)("the texts of “%s” for a device that is %s address the %s", (kind, stage, role) => {
  const scope = problemScope(kind, stage);
  const offers = problemOffersFor(kind, scope, null);
  // Without protected payment, once all has been paid back, and before that.
  const choices = [null, 0, 34_950].flatMap((left) =>
    problemOfferChoices({ kind, scope }, role, left, false),
  );
  const returned = { state: "returned", openedBy: "buyer", scope, isOverdue: false } as const;
  const words = [
    ...choices.flatMap(({ label, description }) => [label, description]),
    ...[...offers, null].map((offer) => settledText(offer, scope, role)),
    ...[...offers, null].map((offer) => afterSettlementText({ offer, text: "" }, scope, role) ?? ""),
    ...(offers.includes("return") ? [problemStatusText(returned, role, "")] : []),
  ];
  for (const text of words) {
    expect(text).toMatch(/^[A-Z].*[a-z.]$/);
    expect(text).not.toMatch(role === "seller" ? /to the seller|send the device back/ : /to you/);
  }
  const goesBack = scope !== "before handover" && offers.includes("return");
  expect(words.some((text) => /device.* (?:goes|comes) back/.test(text))).toBe(goesBack);
});

test("what goes back while a bank disputes the payment is said to follow its decision", () => {
  for (const [kind, stage, role] of cases) {
    const problem = { kind, scope: problemScope(kind, stage) };
    for (const isDisputed of [false, true])
      for (const { value, description } of problemOfferChoices(problem, role, 34_950, isDisputed)) {
        const isPaidBack = description.includes("Ringback pays");
        expect(/ once (?:your|the buyer’s) bank has decided\./.test(description)).toBe(
          isPaidBack && isDisputed,
        );
        if (value === "refund" && problem.scope !== "refund") expect(isPaidBack).toBe(true);
      }
  }
  const split = {
    paidCents: 10_000,
    toBuyerCents: 2_500,
    hasFee: true,
    isDisputed: true,
    waitsForBank: true,
  };
  expect(moneySplitText(split, "seller")).toBe(
    "The buyer gets back $25 of $100 once the buyer’s bank has decided. You get $75 less the fee, unless the buyer’s bank takes it back.",
  );
  expect(moneySplitText({ ...split, waitsForBank: false }, "buyer")).toBe(
    "You get back $25 of $100. The seller gets $75 less the fee, unless your bank takes it back.",
  );
});

test("each problem can be settled in ways that fit it", () => {
  const offersOf = (stage: (typeof orderStages)[number]) =>
    Object.fromEntries(
      problemKinds.map((kind) => [kind, problemOffersFor(kind, problemScope(kind, stage), null)]),
    );
  const {
    "not refunded": refund,
    "not returned": device,
    "bank dispute": bank,
    ...others
  } = offersOf("reserved");
  expect(bank).toEqual([]);
  expect(device).toEqual(["return", "something else"]);
  for (const offers of Object.values(others)) expect(offers).toEqual(["return", "something else"]);
  const received = offersOf("received");
  for (const kind of ["not arrived", "not paid", "other terms"])
    expect(received[kind]).toEqual(["return", "something else"]);
  expect(problemKinds.filter((kind) => received[kind]?.includes("repair"))).toEqual([
    "not as described",
    "defect",
  ]);
  expect(refund).toEqual(problemOffers.filter((offer) => offer !== "return" && offer !== "repair"));
  expect(decisionChoices(problemScope("not arrived", "handed over"))[0]?.description).toBe(
    "If the device still turns up, it goes back to the seller, and can be listed again. Say who gives back what, and by when.",
  );
});

test("sentences name a parcel", () => {
  const parcel = { parcelService: "Another service", trackingNumber: null };
  expect(parcelText(parcel)).toBe("another parcel service");
  expect(parcelText({ ...parcel, trackingNumber: "7 A" })).toBe("another parcel service (7 A)");
  expect(parcelText({ parcelService: "UPS", trackingNumber: "7 A" })).toBe("UPS 7 A");
});

test("a tracking number with the form of another service’s is asked about", () => {
  const ask = (parcelService: string, trackingNumber: string | null) =>
    trackingQuestion({ parcelService, trackingNumber });
  expect(ask("USPS", "1z 999 AA1 0123 456-784")).toBe(
    "This looks like a UPS number. Choose UPS, or submit again to keep USPS.",
  );
  expect(ask("UPS", "9400 1000 0000 0000 0000 00")).toContain("looks like a USPS number. Choose USPS,");
  // Parcels of UPS that the postal service delivers.
  expect(ask("UPS", "9261 2900 0000 0000 0000 00")).toBeNull();
  expect(ask("FedEx", "9400 1000 0000 0000 0000 00")).toContain("looks like a USPS number. Choose USPS,");
  expect(ask("USPS", "EA123456789US")).toBeNull();
  expect(ask("FedEx", "EA123456789US")).toContain("USPS number");
  expect(ask("DHL", "7777 1234 5678")).toContain("FedEx number");
  expect(ask("USPS", "1234567890")).toContain("DHL number");
  // What no service is known to have may be a new form, or not all of the number.
  for (const number of [null, "", "7777 1234", "1Z 999", "ABC"]) {
    expect([number, ...["USPS", "UPS", "FedEx", "DHL"].map((service) => ask(service, number))]).toEqual([
      ...[number, null, null, null, null],
    ]);
  }
  expect(ask("Another service", "1Z999AA10123456784")).toBeNull();
});

const ended = {
  status: "cancelled",
  stage: "handed over",
  hasEndingProblem: false,
  hasProblem: false,
  isBySystem: false,
  isRefundDue: true,
  isReturnDue: false,
  parcel: null,
} as const;

test("an ended order says what ended it, and who pays back", () => {
  const textsOf = (stage: (typeof orderStages)[number], hasEndingProblem: boolean) => {
    const order = { ...ended, stage, hasEndingProblem };
    return `${orderStatusText("buyer", order)} ${nextStepText("buyer", order, null)}`;
  };
  const paysBack = "The seller pays back whatever you’ve paid.";
  expect(textsOf("reserved", false)).toBe("This order has been cancelled. You don’t owe anything.");
  expect(textsOf("handed over", false)).toBe(`This order has been cancelled. ${paysBack}`);
  for (const stage of ["reserved", "handed over"] as const)
    expect(textsOf(stage, true)).toBe(
      `This order ended because of a problem. ${paysBack.replace(".", ", unless the problem was settled in another way.")}`,
    );
});

test("after a handover, each side reads what it has to give back", () => {
  const textsOf = (due: object) =>
    (["buyer", "seller"] as const).map((role) =>
      nextStepText(role, { ...ended, isReturnDue: true, ...due }, null),
    );
  expect(textsOf({})).toEqual([
    "The seller pays back whatever you’ve paid. If you have the device, give it back to the seller.",
    "Pay back whatever the buyer has paid. If the buyer has the device, they give it back.",
  ]);
  // It was not paid.
  expect(textsOf({ isRefundDue: false, hasEndingProblem: true })[0]).toBe(
    "If you have the device, give it back to the seller, unless the problem was settled in another way.",
  );
  expect(textsOf({ isReturnDue: false, isRefundDue: false })[1]).toBe("Who owes what is settled.");
  expect(textsOf({ hasProblem: true })[0]).toBe("Who owes what isn’t settled yet.");
});

test("after a handover, a side reads that the one who owes it something has left", () => {
  const textOf = (role: "buyer" | "seller", due: object) =>
    nextStepText(role, { ...ended, isReturnDue: true, gone: "buyer", ...due }, null);
  expect(textOf("seller", {})).toBe(
    "Pay back whatever the buyer has paid. If the buyer has the device, they give it back. The buyer has left. Report within 30 days of the end if they still owe you something: we decide, but can’t get it back for you.",
  );
  expect(textOf("buyer", { gone: "seller" })).toMatch(/The seller has left. Report within 30 days/);
  expect(textOf("seller", { isReturnDue: false })).toBe("Pay back whatever the buyer has paid.");
});

test("a problem does not wait for a side that has left", () => {
  const problem = { state: "offered", openedBy: "buyer", scope: "after handover", isOverdue: false } as const;
  expect(problemStatusText({ ...problem, isOtherGone: true }, "seller", "May 2, 2026")).toBe(
    "The buyer has left, so Ringback decides after May 2, 2026.",
  );
});

test("a device that was handed over does not wait for a buyer who has left", () => {
  const textsOf = (gone: "buyer" | null) => {
    const order = { ...ended, status: "active", gone } as const;
    return (["seller", "administrator"] as const).map(
      (role) => `${orderStatusText(role, order)} ${nextStepText(role, order, "May 2, 2026")}`,
    );
  };
  expect(textsOf("buyer")).toEqual([
    "You’ve handed it over. The buyer has left, so we mark it as received after May 2, 2026.",
    "The seller has handed it over. The buyer has left, so the order counts as received after May 2, 2026.",
  ]);
  for (const text of textsOf(null))
    expect(text).toContain("Next, the buyer marks it as received. They have until");
});

test("an order says what follows once a side has left", () => {
  const textOf = (role: "buyer" | "seller", order: object) => {
    const gone = role === "buyer" ? "seller" : "buyer";
    const told = { ...ended, stage: "reserved", status: "active", gone, ...order } as const;
    const next = nextStepText(role, told, "May 2, 2026");
    return [orderStatusText(role, told), next, paymentText(role, told)].join(" ");
  };
  expect(textOf("buyer", {})).toBe(
    "Reserved. The seller has left, so we’ll cancel this order soon. You don’t owe anything. Don’t pay: the seller has left.",
  );
  expect(textOf("seller", {})).toBe(
    "Reserved. The buyer has left, so don’t hand it over: we’ll cancel this order soon, and your device goes back on sale. It doesn’t count in your record. Ringback doesn’t hold the money.",
  );
  // Who has paid Ringback is not told that they owe nothing.
  const paid = { gone: null, isRefundable: true, isBuyerSuspended: true };
  expect(textOf("buyer", paid)).toContain(
    "Your account is suspended, so we’ll cancel this order soon. You get your money back.",
  );
  expect(textOf("buyer", { isRefundable: true })).toContain(
    "cancel this order soon. You get your money back.",
  );
  const cancelled = { status: "cancelled", isBySystem: true, isAbandoned: true };
  expect(textOf("buyer", cancelled)).toBe(
    "We cancelled this order because the seller has left. You don’t owe anything. Already paid? The seller has left, so report it on the order’s page, and we decide.",
  );
  // Who has paid gets it back.
  for (const [role, text] of [
    ["buyer", "You get your money back."],
    ["seller", "The buyer gets their money back."],
  ] as const) {
    expect(textOf(role, { ...cancelled, isRefundable: true })).toContain(text);
    expect(textOf(role, { ...cancelled, isRefundable: true })).not.toContain("owe");
  }
  expect(textOf("seller", cancelled)).toMatch(
    /^We cancelled this order because the buyer has left. Your device went back on sale, and your record doesn’t show it. The buyer doesn’t owe/,
  );
  expect(textOf("seller", { ...cancelled, isAbandoned: false, isMissed: false })).toMatch(
    /in time. Your device went back on sale. You couldn’t reach the buyer, so your record doesn’t show it. The/,
  );
  // Who leaves later has nothing to do with a deadline that was missed.
  expect(textOf("seller", { ...cancelled, isAbandoned: false })).toMatch(
    /because you didn’t hand it over in/,
  );
  expect(textOf("buyer", { stage: "handed over" })).toMatch(/ The seller has left. Confirm by May 2, 2026 /);
  expect(textOf("seller", { hasProblem: true })).toMatch(/It’s on hold until that’s settled. Ringback/);
});

test("an order says that Ringback ended its stage", () => {
  const textOf = (order: object) => orderStatusText("buyer", { ...ended, ...order, isBySystem: true });
  expect(textOf({ stage: "reserved" })).toMatch(/^We cancelled this order because the seller/);
  expect(textOf({ status: "active", stage: "received" })).toMatch(/^We marked it as received/);
});

test("both sides read which parcel a shipped device is in", () => {
  const parcel = { parcelService: "Another service", trackingNumber: null };
  const order = {
    status: "active",
    stage: "handed over",
    hasEndingProblem: false,
    hasProblem: false,
    isBySystem: false,
  } as const;
  expect(orderStatusText("buyer", { ...order, parcel })).toMatch(
    /^It’s on its way with another parcel service\. Once/,
  );
  expect(orderStatusText("seller", { ...order, parcel })).toMatch(
    /^You’ve shipped it with another parcel service\.$/,
  );
  expect(orderStatusText("buyer", { ...order, parcel: null })).toMatch(/^Handed over! Once/);
});

test("nobody reads that the payment was agreed while a problem is open", () => {
  const order = { ...ended, status: "active" } as const;
  expect(paymentText("buyer", { ...order, hasProblem: false })).toMatch(
    /^You pay the seller as you two agree\./,
  );
  expect(paymentText("buyer", { ...order, hasProblem: true })).toBe("Ringback doesn’t hold the money.");
});

test("who cannot message each other reads where to agree on the payment", () => {
  const reserved = { ...ended, stage: "reserved", status: "active", hasBlock: true } as const;
  const pays = "You pay the seller, not Ringback: at the handover or before it ships.";
  expect(paymentText("buyer", { ...reserved, hasBlock: false })).toBe(
    `${pays} Agree with the seller in Messages.`,
  );
  const suspended = { ...reserved, hasBlock: false, isViewerSuspended: true };
  expect(paymentText("buyer", suspended)).toBe(paymentText("buyer", reserved));
  expect(paymentText("buyer", reserved)).toBe(
    `${pays} You can’t message each other. If you need to agree on the payment, report a problem: on its page, both of you can write.`,
  );
  expect(paymentText("buyer", { ...reserved, hasProblem: true })).toBe(
    `${pays} Agree on the problem’s page.`,
  );
  expect(paymentText("buyer", { ...reserved, canReport: false })).toBe(pays);
  expect(paymentText("administrator", { ...reserved, canReport: false })).not.toContain("messages");
});

test("a cancelled order is paid back, unless a problem settles the money", () => {
  const order = { ...ended, stage: "reserved" } as const;
  const textOf = (hasEndingProblem: boolean, hasProblem: boolean) =>
    paymentText("buyer", { ...order, hasEndingProblem, hasProblem });
  expect(textOf(false, false)).toBe("Already paid? The seller pays you back.");
  for (const [hasEndingProblem, hasProblem] of [
    [true, false],
    [false, true],
  ] as const)
    expect(textOf(hasEndingProblem, hasProblem)).toBe("Ringback doesn’t hold the money.");
});

test("an accepted offer says at which price and when it can be used", () => {
  const offer = {
    state: "accepted",
    answer: "accepted",
    side: "buyer",
    role: "buyer",
    amountCents: 30_000,
    priceCents: 40_000,
    other: "Sella",
    bookedBy: null,
    isBarred: false,
    bookedCents: null,
    until: new Date("2026-11-27T13:47:20Z"),
  } as const;
  const timeOf = (isoTime: string) => isoTime.slice(11, 16);
  const textWith = (wait: string) => offerText({ ...offer, wait: { until: new Date(wait) } }, timeOf);
  expect(offerText({ ...offer, priceCents: 29_000, wait: null }, timeOf)).toBe(
    "Agreed at $300 until 13:47, but the listing’s price is now $290: the lower one holds.",
  );
  // Times are shown without seconds.
  expect(textWith("2026-11-27T13:47:10Z")).toBe(
    "Agreed at $300 until 13:47. You cancelled this device, so you can only book it in time if Sella lets you.",
  );
  expect(textWith("2026-11-27T13:46:10Z")).toContain("book it again after 13:46, or once Sella lets you.");
  const [at, wait] = [new Date("2026-11-26T13:47:20Z"), { until: new Date("2026-11-27T10:00:00Z") }];
  const time = "Nov 27, 2026, 10:00 AM UTC";
  expect(offerEmailFacts("counteroffer accepted", at, wait)).toEqual([
    ["The price holds until", "Nov 27, 2026, 1:47 PM UTC"],
    [
      "Booking",
      `The buyer cancelled this device, so they can book it again after ${time}, or once you let them.`,
    ],
  ]);
  expect(offerEmailFacts("offer accepted", at, wait)[1]?.[1]).toContain("or once the seller lets you.");
  expect(offerEmailFacts("offer accepted", at)).toHaveLength(1);
});

test("the page of an order fits how its problem ended", () => {
  const order = { ...ended, status: "active" } as const;
  const nextOf = (more: object) => nextStepText("buyer", { ...order, ...more }, "May 2, 2026");
  expect(nextOf({})).toMatch(/^Confirm by May 2, 2026 that you got it, or report a problem\. After that/);
  expect(nextOf({ canReport: false })).toMatch(/^Confirm by May 2, 2026 that you got it\. After that/);
  const settled =
    "Mark it as received once what we decided is done. After May 2, 2026, we do that. If it isn’t done, report it on the order’s page, also later.";
  expect(nextOf({ problemEnd: "decided" })).toBe(settled);
  expect(nextOf({ problemEnd: "agreed" })).toBe(settled.replace("we decided", "you agreed on"));
  const returned = { ...ended, hasEndingProblem: true } as const;
  expect(nextStepText("buyer", { ...returned, problemEnd: "agreed" }, null)).toBe(
    "The seller pays back whatever you’ve paid.",
  );
  expect(nextStepText("buyer", { ...returned, problemEnd: "decided" }, null)).toMatch(/, unless the problem/);
  const received = { ...order, stage: "received" } as const;
  expect(orderStatusText("buyer", received)).toBe("All done. Enjoy it!");
  expect(orderStatusText("buyer", { ...received, problemEnd: "refused" })).toBe("Received.");
});

test("a booking below the agreed price names its own", () => {
  const offer = {
    state: "booked",
    answer: "accepted",
    side: "buyer",
    role: "buyer",
    amountCents: 20_000,
    priceCents: 15_000,
    other: "Sella",
    bookedBy: "buyer",
    isBarred: false,
    until: null,
    wait: null,
  } as const;
  const textOf = (bookedCents: number) => offerText({ ...offer, bookedCents }, (time) => time);
  expect(textOf(15_000)).toBe("Agreed at $200, and booked for $150.");
  expect(textOf(20_000)).toBe("Agreed at $200, and booked.");
});

test.each([
  [100, null],
  [101, null],
  [150, { lowest: 100, highest: 148 }],
  [199, { lowest: 100, highest: 197 }],
  [200, { lowest: 100, highest: 100 }],
  [250, { lowest: 125, highest: 247 }],
  [300, { lowest: 200, highest: 200 }],
  [41_900, { lowest: 21_000, highest: 41_400 }],
  [41_950, { lowest: 20_975, highest: 41_530 }],
])(
  "offers for %i cents are a share of it, at least the lowest price, and whole if it is",
  (priceCents, range) => {
    expect(offerRange(priceCents)).toEqual(range);
    const listing = { status: "available", offersWelcome: null, sellingCents: priceCents };
    expect(offerRefusalOf(listing, false, 3)).toBe(range ? null : "price too low");
  },
);

test("a seller makes no counteroffer where no price is left for it", () => {
  const offer = {
    state: "pending",
    side: "buyer",
    role: "seller",
    amountCents: 100,
    isBarred: false,
  } as const;
  expect(offerIntentsOf({ ...offer, priceCents: 102 })).toEqual(["accept", "counter", "refuse"]);
  expect(offerIntentsOf({ ...offer, priceCents: 101 })).toEqual(["accept", "refuse"]);
});

test("emails promise no report and no offer that may not be possible", () => {
  expect(notificationTexts["receive reminder"].next).not.toMatch(/report a problem/);
  expect(notificationTexts["offer refused"].next).not.toMatch(/another offer/);
});
