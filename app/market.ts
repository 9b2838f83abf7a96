import { brand } from "./brand.ts";

/** What depends on where people trade. Prices are stored in hundredths of the currency; the texts are English. */
export const market = {
  /** ISO 4217. */
  currency: "USD",
  /** The sign of an amount, as in "349$" in the tables of the specification. */
  currencySign: "$",
  /** The currency in a sentence: "a price in dollars". */
  currencyName: "dollars",
  currencyFullName: "US dollars",
  /** Other currencies, as people type them. No price is read in one. */
  otherCurrencies: [
    ...["€", "£", "¥", "₹", "₩", "₽", "₺", "C$", "CA$", "A$", "AU$", "NZ$"],
    ...["euro", "euros", "EUR", "pound", "pounds", "quid", "GBP", "CAD", "AUD", "CHF"],
    ...["yen", "JPY", "yuan", "CNY", "rupee", "rupees", "INR", "peso", "pesos", "MXN"],
  ],
  /** Makes a price of an amount that already has its group and decimal signs. */
  price: (amount: string) => `$${amount}`,
  /** The highest price of what a search for "cheap" finds, in hundredths. */
  cheapCents: 20_000,
  groupSign: ",",
  decimalSign: ".",
  /** Where devices are sold to and shipped from: ISO 3166-1. */
  country: "US",
  /** How dates are written: a BCP 47 tag. */
  locale: "en-US",
  timeZone: "UTC",
  /** The carriers that phones may be locked to. */
  carriers: ["AT&T", "T-Mobile", "Verizon"],
  /** Carriers that use the networks of the above. People name them in searches. */
  otherCarriers: [
    ...["Boost Mobile", "Consumer Cellular", "Cricket", "Google Fi", "Metro by T-Mobile"],
    ...["Metro PCS", "Mint Mobile", "Straight Talk", "TracFone", "US Cellular", "US Mobile"],
    ...["Red Pocket", "Simple Mobile", "Sprint", "Spectrum Mobile", "Total Wireless", "Visible", "Xfinity"],
  ],
  /** Carriers of other countries that people name in searches. */
  foreignCarriers: [
    ...["Airtel", "Claro", "Bell Canada", "EE", "Jio", "Koodo", "Lycamobile", "Movistar", "Optus", "Rogers"],
    ...["O2", "Telcel", "Telekom", "Telstra", "Telus", "Three UK", "Vodafone"],
  ],
  /** The services that sellers ship with. */
  parcelServices: ["USPS", "UPS", "FedEx", "DHL", "Another service"],
  warranty: {
    short: "1-year warranty",
    long: "one-year warranty on parts",
    length: "1 year",
    total: "a year and seven days",
    cover: "on parts excluding battery and display, plus seven days",
    /** Explains the seven days. */
    extra: "The extra seven days mean you can still report what breaks on day 365.",
  },
} as const;

/** How far from a city devices are found, and how pages say that. */
export const milesNearby = 50;
export const nearby = `${milesNearby} miles`;

/** The cities that devices are found near, with their place north and west in tenths of a degree. */
export const cities = {
  "Atlanta, GA": [337, 844],
  "Austin, TX": [303, 977],
  "Baltimore, MD": [393, 766],
  "Boston, MA": [424, 711],
  "Charlotte, NC": [352, 808],
  "Chicago, IL": [419, 876],
  "Cincinnati, OH": [391, 845],
  "Cleveland, OH": [415, 817],
  "Columbus, OH": [400, 830],
  "Dallas, TX": [328, 968],
  "Denver, CO": [397, 1050],
  "Detroit, MI": [423, 830],
  "Fort Worth, TX": [328, 973],
  "Houston, TX": [298, 954],
  "Indianapolis, IN": [398, 862],
  "Jacksonville, FL": [303, 817],
  "Kansas City, MO": [391, 946],
  "Las Vegas, NV": [362, 1151],
  "Los Angeles, CA": [341, 1182],
  "Miami, FL": [258, 802],
  "Milwaukee, WI": [430, 879],
  "Minneapolis, MN": [450, 933],
  "Nashville, TN": [362, 868],
  "New Orleans, LA": [300, 901],
  "New York, NY": [407, 740],
  "Newark, NJ": [407, 742],
  "Oakland, CA": [378, 1223],
  "Oklahoma City, OK": [355, 975],
  "Orlando, FL": [285, 814],
  "Philadelphia, PA": [400, 752],
  "Phoenix, AZ": [334, 1121],
  "Pittsburgh, PA": [404, 800],
  "Portland, OR": [455, 1227],
  "Raleigh, NC": [358, 786],
  "Sacramento, CA": [386, 1215],
  "Salt Lake City, UT": [408, 1119],
  "San Antonio, TX": [294, 985],
  "San Diego, CA": [327, 1172],
  "San Francisco, CA": [378, 1224],
  "San Jose, CA": [373, 1219],
  "Savannah, GA": [321, 811],
  "Seattle, WA": [476, 1223],
  "St. Louis, MO": [386, 902],
  "Tampa, FL": [280, 825],
  "Tucson, AZ": [322, 1110],
  "Washington, DC": [389, 770],
} as const;

