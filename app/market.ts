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

/** Carriers that use the networks of the market’s. People name them in searches. */
export const otherCarriers = [
  ...["Boost Mobile", "Consumer Cellular", "Cricket", "Google Fi", "Metro by T-Mobile"],
  ...["Metro PCS", "Mint Mobile", "Straight Talk", "TracFone", "US Cellular", "US Mobile"],
  ...["Red Pocket", "Simple Mobile", "Sprint", "Spectrum Mobile", "Total Wireless", "Visible", "Xfinity"],
];

/** Carriers of other countries that people name in searches. */
export const foreignCarriers = [
  ...["Airtel", "Claro", "Bell Canada", "EE", "Jio", "Koodo", "Lycamobile", "Movistar", "Optus", "Rogers"],
  ...["O2", "Telcel", "Telekom", "Telstra", "Telus", "Three UK", "Vodafone"],
];

/** How far from a city devices are found, and how pages say that. */
export const milesNearby = 50;
export const milesLabel = (miles: number) => `${miles} miles`;
export const nearby = milesLabel(milesNearby);

export const exampleCity = "Austin, TX";

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

/** For how many days a shop can let buyers of protected orders change their mind. */
export const returnDayChoices = [0, 14, 30] as const;

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

/** A whole number with separators: "12,400". Not by `toLocaleString`, which is slow and delays the Worker's start. */
export function countLabel(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, market.groupSign);
}

export function daysLabel(days: number): string {
  return `${countLabel(days)} ${days === 1 ? "day" : "days"}`;
}
