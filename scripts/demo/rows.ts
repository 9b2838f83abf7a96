import { v7 as timeOrderedId } from "uuid";
import type { Color, OrderStage } from "#app/db/enums.ts";
import { publicationDate } from "#app/features/reviews/review.rules.ts";
import { dayMs } from "#app/time.ts";
import type { DemoConversation } from "./conversations.ts";
import type { DeviceModel } from "./device-model.ts";
import type { DemoListing } from "./listings.ts";
import type { DemoReview } from "./reviews.ts";
import type { DemoSale } from "./sales.ts";

/** The rows of a sold listing, its order and the steps of the order. */
export function saleRows(
  { slug, rom, price, daysAgo }: DemoSale,
  model: DeviceModel,
  sellerId: string,
  buyer: { id: string; name: string; email: string },
  now: Date,
) {
  const daysBefore = (days: number) => new Date(now.getTime() - (daysAgo + days) * dayMs);
  const [posted, reserved, handedOver, received] = [12, 4, 3, 0].map(daysBefore) as [Date, Date, Date, Date];
  const listing = { slug, rom, sellingPrice: price, sellingReason: "I have a newer one.", usedTime: "30" };
  const phone = {
    ...phoneRow(listing, model, sellerId, posted),
    status: "sold" as const,
  };
  const order = {
    id: timeOrderedId({ msecs: reserved.getTime() }),
    phoneId: phone.id,
    buyerId: buyer.id,
    productName: `${phone.brandName} ${phone.model}`,
    ram: phone.ram,
    rom,
    buyerName: buyer.name,
    buyerAddress: "7 Ropewalk Lane, Fairhaven",
    email: buyer.email,
    phoneNumber: "555 0142",
    priceCents: phone.sellingCents,
    stage: "received" as const,
    createdAt: reserved,
  };
  const step = (kind: OrderStage, actorId: string, createdAt: Date) => {
    return { id: timeOrderedId({ msecs: createdAt.getTime() }), orderId: order.id, kind, actorId, createdAt };
  };
  const steps = [
    step("reserved", buyer.id, reserved),
    step("handed over", sellerId, handedOver),
    step("received", buyer.id, received),
  ];
  return { phone, order, steps };
}

const later = (date: Date, days: number) => new Date(date.getTime() + days * dayMs);

/** A buyer's review of a sale, a day after the receipt. */
export function reviewRow(
  { order, phone, steps }: ReturnType<typeof saleRows>,
  { stars, text, reply }: DemoReview,
) {
  const createdAt = later((steps.at(-1) as (typeof steps)[number]).createdAt, 1);
  return {
    id: timeOrderedId({ msecs: createdAt.getTime() }),
    orderId: order.id,
    authorRole: "buyer" as const,
    authorId: order.buyerId,
    subjectId: phone.sellerId,
    stars,
    text,
    createdAt,
    publishedAt: publicationDate(createdAt),
    reply,
    repliedAt: reply ? later(createdAt, 15) : null,
  };
}

/** A conversation whose texts are ten minutes apart; the side that did not write last has unread ones. */
export function conversationRows(
  { texts, hoursAgo, unread }: DemoConversation,
  listing: ReturnType<typeof phoneRow>,
  buyerId: string,
  now: Date,
) {
  const start = now.getTime() - hoursAgo * 3_600_000;
  const createdAt = new Date(start);
  const id = timeOrderedId({ msecs: start });
  const { sellerId, brandName, model } = listing;
  const productName = `${brandName} ${model}`;
  const messages = texts.map((text, index) => {
    const sentAt = new Date(start + index * 600_000);
    const senderId = index % 2 === 0 ? buyerId : sellerId;
    const messageId = timeOrderedId({ msecs: sentAt.getTime() });
    return { id: messageId, conversationId: id, senderId, text, createdAt: sentAt };
  });
  const last = messages.at(-1) as (typeof messages)[number];
  const participant = (userId: string, otherId: string) => ({
    ...{ conversationId: id, userId, otherId, lastMessageId: last.id },
    unread: last.senderId === userId ? 0 : unread,
  });
  return {
    conversation: { id, phoneId: listing.id, buyerId, productName, createdAt },
    participants: [participant(buyerId, sellerId), participant(sellerId, buyerId)],
    messages,
  };
}

const plainColors: [Color, RegExp][] = [
  ["White", /white|cream/i],
  ["Gray", /grey|titanium|hazel/i],
  ["Silver", /silver/i],
  ["Pink", /pink|rose|peony/i],
  ["Gold", /gold|champagne|bronze/i],
  ["Blue", /blue/i],
  ["Green", /green|mint|lime|sage/i],
  ["Red", /red|magenta/i],
  ["Purple", /purple|violet/i],
  ["Orange", /coral|sunrise/i],
  ["Yellow", /yellow/i],
];

/** The plain word for a manufacturer's name of a color. */
function plainColor(name: string): Color {
  const [color] = plainColors.find(([, names]) => names.test(name)) ?? ["Black"];
  return color as Color;
}

export function phoneRow(
  listing: Omit<DemoListing, "sellerEmail" | "daysAgo">,
  model: DeviceModel,
  sellerId: string,
  posted: Date,
) {
  const launchPrice = model.storage.find(({ rom }) => rom === listing.rom)?.launchPrice;
  if (!launchPrice) throw new Error(`${model.slug} was not sold with ${listing.rom}`);
  return {
    id: timeOrderedId({ msecs: posted.getTime() }),
    sellerId,
    brandName: model.brandName,
    model: model.model,
    ram: model.ram,
    rom: listing.rom,
    image: `/devices/${model.slug}.svg`,
    camera: model.camera,
    processor: model.processor,
    battery: model.battery,
    os: model.os,
    deviceType: model.deviceType,
    sellingReason: listing.sellingReason,
    marketCents: launchPrice * 100,
    sellingCents: listing.sellingPrice * 100,
    postDate: posted.toISOString().slice(0, 10),
    usedTime: listing.usedTime,
    condition: listing.condition,
    batteryHealth: listing.batteryHealth,
    carrierLock: listing.carrierLock,
    details: listing.details,
    color: listing.condition && plainColor(model.shape.color.name),
    createdAt: posted,
  };
}