/** How long each stage of an order lasts before it ends by itself, and how much time the side that waits can add, once. */
export const orderDeadlines = {
  reserved: { days: 5, reminderDaysBefore: 2, extensionDays: 5 },
  "handed over": { days: 14, reminderDaysBefore: 7, extensionDays: 7 },
};

/** Protected payments: for orders of sellers who can be paid by the provider, where the market has one. */
export const paymentTerms = {
  /** How long a booking waits for its payment. */
  payMinutes: 60,
  /** How long after the receipt the seller is paid, unless the buyer has that done earlier. */
  releaseDays: 2,
  /** How long after its end the device of an order can come back before the buyer is paid back. */
  returnDays: 14,
  /** What the market keeps of a sale, in whole per cent and cents. */
  fee: { percent: 0, fixedCents: 0, minimumCents: 0 },
};

/** For how many days a shop can let buyers of protected orders change their mind. */
export const returnDayChoices = [0, 14, 30] as const;

/** How many days a reserved order waits for a seller who is suspended for good; then it is cancelled. */
export const suspendedSellerDays = 30;

const claimAnswer = "Report a problem from your order. If you and the seller can’t settle it, we decide.";

/** How long people can undo what they did. */
export const undoMinutes = 10;
export const undoMs = undoMinutes * 60_000;

/** What was deleted is erased after so many days. Until then its owner can appeal, and staff reverse, a removal. */
export const purgeAfterDays = 30;

/** Who pays whom, and when. */
const payment = {
  buyer: `You pay the seller, not ${brand.name}: at the handover or before it ships.`,
  seller: `The buyer pays you, not ${brand.name}: at the handover or before you ship it.`,
  administrator: `The buyer pays the seller, not ${brand.name}: at the handover or before it ships.`,
};

/** Money and promises, in the words that all pages and emails share. */
export const terms = {
  payment: {
    buyer: `${payment.buyer} Agree with the seller in Messages.`,
    seller: `${payment.seller} Agree with the buyer in Messages.`,
    administrator: `${payment.administrator} They agree in Messages.`,
  },
  /** The same for who cannot message each other. */
  paymentInSilence: payment,
  /** Beside the above, in a market with a payment provider. */
  paymentIfProtected: {
    buyer: `Where a listing says “Protected payment”, you pay when you book, and ${brand.name} holds the money until you have the device.`,
    seller: `If you’ve set up payouts, the buyer pays when they book. ${brand.name} holds the money, and pays you after they have the device.`,
    administrator: `Where a listing says “Protected payment”, the buyer pays when they book, and ${brand.name} holds the money until they have the device.`,
  },
  /** Of a listing whose seller the payment provider can pay. */
  protectedPayment: `Protected payment: you pay when you book. ${brand.name} holds the money until you have the device.`,
  /** For how many days a buyer of a protected order can change their mind. */
  returns: (days: number) =>
    `Changed your mind? Send it back within ${daysLabel(days)}, and get your money back.`,
  notHeld: `${brand.name} doesn’t hold the money.`,
  warranty: `${market.warranty.length} ${market.warranty.cover}.`,
  authenticity: "You get a genuine device: the brand, model, RAM and storage in the listing.",
  delivery: `Handed over or shipped within ${orderDeadlines.reserved.days} days.`,
  /** Follows when the seller has to hand a device over. */
  notDelivered: "If not, we cancel the order and you don’t owe anything.",
  /** The same of an order that the buyer has paid. */
  notDeliveredButPaid: "If not, we cancel the order and you get your money back.",
  claim: `Something’s wrong? ${claimAnswer}`,
  claimAnswer,
};

/** How long each side of an order problem and the moderators have, in days. */
export const problemDays = {
  answer: 3,
  reminderBefore: 1,
  decision: 5,
  /** How long after the receipt a problem can be opened: as long as the warranty. */
  openable: 365 + 7,
  /** How long after its end an order can be reported: the buyer’s money or the seller’s device has not come back. */
  refund: 30,
  /** How long after the last receipt of a device a seller keeps the account. */
  sale: 30,
};

/** How many problems with an order a side can open that moderators refuse. What it marks as solved is not in vain. */
export const maxProblemsInVain = 3;

/** How long buyers who cancelled a device cannot book it again, so that they don't flood its seller with emails. */
export const rebookingHours = 24;

/** Price offers of buyers, and counteroffers of sellers. */
export const offerTerms = {
  /** An offer in percent of the price. A counteroffer lies between the offer and the price. */
  minPercent: 50,
  maxPercent: 99,
  /** How many a buyer can make for a listing, one at a time. */
  perListing: 3,
  /** How long an offer waits for an answer. */
  answerHours: 48,
  /** How long the buyer can book at an accepted price. */
  bookingHours: 24,
};

export const reviewDays = {
  /** How long after the device was received a review can be written. */
  writable: 60,
  /** How long after its creation a review can be changed. */
  editable: 14,
  /** How long a review stays hidden while the other side has not written theirs. */
  hidden: 14,
};

/** A whole number with separators: "12,400". Not by `toLocaleString`, which is slow and delays the Worker's start. */
export function countLabel(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, market.groupSign);
}

export function daysLabel(days: number): string {
  return `${countLabel(days)} ${days === 1 ? "day" : "days"}`;
}
