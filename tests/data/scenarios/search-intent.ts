import assert from "node:assert/strict";
import type { Db } from "#app/db/client.server.ts";
import type { phones as phoneRows } from "#app/db/schema.ts";
import { appliedFilters } from "#app/features/catalog/applied-filters.rules.ts";
import { categoryByKey } from "#app/features/catalog/category.rules.ts";
import { searchWithCorrection, understandWithCatalog } from "#app/features/catalog/search/search.server.ts";
import { parseSearchQuery, searchString } from "#app/features/catalog/search/search-query.rules.ts";
import { addPhone } from "../../harness/fixtures.ts";

type Row = Partial<typeof phoneRows.$inferInsert>;

const iphone: Row = { brandName: "Apple", processor: "Apple Bionic", os: "Ios" };
const samsung: Row = { brandName: "Samsung", processor: "Exynos" };
const tablet: Row = { deviceType: "Tablet" };

/** Oldest first; without relevance the last ones would come first. Prices in dollars. */
const devices: [Row, number][] = [
  [{ ...samsung, model: "Galaxy A52 5G", rom: "128 GB", ram: "6 GB" }, 119],
  [{ ...iphone, model: "iPhone SE (2nd generation)", rom: "64 GB", ram: "3 GB", color: "Red" }, 95],
  [
    {
      ...iphone,
      model: "iPhone 8",
      rom: "64 GB",
      ram: "2 GB",
      color: "Gold",
      condition: "Fair",
      carrierLock: "Locked to Verizon",
    },
    79,
  ],
  [{ ...iphone, model: "iPhone 12", rom: "64 GB", ram: "4 GB", color: "Blue", carrierLock: "Unlocked" }, 229],
  [{ ...iphone, model: "iPhone 13", rom: "128 GB", ram: "4 GB", color: "Blue", condition: "Good" }, 329],
  [{ ...iphone, model: "iPhone 13", rom: "256 GB", ram: "4 GB", color: "Black", batteryHealth: 92 }, 379],
  [{ ...iphone, model: "iPhone 13 mini", rom: "128 GB", ram: "4 GB", color: "Pink" }, 289],
  [{ ...iphone, model: "iPhone 13 Pro", rom: "128 GB", ram: "6 GB", color: "Gold", batteryHealth: 86 }, 459],
  [{ ...iphone, model: "iPhone 13 Pro Max", rom: "256 GB", ram: "6 GB", color: "Silver" }, 549],
  [{ ...iphone, model: "iPhone 15 Pro", rom: "1 TB", ram: "8 GB", carrierLock: "Unlocked" }, 899],
  [
    { ...samsung, model: "Galaxy S21", rom: "128 GB", ram: "8 GB", color: "Purple", condition: "Excellent" },
    219,
  ],
  [{ ...samsung, model: "Galaxy S21 Ultra", rom: "256 GB", ram: "12 GB", carrierLock: "Unlocked" }, 349],
  [{ ...samsung, model: "Galaxy S24", rom: "256GB", ram: "8GB", color: "Gray" }, 599],
  [{ brandName: "Google", model: "Pixel 6", processor: "Tensor", rom: "128 GB", color: "Green" }, 189],
  [{ brandName: "Google", model: "Pixel 8 Pro", processor: "Tensor", rom: "256 GB", ram: "12 GB" }, 499],
  [{ brandName: "OnePlus", model: "11", processor: "Snapdragon 8 Gen 2", rom: "256 GB", ram: "16 GB" }, 399],
  [
    {
      brandName: "Nothing",
      model: "Phone (1)",
      processor: "Snapdragon 778G+",
      color: "White",
      rom: "128 GB",
    },
    199,
  ],
  [
    { brandName: "Xiaomi", model: "Redmi Note 10 Pro", processor: "Snapdragon", rom: "64 GB", ram: "6 GB" },
    129,
  ],
  [
    { ...iphone, ...tablet, model: "iPad Air (5th generation)", rom: "64 GB", ram: "8 GB", color: "Blue" },
    389,
  ],
  [{ ...samsung, ...tablet, model: "Galaxy Tab S8", rom: "128 GB", ram: "8 GB", color: "Gray" }, 309],
  [{ brandName: "Google", ...tablet, model: "Pixel Tablet", rom: "128 GB", ram: "8 GB" }, 249],
];

const nothing = null;

/** What is typed, the chips that it leads to, the first model, and the words that the notes name. */
const queries: [typed: string, chips: string, first: string | null, noted?: string][] = [
  // Words of facts that no list filters by: first looked for, then left out.
  ["galaxy s21 5g", '"galaxy s21"', "Galaxy S21", "5g"],
  ["ipad wifi", '"ipad"', "iPad Air (5th generation)", "wifi"],
  ["iphone 12 with box", '"iphone 12"', "iPhone 12", "with box"],
  ["iphone 12 in original box", '"iphone 12"', "iPhone 12", "in original box"],
  ["iphone 12 no scratches", '"iphone 12"', "iPhone 12", "no scratches"],
  ["iphone 12 not repaired, blue", '"iphone 12", Blue', "iPhone 12", "not repaired"],
  ["iphone 12 free shipping", '"iphone 12"', "iPhone 12", "free shipping"],
  ["iphone 12 local pickup", '"iphone 12"', "iPhone 12", "local pickup"],
  ["iphone 12 near me", '"iphone 12"', "iPhone 12", "near me"],
  ["dual sim phone", "Phones only", "Redmi Note 10 Pro", "dual sim"],
  ["new iphone 13", '"iphone 13"', "iPhone 13", "new"],
  ["like new galaxy s21 5g", '"galaxy s21", Excellent condition', "Galaxy S21", "5g"],
  ["broken iphone 12", '"iphone 12"', "iPhone 12", "broken"],
  ["good camera phone", "Phones only", "Redmi Note 10 Pro", "good camera"],
  ["5g phone", "Phones only", "Redmi Note 10 Pro", "5g"],
  ["galaxy a52 5g", '"galaxy a52 5g"', "Galaxy A52 5G"],
  ["phone 5000mah", "Phones only", "Redmi Note 10 Pro", "5000mah"],
  ["kids tablet", "Tablets", "Pixel Tablet", "kids"],
  ["tablets for drawing", "Tablets", "Pixel Tablet", "for drawing"],
  ["small phone", "Phones only", "Redmi Note 10 Pro", "small"],
  ["folding phone", "Phones only", "Redmi Note 10 Pro", "folding"],
  ["samsung phone with lots of storage", '"samsung", Phones only', "Galaxy S24", "with lots of storage"],
  ["iphone se 2020", '"iphone se"', "iPhone SE (2nd generation)", "2020"],
  ["apple ipad 2022", '"apple ipad"', "iPad Air (5th generation)", "2022"],
  ["tablet 10 inch", "Tablets", "Pixel Tablet", "10 inch"],
  ["ipad 5 inch", '"ipad 5"', "iPad Air (5th generation)"],
  ["phone for my mom", "Phones only", "Redmi Note 10 Pro", "for my mom"],
  ["gaming phone 12gb ram", "Phones only, 12 GB RAM", "Pixel 8 Pro", "gaming"],
  ["iphone 12 / 13", '"iphone 12 or iphone 13"', "iPhone 13"],
  ["iphone 13 icloud unlocked", '"iphone 13"', "iPhone 13", "icloud unlocked"],
  ["waterproof samsung", '"samsung"', "Galaxy Tab S8", "waterproof"],
  ["iphone 12 or 13", '"iphone 12 or iphone 13"', "iPhone 13"],
  ["galaxy s21 or s23", '"galaxy s21 or galaxy s23"', "Galaxy S21"],
  ["pixel 8 and pixel 9", '"pixel 8 or pixel 9"', "Pixel 8 Pro"],
  ["iphone 12 vs 13", '"iphone 12 or iphone 13"', "iPhone 13"],
  ["iphone 13 or samsung galaxy a52", '"iphone 13 or samsung galaxy a52"', "iPhone 13"],
  ["ipad or galaxy tab s8", '"ipad or galaxy tab s8"', "Galaxy Tab S8"],
  ["iphone 12 or samsung", '"iphone 12 or samsung"', "iPhone 12"],
  ["iphone not blue", '"iphone"', "iPhone 15 Pro", "not blue"],
  ["iphone 13 not pro", '"iphone 13 -pro"', "iPhone 13"],
  ["iphone 13 not pro max, 128gb", '"iphone 13 -promax", 128 GB storage', "iPhone 13"],
  ["iphone 13 not the 13 pro max", '"iphone 13 -13promax"', "iPhone 13"],
  ["iphone 12 not at&t", '"iphone 12"', "iPhone 12", "not at&t"],
  ["phone not like new", "Phones only", "Redmi Note 10 Pro", "not like new"],
  ["ipad not 256 gb", '"ipad"', "iPad Air (5th generation)", "not 256 gb"],
  ["android not samsung", 'Android, "-samsung"', "Redmi Note 10 Pro"],
  ["iphone 12 not carrier locked", '"iphone 12", Unlocked only', "iPhone 12"],
  ["iphone 13 not more than 350", '"iphone 13", Up to $350', "iPhone 13"],
  ["iphone 12 not been repaired", '"iphone 12"', "iPhone 12", "not been repaired"],
  ["carrier locked iphone 12", '"iphone 12"', "iPhone 12", "carrier locked"],
  ["Verizon locked iphone", '"iphone", Works on Verizon', "iPhone 15 Pro"],
  // A minus stands for "not", however it is written.
  ["pixel -green", '"pixel"', "Pixel Tablet", "not green"],
  ["iphone -space gray", '"iphone"', "iPhone 15 Pro", "not space gray"],
  ["iphone -128gb", '"iphone"', "iPhone 15 Pro", "not 128gb"],
  ["iphone -128 gb -256 gb", '"iphone"', "iPhone 15 Pro", "not 128 gb, not 256 gb"],
  ["iphone 13 128gb -256gb", '"iphone 13", 128 GB storage', "iPhone 13", "not 256gb"],
  ["galaxy -12gb ram", '"galaxy"', "Galaxy Tab S8", "not 12gb ram"],
  ["samsung -unlocked", '"samsung"', "Galaxy Tab S8", "not unlocked"],
  ["iphone -verizon", '"iphone"', "iPhone 15 Pro", "not verizon"],
  ["iphone -locked", '"iphone", Unlocked only', "iPhone 15 Pro"],
  ["iphone -fair", '"iphone"', "iPhone 15 Pro", "not fair"],
  ["iphone -refurbished", '"iphone"', "iPhone 15 Pro", "not refurbished"],
  ["iphone -cheap -$500", '"iphone"', "iPhone 15 Pro", "not cheap, not $500"],
  ["iphone 13 -blue -pro", '"iphone 13 -pro"', "iPhone 13", "not blue"],
  ["-blue iphone 12", '"iphone 12"', "iPhone 12", "not blue"],
  ["phone -tablet", "Phones only", "Redmi Note 10 Pro"],
  ["pixel not tablets", '"pixel", Phones only', "Pixel 8 Pro"],
  ["samsung -phones", 'Tablets, "samsung"', "Galaxy Tab S8"],
  ["samsung -android", '"samsung"', "Galaxy Tab S8", "not android"],
  ["iphone 13 \u2010pro", '"iphone 13 -pro"', "iPhone 13"],
  ["iphone 13 \u2011pro \u2212mini", '"iphone 13 -pro -mini"', "iPhone 13"],
  ["iphone 13 \uFF0Dblue", '"iphone 13"', "iPhone 13", "not blue"],
  ['iphone 13 -"pro max"', '"iphone 13 -promax"', "iPhone 13"],
  ["iphone 300 -400", '"iphone", From $300, Up to $400', "iPhone 13"],
  ["iphone 12 - 64GB - Unlocked", '"iphone 12", 64 GB storage, Unlocked only', "iPhone 12"],
  ["galaxy-s21", '"galaxy-s21"', "Galaxy S21"],
  // Limits of the battery that no filter has.
  ["iphone battery under 85", '"iphone"', "iPhone 15 Pro", "battery under 85"],
  ["iphone below 90%", '"iphone"', "iPhone 15 Pro", "below 90%"],
  ["iphone at most 80% battery", '"iphone"', "iPhone 15 Pro", "at most 80% battery"],
  ["iphone battery up to 90%", '"iphone"', "iPhone 15 Pro", "battery up to 90%"],
  ["iphone 80% battery or less", '"iphone"', "iPhone 15 Pro", "80% battery or less"],
  ["iphone battery max 80", '"iphone"', "iPhone 15 Pro", "battery max 80"],
  ["iphone battery less than 40", '"iphone"', "iPhone 15 Pro", "battery less than 40"],
  ["iphone 85-95% battery", '"iphone", Battery at least 85%', "iPhone 13 Pro", "85-95% battery"],
  [
    "iphone battery between 80 and 90",
    '"iphone", Battery at least 80%',
    "iPhone 13 Pro",
    "battery between 80 and 90",
  ],
  ["iphone battery 80% to 90%", '"iphone", Battery at least 80%', "iPhone 13 Pro", "battery 80% to 90%"],
  ["iphone 92%", '"iphone", Battery at least 90%', "iPhone 13", "92%"],
  ["iphone battery over 70", '"iphone", Battery at least 80%', "iPhone 13 Pro", "battery over 70"],
  ["iphone 90% - 128gb", '"iphone", 128 GB storage, Battery at least 90%', nothing],
  ["iphone under 40%", '"iphone"', "iPhone 15 Pro", "under 40%"],
  ["phone battery over 4000mah", "Phones only", "Redmi Note 10 Pro", "battery, over 4000mah"],
  ["50 megapixel phone", "Phones only", "Redmi Note 10 Pro", "50 megapixel"],
  ["phone 108 megapixels camera", "Phones only", "Redmi Note 10 Pro", "108 megapixels camera"],
  ["tablet over 10 inch", "Tablets", "Pixel Tablet", "over 10 inch"],
  // Limits of the price, on either side.
  ["200 < price < 400", "From $200, Up to $400", "Pixel Tablet"],
  ["iphone price > 800", '"iphone", From $800', "iPhone 15 Pro"],
  ["iphone 300 > price", '"iphone", Up to $300', "iPhone 13 mini"],
  ["128 <= cost iphone", '"iphone", From $128', "iPhone 15 Pro"],
  ["iphone under $.50", '"iphone", Up to $0.50', nothing],
  // Prices as price fields read them.
  ["under 349,50", "Up to $349.50", "Pixel Tablet"],
  ["iphone 350,00", '"iphone", Up to $350', "iPhone 13 mini"],
  ["iphone 299.99", '"iphone", Up to $299.99', "iPhone 13 mini"],
  ["iphone 299,99", '"iphone", Up to $299.99', "iPhone 13 mini"],
  ["iphone 1,000", '"iphone", Up to $1,000', "iPhone 15 Pro"],
  ["1.5k iphone", '"iphone", Up to $1,500', "iPhone 15 Pro"],
  ["iphone 1k", '"iphone", Up to $1,000', "iPhone 15 Pro"],
  ["iphone under 99,5", '"iphone", Up to $99.50', "iPhone 8"],
  ["iphone 229,50$", '"iphone", Up to $229.50', "iPhone 12"],
  ["iphone 49,50€", '"iphone"', "iPhone 15 Pro", "49,50€"],
  ["iphone 12,13", '"iphone 12 or iphone 13"', "iPhone 13"],
  ["4k tablet", "Tablets", "Pixel Tablet", "4k"],
  // Limits from below, and negated ones.
  ["phone not under 200", "Phones only, From $200", "11"],
  ["iphone not less than 500", '"iphone", From $500', "iPhone 15 Pro"],
  ["phone over 200", "Phones only, From $200", "11"],
  ["samsung at least 200", '"samsung", From $200', "Galaxy Tab S8"],
  ["phone 500 minimum", "Phones only, From $500", "Galaxy S24"],
  ["min. 800 iphone", '"iphone", From $800', "iPhone 15 Pro"],
  ["iphone $500+", '"iphone", From $500', "iPhone 15 Pro"],
  // Several models.
  ["iphone 13 14 15", '"iphone 13 or iphone 14 or iphone 15"', "iPhone 13"],
  ["s21 or s22 or s23", '"s21 or s22 or s23"', "Galaxy S21"],
  ["s21 s22 s23", '"s21 or s22 or s23"', "Galaxy S21"],
  ["iphone 12, 13 or 14", '"iphone 12 or iphone 13 or iphone 14"', "iPhone 13"],
  ["pixel 6 pixel 7", '"pixel 6 or pixel 7"', "Pixel 6"],
  ["128 iphone 14 blue", '"iphone 14", 128 GB storage, Blue', nothing],
  // Screen sizes and quotes.
  ['10" tablet', "Tablets", "Pixel Tablet", '10"'],
  ["10.5-inch samsung tablet", 'Tablets, "samsung"', "Galaxy Tab S8", "10.5-inch"],
  ['ipad 10.9"', '"ipad"', "iPad Air (5th generation)", '10.9"'],
  ['"iphone 13"', '"iphone 13"', "iPhone 13"],
  // Carriers.
  ["mint mobile iphone 12", '"iphone 12", Unlocked only', "iPhone 12", "Mint Mobile"],
  ["metro by t-mobile phone", "Phones only, Unlocked only", "Galaxy S21 Ultra", "Metro by T-Mobile"],
  ["phone that works with verzon", "Phones only, Works on Verizon", "Galaxy S21 Ultra"],
  // Ways to write.
  ["1+ 11", '"oneplus 11"', "11"],
  ["iphone 13 pro max 600", '"iphone 13 pro max", Up to $600', "iPhone 13 Pro Max"],
  ["phone w/ 256gb", "Phones only, 256 GB storage", "11"],
  ["low priced iphones", '"iphone", Up to $200', "iPhone 8"],
  ["show me blue phones", "Phones only, Blue", "iPhone 13"],
  ["any iphone 13", '"iphone 13"', "iPhone 13"],
  ["phones at 200", "Phones only, Up to $200", "Redmi Note 10 Pro"],
  ["phone 5g under 150", "Phones only, Up to $150", "Redmi Note 10 Pro", "5g"],
  // Cities.
  ["iphone 13 in Austin", '"iphone 13"', "iPhone 13", "in Austin"],
  ["phones near new york", "Phones only", "Redmi Note 10 Pro", "near new york"],
  [
    "blue iphone 12 in Salt Lake City under $300",
    '"iphone 12", Blue, Up to $300',
    "iPhone 12",
    "in Salt Lake City",
  ],
  // IMEIs.
  ["490154203237518", "", "Pixel Tablet", "490154203237518"],
  ["imei 490154203237518 iphone 13", '"iphone 13"', "iPhone 13", "490154203237518"],
  ["iphone 13 490154203237519", '"iphone 13 490154203237519"', nothing],
  ["galaxy s24 5g charger included 64gb", '"galaxy s24", 64 GB storage', null, "5g, charger included"],
  // Orders.
  ["good deal on iphone 13", '"iphone 13"', "iPhone 13 mini"],
  ["best price iphone", '"iphone"', "iPhone 8"],
  ["biggest discount phone", "Phones only", "iPhone 8"],
  ["what is the cheapest ipad", '"ipad"', "iPad Air (5th generation)"],
  ["most expensive phone", "Phones only", "iPhone 15 Pro"],
  ["newest samsung phone", '"samsung", Phones only', "Galaxy S24"],
  // A number that is in no model is a price.
  ["iphone 300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["samsung phone 250", '"samsung", Phones only, Up to $250', "Galaxy S21"],
  ["iphone under 1k", '"iphone", Up to $1,000', "iPhone 15 Pro"],
  ["iphone under a grand", '"iphone", Up to $1,000', "iPhone 15 Pro"],
  ["iphone under four hundred dollars", '"iphone", Up to $400', "iPhone 13 mini"],
  ["iphone around 250", '"iphone", From $210, Up to $290', "iPhone 13 mini"],
  ["fair price iphone", '"iphone"', "iPhone 15 Pro", "fair price"],
  ["good price samsung", '"samsung"', "Galaxy Tab S8", "good price"],
  ["samsung fold", '"samsung fold"', null],
  ["iphone battery 95+", '"iphone", Battery at least 95%', null],
  ["iphone 100% battery", '"iphone", Battery 100%', null],
  // Shades, plurals, ways to write, and what stands around.
  ["deep purple galaxy s21", '"galaxy s21", Purple', "Galaxy S21"],
  ["sierra blue iphone 13", '"iphone 13", Blue', "iPhone 13"],
  ["iphones", '"iphone"', "iPhone 15 Pro"],
  ["phones only", "Phones only", "Redmi Note 10 Pro"],
  ["android phones only", "Android", "Redmi Note 10 Pro"],
  ["iphone only", '"iphone"', "iPhone 15 Pro"],
  ["ipads under 400", '"ipad", Up to $400', "iPad Air (5th generation)"],
  ["i phone 13", '"iphone 13"', "iPhone 13"],
  ["I-Phone 13 pro", '"iphone 13 pro"', "iPhone 13 Pro"],
  ["iphone 13promax", '"iphone 13promax"', "iPhone 13 Pro Max"],
  ["iphone 13 promax 256gb", '"iphone 13 promax", 256 GB storage', "iPhone 13 Pro Max"],
  ["s 21 ultra", '"s 21 ultra"', "Galaxy S21 Ultra"],
  ["galaxys21", '"galaxys21"', "Galaxy S21"],
  ["one plus 11", '"one plus 11"', "11"],
  ["note 10", '"note 10"', "Redmi Note 10 Pro"],
  ["red mi note 10", '"red mi note 10"', "Redmi Note 10 Pro"],
  ["ipad air 5th gen 64gb", '"ipad air 5th gen", 64 GB storage', "iPad Air (5th generation)"],
  ["iphone se 2", '"iphone se 2"', "iPhone SE (2nd generation)"],
  ["iphone 13 midnight", '"iphone 13", Black', "iPhone 13"],
  ["space black iphone 13", '"iphone 13", Black', "iPhone 13"],
  ["product red iphone", '"iphone", Red', "iPhone SE (2nd generation)"],
  ["(PRODUCT)RED iphone se", '"iphone se", Red', "iPhone SE (2nd generation)"],
  ["rose gold iphone", '"iphone", Pink', "iPhone 13 mini"],
  ["starlight nothing phone", '"nothing phone", White', "Phone (1)"],
  ["iphone 13 - 128GB - Unlocked", '"iphone 13", 128 GB storage, Unlocked only', nothing],
  ["iPhone 13 (128GB)", '"iPhone 13", 128 GB storage', "iPhone 13"],
  ["iphone 13, 256gb", '"iphone 13", 256 GB storage', "iPhone 13"],
  ["tmobile iphone 12", '"iphone 12", Works on T-Mobile', "iPhone 12"],
  ["iphone 13 not over 350", '"iphone 13", Up to $350', "iPhone 13"],
  ["300 dollar iphone 13", '"iphone 13", Up to $300', "iPhone 13 mini"],
  ["between $250 & $350 iphone 13", '"iphone 13", From $250, Up to $350', "iPhone 13"],
  ["iphone with 90 battery", '"iphone", Battery at least 90%', "iPhone 13"],
  // Models, the exact one first.
  ["iphone 13", '"iphone 13"', "iPhone 13"],
  ["iphone13", '"iphone13"', "iPhone 13"],
  ["apple iphone 13", '"apple iphone 13"', "iPhone 13"],
  ["iphone 13 pro", '"iphone 13 pro"', "iPhone 13 Pro"],
  ["iphone 13 pro max", '"iphone 13 pro max"', "iPhone 13 Pro Max"],
  ["galaxy s21", '"galaxy s21"', "Galaxy S21"],
  ["s21", '"s21"', "Galaxy S21"],
  ["samsung s21", '"samsung s21"', "Galaxy S21"],
  ["s21 ultra", '"s21 ultra"', "Galaxy S21 Ultra"],
  ["pixel 8 pro", '"pixel 8 pro"', "Pixel 8 Pro"],
  ["oneplus 11", '"oneplus 11"', "11"],
  ["nothing phone 1", '"nothing phone 1"', "Phone (1)"],
  ["redmi note 10 pro", '"redmi note 10 pro"', "Redmi Note 10 Pro"],
  ["iphone se", '"iphone se"', "iPhone SE (2nd generation)"],
  ["ipad air", '"ipad air"', "iPad Air (5th generation)"],
  ["galaxy tab s8", '"galaxy tab s8"', "Galaxy Tab S8"],
  // Storage and RAM.
  ["iphone 13 128gb", '"iphone 13", 128 GB storage', "iPhone 13"],
  ["iphone 13 256", '"iphone 13", 256 GB storage', "iPhone 13"],
  ["iphone 13 pro max 256", '"iphone 13 pro max", 256 GB storage', "iPhone 13 Pro Max"],
  ["iphone 13 256 gb", '"iphone 13", 256 GB storage', "iPhone 13"],
  ["256gb iphone 13", '"iphone 13", 256 GB storage', "iPhone 13"],
  ["iphone 15 pro 1tb", '"iphone 15 pro", 1 TB storage', "iPhone 15 Pro"],
  ["1 TB", "1 TB storage", "iPhone 15 Pro"],
  ["iphone 1000gb", '"iphone", 1 TB storage', "iPhone 15 Pro"],
  ["8/128 tablet", "Tablets, 128 GB storage, 8 GB RAM", "Pixel Tablet"],
  ["galaxy s24 256gb", '"galaxy s24", 256 GB storage', "Galaxy S24"],
  ["galaxy 12gb ram", '"galaxy", 12 GB RAM', "Galaxy S21 Ultra"],
  ["12 gb ram", "12 GB RAM", "Pixel 8 Pro"],
  ["oneplus 16gb", '"oneplus", 16 GB RAM', "11"],
  ["ram 16", "16 GB RAM", "11"],
  ["6/128", "128 GB storage, 6 GB RAM", "iPhone 13 Pro"],
  ["12+256", "256 GB storage, 12 GB RAM", "Pixel 8 Pro"],
  ["1 terabyte iphone", '"iphone", 1 TB storage', "iPhone 15 Pro"],
  ["64 gb or 128 gb iphone", '"iphone", 128 GB storage, 64 GB storage', "iPhone 13 Pro"],
  ["galaxy s21 8/128", '"galaxy s21", 128 GB storage, 8 GB RAM', "Galaxy S21"],
  ["galaxy s21 8GB 128GB", '"galaxy s21", 128 GB storage, 8 GB RAM', "Galaxy S21"],
  ["64gb storage phone", "Phones only, 64 GB storage", "Redmi Note 10 Pro"],
  ["xiaomi with 64 gigs", '"xiaomi", 64 GB storage', "Redmi Note 10 Pro"],
  // Condition.
  ["iphone 13 128gb good", '"iphone 13", 128 GB storage, Good condition', "iPhone 13"],
  ["iphone 13 in good condition", '"iphone 13", Good condition', "iPhone 13"],
  ["excellent galaxy s21", '"galaxy s21", Excellent condition', "Galaxy S21"],
  ["fair condition iphone", '"iphone", Fair condition', "iPhone 8"],
  ["like new samsung", '"samsung", Excellent condition', "Galaxy S21"],
  ["mint condition", "Excellent condition", "Galaxy S21"],
  ["almost new galaxy s21", '"galaxy s21", Excellent condition', "Galaxy S21"],
  ["perfect condition samsung", '"samsung", Excellent condition', "Galaxy S21"],
  ["iphone 13 like-new", '"iphone 13", Excellent condition', nothing],
  ["iphone in good shape", '"iphone", Good condition', "iPhone 13"],
  // Color.
  ["blue iphone", '"iphone", Blue', "iPhone 13"],
  ["iphone 12 blue", '"iphone 12", Blue', "iPhone 12"],
  ["Black iPhone", '"iPhone", Black', "iPhone 13"],
  ["grey galaxy", '"galaxy", Gray', "Galaxy Tab S8"],
  ["space gray samsung phone", '"samsung", Phones only, Gray', "Galaxy S24"],
  ["red phone", "Phones only, Red", "iPhone SE (2nd generation)"],
  ["iphone in pink", '"iphone", Pink', "iPhone 13 mini"],
  ["golden iphone", '"iphone", Gold', "iPhone 13 Pro"],
  ["violet galaxy s21", '"galaxy s21", Purple', "Galaxy S21"],
  ["blue or green", "Blue, Green", "iPad Air (5th generation)"],
  ["redmi", '"redmi"', "Redmi Note 10 Pro"],
  // Carrier lock.
  ["unlocked iphone", '"iphone", Unlocked only', "iPhone 15 Pro"],
  ["iphone 12 unlocked", '"iphone 12", Unlocked only', "iPhone 12"],
  ["sim free samsung", '"samsung", Unlocked only', "Galaxy S21 Ultra"],
  ["factory unlocked phone", "Phones only, Unlocked only", "Galaxy S21 Ultra"],
  ["verizon iphone 8", '"iphone 8", Works on Verizon', "iPhone 8"],
  ["verizon iphone", '"iphone", Works on Verizon', "iPhone 15 Pro"],
  ["at & t iphone 8", '"iphone 8", Works on AT&T', nothing],
  ["gsm unlocked iphone 12", '"iphone 12", Unlocked only', "iPhone 12"],
  ["at&t iphone 8", '"iphone 8", Works on AT&T', nothing],
  ["iphone for verizon or att", '"iphone", Unlocked only', "iPhone 15 Pro", "AT&T, Verizon"],
  ["t-mobile iphone 12", '"iphone 12", Works on T-Mobile', "iPhone 12"],
  ["att iphone 12", '"iphone 12", Works on AT&T', "iPhone 12"],
  ["unlocked t-mobile phone", "Phones only, Unlocked only", "Galaxy S21 Ultra", "T-Mobile"],
  ["iphone any carrier", '"iphone", Unlocked only', "iPhone 15 Pro"],
  ["iphone 12 not locked", '"iphone 12", Unlocked only', "iPhone 12"],
  // Category.
  ["tablet", "Tablets", "Pixel Tablet"],
  ["tablets", "Tablets", "Pixel Tablet"],
  ["samsung tablet", 'Tablets, "samsung"', "Galaxy Tab S8"],
  ["pixel tablet", 'Tablets, "pixel"', "Pixel Tablet"],
  ["android phone", "Android", "Redmi Note 10 Pro"],
  ["android under 200", "Android, Up to $200", "Redmi Note 10 Pro"],
  ["ios", "IOS", "iPhone 15 Pro"],
  ["blue tablet", "Tablets, Blue", "iPad Air (5th generation)"],
  ["tablet 128gb", "Tablets, 128 GB storage", "Pixel Tablet"],
  ["samsung tablet 8gb ram", 'Tablets, "samsung", 8 GB RAM', "Galaxy Tab S8"],
  ["android tablet", "Tablets", "Pixel Tablet", "android"],
  // Nothing is as cheap as that.
  ["cheap android tablet", "Tablets", "Pixel Tablet", "android"],
  ["cheap pixel 8 pro", '"pixel 8 pro"', "Pixel 8 Pro"],
  ["ios tablet", "Tablets", "Pixel Tablet", "ios"],
  ["5g android tablet", "Tablets", "Pixel Tablet", "5g, android"],
  // Price.
  ["Phone under $300", "Phones only, Up to $300", "Redmi Note 10 Pro"],
  ["iphone under 300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone below 300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone less than $300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone up to 300 dollars", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone max $300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone <300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone $300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone 300$", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone 300 or less", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone for 300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone less then 300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphones below $250", '"iphone", Up to $250', "iPhone 12"],
  ["max 400 iphone", '"iphone", Up to $400', "iPhone 13 mini"],
  ["200$ phone", "Phones only, Up to $200", "Redmi Note 10 Pro"],
  ["phone 200 to 300 dollars", "Phones only, From $200, Up to $300", "Galaxy S21"],
  ["200-400", "From $200, Up to $400", "Pixel Tablet"],
  ["samsung 200 - 400", '"samsung", From $200, Up to $400', "Galaxy Tab S8"],
  ["iphone $200 to $300", '"iphone", From $200, Up to $300', "iPhone 13 mini"],
  ["iphone between 200 and 300", '"iphone", From $200, Up to $300', "iPhone 13 mini"],
  ["iphone between 300 and 200", '"iphone", From $200, Up to $300', "iPhone 13 mini"],
  ["iphone near me 300 - 200", '"iphone", From $200, Up to $300', "iPhone 13 mini", "near me"],
  ["iphone over 800", '"iphone", From $800', "iPhone 15 Pro"],
  ["phone above $600", "Phones only, From $600", "iPhone 15 Pro"],
  ["phone under 1,000", "Phones only, Up to $1,000", "Redmi Note 10 Pro"],
  ["cheap phone", "Phones only, Up to $200", "iPhone 8"],
  ["cheap iphone", '"iphone", Up to $200', "iPhone 8"],
  ["cheapest iphone", '"iphone"', "iPhone 8"],
  ["cheap android phone", "Android, Up to $200", "Galaxy A52 5G"],
  ["cheap android phone under 150", "Android, Up to $150", "Galaxy A52 5G"],
  ["cheap iphone under 300", '"iphone", Up to $300', "iPhone 8"],
  // Battery and seller.
  ["iphone battery over 85 percent", '"iphone", Battery at least 85%', "iPhone 13 Pro"],
  ["battery health 90 or better", "Battery at least 90%", "iPhone 13"],
  ["iphone 90+ battery", '"iphone", Battery at least 90%', "iPhone 13"],
  ["battery 100", "Battery 100%", nothing],
  ["verified seller iphone", '"iphone", Verified sellers only', nothing],
  ["samsung available now", '"samsung", Available only', "Galaxy Tab S8"],
  ["iphone battery 90%", '"iphone", Battery at least 90%', "iPhone 13"],
  ["iphone battery above 85", '"iphone", Battery at least 85%', "iPhone 13 Pro"],
  ["iphone 13 good battery", '"iphone 13", Battery at least 85%', "iPhone 13"],
  ["iphone 13 pro 86% battery", '"iphone 13 pro", Battery at least 85%', "iPhone 13 Pro", "86% battery"],
  // Several at once, and typos.
  ["ipone 13 pro max 256", '"ipone 13 pro max", 256 GB storage', "iPhone 13 Pro Max"],
  ["bleu iphone", '"iphone", Blue', "iPhone 13"],
  ["unlcoked iphnoe 12", '"iphnoe 12", Unlocked only', "iPhone 12"],
  ["samsnug tablte", 'Tablets, "samsnug"', "Galaxy Tab S8"],
  ["googel pixel 6", '"googel pixel 6"', "Pixel 6"],
  ["samsumg s21", '"samsumg s21"', "Galaxy S21"],
  ["xaomi redmi", '"xaomi redmi"', "Redmi Note 10 Pro"],
  ["purpel galaxy s21", '"galaxy s21", Purple', "Galaxy S21"],
  ["iphone 12 unlockd", '"iphone 12", Unlocked only', "iPhone 12"],
  ["tabelt under 300", "Tablets, Up to $300", "Pixel Tablet"],
  ["excelent galaxy s21", '"galaxy s21", Excellent condition', "Galaxy S21"],
  [
    "used blue iphone 13 128gb in good condition under $350",
    '"iphone 13", 128 GB storage, Good condition, Blue, Up to $350',
    "iPhone 13",
  ],
  [
    "unlocked galaxy s21 ultra 256 under 400",
    '"galaxy s21 ultra", 256 GB storage, Unlocked only, Up to $400',
    "Galaxy S21 Ultra",
  ],
  ["do you have iphone 13", '"iphone 13"', "iPhone 13"],
  ["looking for iphone 13 under $350 in Chicago", '"iphone 13", Up to $350', "iPhone 13", "in Chicago"],
  ["looking for a pixel 6 in green", '"pixel 6", Green', "Pixel 6"],
  // As buyers type.
  ["phone $200-$300", "Phones only, From $200, Up to $300", "Galaxy S21"],
  ["iphone $300 dollars", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone for 300 or less", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone less 300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["300 iphone", '"iphone", Up to $300', "iPhone 13 mini"],
  // The market has one currency.
  ["iphone under 300 eur", '"iphone"', "iPhone 15 Pro", "under 300 eur"],
  ["€300 iphone", '"iphone"', "iPhone 15 Pro", "€300"],
  ["iphone £300", '"iphone"', "iPhone 15 Pro", "£300"],
  ["iphone 300 euro", '"iphone"', "iPhone 15 Pro", "300 euro"],
  ["iphone 12 300€", '"iphone 12"', "iPhone 12", "300€"],
  ["iphone between €200 and €300", '"iphone"', "iPhone 15 Pro", "between €200 and €300"],
  ["iphone C$300", '"iphone"', "iPhone 15 Pro", "C$300"],
  ["blue iphone in euros", '"iphone", Blue', "iPhone 13", "euros"],
  ["phone from verified seller", "Phones only, Verified sellers only", nothing],
  [
    "128gb or more",
    "1 TB storage, 128 GB storage, 2 TB storage, 256 GB storage, 512 GB storage",
    "Pixel Tablet",
  ],
  [
    "iphone at least 256gb",
    '"iphone", 1 TB storage, 2 TB storage, 256 GB storage, 512 GB storage',
    "iPhone 15 Pro",
  ],
  ["iphone 256gb+", '"iphone", 1 TB storage, 2 TB storage, 256 GB storage, 512 GB storage', "iPhone 15 Pro"],
  ["galaxy 12gb ram or more", '"galaxy", 12 GB RAM, 16 GB RAM, 18 GB RAM, 24 GB RAM', "Galaxy S21 Ultra"],
  ["hi i'm looking for a cheap samsung phone", '"samsung", Phones only, Up to $200', "Galaxy A52 5G"],
  ["just iphone 13", '"iphone 13"', "iPhone 13"],
  ["anything but samsung", '"-samsung"', "Pixel Tablet"],
  ["battery health at least 85", "Battery at least 85%", "iPhone 13 Pro"],
  ["iphone battery at 90", '"iphone", Battery at least 90%', "iPhone 13"],
  ["90% battery or better", "Battery at least 90%", "iPhone 13"],
  ["pick up in boston iphone 13", '"iphone 13"', "iPhone 13", "pick up, in boston"],
  // Limits of sizes and conditions.
  [
    "iphone between 128 and 512gb",
    '"iphone", 128 GB storage, 256 GB storage, 512 GB storage',
    "iPhone 13 Pro Max",
  ],
  ["iphone 128gb to 512gb", '"iphone", 128 GB storage, 256 GB storage, 512 GB storage', "iPhone 13 Pro Max"],
  ["iphone 64-256gb", '"iphone", 128 GB storage, 256 GB storage, 64 GB storage', "iPhone 13 Pro Max"],
  ["6-12gb ram", "10 GB RAM, 12 GB RAM, 6 GB RAM, 8 GB RAM", "Pixel Tablet"],
  [
    "iphone over 128gb",
    '"iphone", 1 TB storage, 2 TB storage, 256 GB storage, 512 GB storage',
    "iPhone 15 Pro",
  ],
  ["iphone more than 256 gb", '"iphone", 1 TB storage, 2 TB storage, 512 GB storage', "iPhone 15 Pro"],
  ["iphone 512gb minimum", '"iphone", 1 TB storage, 2 TB storage, 512 GB storage', "iPhone 15 Pro"],
  ["iphone not under 512gb", '"iphone", 1 TB storage, 2 TB storage, 512 GB storage', "iPhone 15 Pro"],
  ["iphone under 64gb", '"iphone", 16 GB storage, 32 GB storage, 8 GB storage', nothing],
  ["iphone up to 64gb", '"iphone", 16 GB storage, 32 GB storage, 64 GB storage, 8 GB storage', "iPhone 12"],
  ["iphone 64gb or less", '"iphone", 16 GB storage, 32 GB storage, 64 GB storage, 8 GB storage', "iPhone 12"],
  ["iphone over 512", '"iphone", 1 TB storage, 2 TB storage', "iPhone 15 Pro"],
  [
    "galaxy more than 8gb ram",
    '"galaxy", 10 GB RAM, 12 GB RAM, 16 GB RAM, 18 GB RAM, 24 GB RAM',
    "Galaxy S21 Ultra",
  ],
  ["iphone 0.5tb", '"iphone", 512 GB storage', nothing],
  ["iphone 1,5 TB", '"iphone", 1536 GB storage', nothing],
  ["iphone good or better", '"iphone", Excellent condition, Good condition', "iPhone 13"],
  ["samsung good condition or better", '"samsung", Excellent condition, Good condition', "Galaxy S21"],
  [
    "iphone at least fair condition",
    '"iphone", Excellent condition, Fair condition, Good condition',
    "iPhone 13",
  ],
  ["iphone good and up", '"iphone", Excellent condition, Good condition', "iPhone 13"],
  ["midnight green pixel 6", '"pixel 6", Green', "Pixel 6"],
  ["cream nothing phone 1", '"nothing phone 1", White', "Phone (1)"],
  ["obsidian iphone 13", '"iphone 13", Black', "iPhone 13"],
  ["iphone 12 not refurbished", '"iphone 12"', "iPhone 12", "not refurbished"],
  ["iphone 12 not 5g", '"iphone 12"', "iPhone 12", "not 5g"],
  ["us mobile compatible iphone", '"iphone", Unlocked only', "iPhone 15 Pro", "US Mobile"],
  ["cricket compatible phone", "Phones only, Unlocked only", "Galaxy S21 Ultra", "Cricket"],
  ["phone for grandma", "Phones only", "Redmi Note 10 Pro", "for grandma"],
  ["ipad 10.2", '"ipad"', "iPad Air (5th generation)", "10.2"],
  // What is not there.
  ["airpods", '"airpods"', nothing],
  ["nokia 3310", '"nokia 3310"', nothing],
  // The number of a processor is none of a model.
  ["nothing phone 7", '"nothing phone 7"', nothing],
  ["oneplus 8", '"oneplus 8"', nothing],
  ["snapdragon 8 gen 2", '"snapdragon 8 gen 2"', "11"],
  ["snapdragon 778g phone", '"snapdragon 778g", Phones only', "Phone (1)"],
  ["airpods pro", '"airpods pro"', nothing],
  ["galaxy buds", '"galaxy buds"', nothing],
  ["apple watch", '"apple watch"', nothing],
  ["apple watch series 7", '"apple watch series 7"', nothing],
  ["phone case", '"case", Phones only', nothing],
  ["phone charger", '"charger", Phones only', nothing],
  ["iphone charger", '"iphone charger"', nothing],
  ["iphone 12 with charger", '"iphone 12"', "iPhone 12", "with charger"],
  ["nokia 3310 unlocked", '"nokia 3310", Unlocked only', nothing],
  ["macbook", '"macbook"', nothing],
  ["iphone 12 deals", '"iphone 12"', "iPhone 12"],
  ["iphone 12 without 5g", '"iphone 12"', "iPhone 12", "not 5g"],
  ["iphone 13 without pro", '"iphone 13 -pro"', "iPhone 13"],
  ["iphone 12 $300", '"iphone 12", Up to $300', "iPhone 12"],
  ["iphone 12 usd 300", '"iphone 12", Up to $300', "iPhone 12"],
  ["iphone 12 300$ 64gb", '"iphone 12", 64 GB storage, Up to $300', "iPhone 12"],
  ["iphone 12 $300 obo", '"iphone 12", Up to $300', "iPhone 12", "obo"],
  ["galaxy s21 120hz oled", '"galaxy s21"', "Galaxy S21", "120hz, oled"],
  ["pixel 6 with 50 mp", '"pixel 6"', "Pixel 6", "50 mp"],
  // Exclusions of several, and lists of models.
  ["android not google or samsung", 'Android, "-google -samsung"', "Redmi Note 10 Pro"],
  ["iphone not 12 or 13", '"iphone -12 -13"', "iPhone 15 Pro"],
  ["iphone not red or blue", '"iphone"', "iPhone 15 Pro", "not red or blue"],
  ["iphone 12, pixel 8", '"iphone 12 or pixel 8"', "iPhone 12"],
  ["iphone 13/galaxy s21/pixel 6", '"iphone 13 or galaxy s21 or pixel 6"', "Pixel 6"],
  ["iphone 12 to 14", '"iphone 12 or iphone 13 or iphone 14"', "iPhone 13"],
  ["iphone 11-13", '"iphone 11 or iphone 12 or iphone 13"', "iPhone 13"],
  ["iphone 13 or above", '"iphone 13"', "iPhone 13", "or above"],
  ["compare iphone 12 and 13", '"iphone 12 or iphone 13"', "iPhone 13"],
  ["tablet android 8gb", "Tablets, 8 GB RAM", "Pixel Tablet", "android"],
  ["phone or tablet under 250", "Up to $250", "Pixel Tablet"],
  // Prices in more words.
  ["phone under $1 000", "Phones only, Up to $1,000", "Redmi Note 10 Pro"],
  ["iphone under USD300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["300 US dollars", "Up to $300", "Pixel Tablet"],
  ["iphone max price 300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["price range 200 to 300", "From $200, Up to $300", "Pixel Tablet"],
  ["iphone under400", '"iphone", Up to $400', "iPhone 13 mini"],
  ["iphone no more then 300", '"iphone", Up to $300', "iPhone 13 mini"],
  ["iphone ~300", '"iphone", From $260, Up to $350', "iPhone 13 mini"],
  ["iphone 300 or so", '"iphone", From $260, Up to $350', "iPhone 13 mini"],
  ["anything under 250", "Up to $250", "Pixel Tablet"],
  // Courtesy and questions.
  ["iphone 12 thanks", '"iphone 12"', "iPhone 12"],
  ["good morning, do you have an iphone 12?", '"iphone 12"', "iPhone 12"],
  ["i'd like an iphone 12", '"iphone 12"', "iPhone 12"],
  ["where can i buy an iphone 12", '"iphone 12"', "iPhone 12"],
  ["iphone 12 specs", '"iphone 12"', "iPhone 12"],
  // What comes with a device isn't what is wanted.
  ["iphone 12 with case", '"iphone 12"', "iPhone 12", "with case"],
  ["iphone 12 w/ screen protector", '"iphone 12"', "iPhone 12", "w/ screen protector"],
  ["case", '"case"', nothing],
  ["oneplus 7t 8 128", '"oneplus 7t", 128 GB storage, 8 GB RAM', nothing],
  ["A-grade iphone", '"iphone", Excellent condition', nothing],
  ["mint green phone", "Phones only, Green", "Pixel 6"],
  ["fully unlocked iphone 12", '"iphone 12", Unlocked only', "iPhone 12"],
  // Names of what JavaScript objects have.
  ["toString", '"toString"', nothing],
  ["constructor valueOf", '"constructor valueOf"', nothing],
  ["black pixel 6", '"pixel 6", Black', nothing],
  ["iphone 15 pro under 100", '"iphone 15 pro", Up to $100', nothing],
];

export const understandsQueries = async (db: Db) => {
  for (const [device, dollars] of devices) await addPhone(db, { ...device, sellingCents: dollars * 100 });
  const wrong: string[] = [];
  for (const [typed, chips, first, left = ""] of queries) {
    const { category, query, phones, notes } = await searchWithCorrection(
      db,
      categoryByKey("products"),
      parseSearchQuery(new URLSearchParams({ q: typed })),
    );
    const labels = appliedFilters(query).map(({ label }) => label);
    const shown = [...(category.key === "products" ? [] : [category.name]), ...labels].join(", ");
    const model = phones[0]?.model ?? nothing;
    const { kept, ...others } = notes;
    const noted = [...Object.values(others).flat(), ...kept.map((words) => `not ${words}`)];
    const actual = [shown, model, noted.join(", ")];
    if (actual.join() !== [chips, first, left].join()) wrong.push(`${typed}: ${actual.join(" → ")}`);
  }
  assert.ok(queries.length >= 100, `${queries.length} queries`);
  assert.deepEqual(wrong, []);
};

const named: Row[] = [
  { ...iphone, model: "iPhone 8", rom: "256 GB", ram: "2 GB" },
  { ...iphone, model: "iPhone 8 Plus", rom: "256 GB", ram: "3 GB" },
  { ...iphone, model: "iPhone 6", rom: "128 GB", ram: "1 GB" },
  { ...iphone, model: "iPhone 6 Plus", rom: "128 GB", ram: "1 GB" },
  { ...iphone, model: "iPhone 14", rom: "128 GB", ram: "8 GB" },
  { ...iphone, model: "iPhone 12", rom: "64 GB", ram: "4 GB", batteryHealth: 93 },
  { ...iphone, model: "iPhone 13", rom: "64 GB", ram: "4 GB", batteryHealth: 88 },
  { ...iphone, model: "iPhone 13 Pro", rom: "64 GB", ram: "6 GB" },
  { brandName: "Google", model: "Pixel 6", processor: "Tensor", rom: "128 GB", ram: "8 GB" },
  { brandName: "Google", model: "Pixel 6a", processor: "Tensor", rom: "128 GB", ram: "6 GB" },
  { brandName: "Google", model: "Pixel 8 Pro", processor: "Tensor G3", rom: "128 GB", ram: "12 GB" },
  { brandName: "Google", model: "Pixel 9", processor: "Tensor G4", rom: "256 GB", ram: "12 GB" },
  { brandName: "OnePlus", model: "8", processor: "Snapdragon 865", rom: "128 GB", ram: "8 GB" },
  { brandName: "OnePlus", model: "Nord 2", processor: "Dimensity", rom: "128 GB", ram: "8 GB" },
  { brandName: "TCL", model: "30+", processor: "Helio", rom: "128 GB", ram: "4 GB" },
  { brandName: "TCL", model: "40", processor: "Helio", rom: "128 GB", ram: "4 GB" },
  { ...samsung, model: "Galaxy S22+", rom: "256 GB", ram: "8 GB" },
  { ...samsung, model: "Galaxy S22", rom: "256 GB", ram: "8 GB" },
  { ...samsung, ...tablet, model: "Galaxy Tab A", rom: "32 GB", ram: "2 GB" },
  { ...samsung, ...tablet, model: "Galaxy Tab S7", rom: "32 GB", ram: "6 GB" },
  { ...samsung, model: "Galaxy A32", rom: "64 GB", ram: "4 GB" },
  { ...samsung, model: "Galaxy A13 5G", rom: "64 GB", ram: "4 GB" },
  { brandName: "Xiaomi", model: "6", processor: "Snapdragon 835", rom: "64 GB", ram: "4 GB" },
  { brandName: "Xiaomi", model: "13T Pro", processor: "Dimensity", rom: "256 GB", ram: "12 GB" },
  { brandName: "Xiaomi", model: "Mi A1", processor: "Snapdragon 625", rom: "64 GB", ram: "6 GB" },
  { brandName: "Black Shark", model: "4", processor: "Snapdragon 870", rom: "128 GB", color: "Silver" },
  { brandName: "Nubia", model: "Red Magic 6", processor: "Snapdragon 888", rom: "128 GB", color: "Black" },
  { brandName: "Oppo", model: "Find X5", processor: "Snapdragon 888", rom: "256 GB", color: "Black" },
  { brandName: "T-Mobile", model: "REVVL 6", processor: "Dimensity", rom: "64 GB" },
  { brandName: "Motorola", model: "Moto G 5G", processor: "Snapdragon 480", rom: "64 GB" },
  { brandName: "Sony", model: "Xperia Pro-I", processor: "Snapdragon 888", rom: "512 GB" },
  { brandName: "Sony", model: "Xperia Pro", processor: "Snapdragon 865", rom: "512 GB" },
  { ...iphone, ...tablet, model: "iPad Pro 11-inch (3rd generation)", rom: "256 GB", ram: "8 GB" },
  { ...iphone, ...tablet, model: "iPad Pro 12.9-inch (3rd generation)", rom: "256 GB", ram: "8 GB" },
  { brandName: "Asus", model: "ROG Phone", processor: "Snapdragon 845", rom: "128 GB", ram: "8 GB" },
  { brandName: "Asus", model: "ROG Phone II", processor: "Snapdragon 855", rom: "512 GB", ram: "12 GB" },
  { brandName: "Asus", model: "ROG Phone 5s Pro", processor: "Snapdragon 888", rom: "512 GB", ram: "18 GB" },
  { brandName: "Asus", model: "ROG Strix Flip", processor: "Snapdragon", rom: "64 GB", ram: "4 GB" },
  { brandName: "Poco", model: "X3 NFC", processor: "Snapdragon 732G", rom: "64 GB" },
];

/** What is typed, the chips that it leads to, and the models that are found, if they are all of one kind. */
const names: [typed: string, chips: string, models: string[]][] = [
  ["iphone 8+ 256gb", '"iphone 8+", 256 GB storage', ["iPhone 8 Plus"]],
  ["iphone 6+ 128gb", '"iphone 6+", 128 GB storage', ["iPhone 6 Plus"]],
  ["iphone 8 plus", '"iphone 8 plus"', ["iPhone 8 Plus"]],
  ["pixel 6/128gb", '"pixel 6", 128 GB storage', ["Pixel 6", "Pixel 6a"]],
  ["oneplus 8/128gb", '"oneplus 8", 128 GB storage', ["8"]],
  ["oneplus 8/128", '"oneplus 8", 128 GB storage', ["8"]],
  ["xiaomi 6/64", '"xiaomi 6", 64 GB storage', ["6"]],
  ["samsung 8/256", '"samsung", 256 GB storage, 8 GB RAM', ["Galaxy S22", "Galaxy S22+"]],
  ["oneplus 11 16/256", '"oneplus 11", 256 GB storage, 16 GB RAM', []],
  ["pixel 8 12/256", '"pixel 8", 256 GB storage, 12 GB RAM', []],
  ["pixel 9 12/256", '"pixel 9", 256 GB storage, 12 GB RAM', ["Pixel 9"]],
  ["tcl 30+", '"tcl 30+"', ["30+"]],
  ["galaxy s 22+", '"galaxy s 22+"', ["Galaxy S22+"]],
  ["galaxy s22+ 8+256", '"galaxy s22+", 256 GB storage, 8 GB RAM', ["Galaxy S22+"]],
  ["galaxy tab a", '"galaxy tab a"', ["Galaxy Tab A"]],
  ["galaxy tab a 32gb", '"galaxy tab a", 32 GB storage', ["Galaxy Tab A"]],
  ["looking for a galaxy a 32", '"galaxy a 32"', ["Galaxy A32"]],
  ["black shark", '"black shark"', ["4"]],
  ["black shark 4 128gb", '"black shark 4", 128 GB storage', ["4"]],
  ["red magic 6", '"red magic 6"', ["Red Magic 6"]],
  ["oppo find x5", '"oppo find x5"', ["Find X5"]],
  ["t-mobile revvl 6", '"t-mobile revvl 6"', ["REVVL 6"]],
  ["galaxy a13 5g", '"galaxy a13 5g"', ["Galaxy A13 5G"]],
  ["moto g 5g", '"moto g 5g"', ["Moto G 5G"]],
  ["poco x3 nfc", '"poco x3 nfc"', ["X3 NFC"]],
  ["asus rog phone", '"asus rog phone"', ["ROG Phone", "ROG Phone 5s Pro", "ROG Phone II"]],
  ["rog phone ii 512gb", '"rog phone ii", 512 GB storage', ["ROG Phone II"]],
  ["asus rog phone 5s pro", '"asus rog phone 5s pro"', ["ROG Phone 5s Pro"]],
  ["tcl 40 phone", '"tcl 40", Phones only', ["40"]],
  ["tcl under 5oo", '"tcl", Up to $500', ["40", "30+"]],
  ["iphone 12 92% bh", '"iphone 12", Battery at least 90%', ["iPhone 12"]],
  ["iphone 13 battery 88%", '"iphone 13", Battery at least 85%', ["iPhone 13"]],
  ["iphone 13 battery health 85", '"iphone 13", Battery at least 85%', ["iPhone 13"]],
  ["iphone 13 battery", '"iphone 13"', ["iPhone 13", "iPhone 13 Pro"]],
  ["iphone 12 bh 90", '"iphone 12", Battery at least 90%', ["iPhone 12"]],
  ["13t pro 12/256", '"13t pro", 256 GB storage, 12 GB RAM', ["13T Pro"]],
  ["xiaomi 13t pro 16/512", '"xiaomi 13t pro", 512 GB storage, 16 GB RAM', []],
  ["iphone 88% health", '"iphone", Battery at least 85%', ["iPhone 13", "iPhone 12"]],
  ["bh 90 iphone", '"iphone", Battery at least 90%', ["iPhone 12"]],
  ["pixel under $1.000", '"pixel", Up to $1,000', ["Pixel 9", "Pixel 8 Pro", "Pixel 6a", "Pixel 6"]],
  ["tcl usd 500", '"tcl", Up to $500', ["40", "30+"]],
  ["tcl us$500", '"tcl", Up to $500', ["40", "30+"]],
  ["tcl under 1 299,5", '"tcl", Up to $1,299.50', ["40", "30+"]],
  ["tcl under 1 200 dollars", '"tcl", Up to $1,200', ["40", "30+"]],
  ["up to 1 200 tcl", '"tcl", Up to $1,200', ["40", "30+"]],
  ["iphone 13%", '"iphone 13"', ["iPhone 13", "iPhone 13 Pro"]],
  ["iphone 13 20% off", '"iphone 13"', ["iPhone 13", "iPhone 13 Pro"]],
  ["iphone 13 50% off", '"iphone 13"', ["iPhone 13", "iPhone 13 Pro"]],
  ["tcl vzw", '"tcl", Works on Verizon', []],
  ["tcl tmo/vzw", '"tcl", Unlocked only', []],
  ["tcl hazel", '"tcl", Green', []],
  ["tcl under 1,299.00", '"tcl", Up to $1,299', ["40", "30+"]],
  ["xperia pro-i", '"xperia pro-i"', ["Xperia Pro-I"]],
  [
    "ipad pro 11-inch (3rd generation)",
    '"ipad pro 11 3rd generation"',
    ["iPad Pro 11-inch (3rd generation)"],
  ],
  ["iphone 13 -pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 −pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 –pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 — pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 - pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 – 64gb", '"iphone 13", 64 GB storage', ["iPhone 13", "iPhone 13 Pro"]],
  ["iphone 13 no pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 but not pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 excluding the pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 minus pro", '"iphone 13 -pro"', ["iPhone 13"]],
  ["iphone 13 no pro or mini", '"iphone 13 -pro -mini"', ["iPhone 13"]],
  ["iphone 13 without pro, mini, 64gb", '"iphone 13 -pro -mini", 64 GB storage', ["iPhone 13"]],
  ["iphone 13 -pro max", '"iphone 13 -promax"', ["iPhone 13", "iPhone 13 Pro"]],
  ["iphone 8 but not plus", '"iphone 8 -plus"', ["iPhone 8"]],
  ["iphone 8 except plus", '"iphone 8 -plus"', ["iPhone 8"]],
  ["pixel -6 -6a", '"pixel -6 -6a"', ["Pixel 9", "Pixel 8 Pro"]],
  ["tcl not 40", '"tcl -40"', ["30+"]],
  ["iphone 12 or 13 -pro", '"iphone 12 or iphone 13 -pro"', ["iPhone 13", "iPhone 12"]],
  ["iphone 12 or 13", '"iphone 12 or iphone 13"', ["iPhone 13", "iPhone 12", "iPhone 13 Pro"]],
  ["iphone xr vs 12", '"iphone xr or iphone 12"', ["iPhone 12"]],
  ["iphone 12 or xr", '"iphone 12 or iphone xr"', ["iPhone 12"]],
  ["iphone se 2 or 12", '"iphone se 2 or iphone 12"', ["iPhone 12"]],
  [
    "ipad air or pro 256gb",
    '"ipad air or ipad pro", 256 GB storage',
    ["iPad Pro 12.9-inch (3rd generation)", "iPad Pro 11-inch (3rd generation)"],
  ],
  ["oneplus nord or 8", '"oneplus nord or oneplus 8"', ["8", "Nord 2"]],
  ["xiaomi 13t pro or 6", '"xiaomi 13t pro or xiaomi 6"', ["13T Pro", "6"]],
  ["pixel 6a or 9", '"pixel 6a or pixel 9"', ["Pixel 9", "Pixel 6a"]],
  ["pixel 8 pro vs pixel 9", '"pixel 8 pro or pixel 9"', ["Pixel 9", "Pixel 8 Pro"]],
  ["galaxy s21 or 22", '"galaxy s21 or galaxy s22"', ["Galaxy S22", "Galaxy S22+"]],
];

export const readsNamesOfTheCatalogFirst = async (db: Db) => {
  for (const device of named) await addPhone(db, { ...device, sellingCents: 30_000 });
  const wrong: string[] = [];
  for (const [typed, chips, models] of names) {
    const asked = parseSearchQuery(new URLSearchParams({ q: typed }));
    const { query, phones } = await searchWithCorrection(db, categoryByKey("products"), asked);
    const shown = appliedFilters(query).map(({ label }) => label);
    const actual = [shown.join(", "), phones.map(({ model }) => model).join()];
    if (actual.join() !== [chips, models.join()].join()) wrong.push(`${typed}: ${actual.join(" → ")}`);
    // What is saved from there is read as the same.
    const saved = await understandWithCatalog(db, categoryByKey("products"), query);
    if (searchString(saved.query) !== searchString(query))
      wrong.push(`${typed} is saved as ${saved.query.words}`);
  }
  assert.deepEqual(wrong, []);
};

export const saysWhatNoListingStates = async (db: Db) => {
  for (const device of named) await addPhone(db, device);
  const allPhones = named.filter(({ deviceType }) => deviceType !== "Tablet");
  for (const typed of ["5g", "esim", "waterproof", "5g phone"]) {
    const { count, notes } = await readWords(db, typed);
    assert.deepEqual(
      [count, notes.leftOut],
      [typed === "5g phone" ? allPhones.length : named.length, [typed.split(" ")[0]]],
    );
  }
  const locked = await readWords(db, "locked to t-mobile");
  assert.deepEqual([locked.query.filters.unlocked, locked.notes.leftOut], [["T-Mobile"], []]);
};

export const showsTheNearestMatchesFirst = async (db: Db) => {
  for (const [device, dollars] of [
    [{ ...samsung, model: "Galaxy S21 Ultra", rom: "128 GB" }, 350],
    [{ ...samsung, model: "Galaxy S24", rom: "128 GB" }, 600],
    [{ ...samsung, model: "Galaxy S21", rom: "128 GB" }, 220],
    [{ ...iphone, model: "iPhone 8", rom: "64 GB" }, 90],
    [{ ...iphone, model: "iPhone 13 Pro Max", rom: "128 GB" }, 540],
    [{ ...iphone, model: "iPhone 13", rom: "128 GB", color: "Blue" }, 320],
    [{ ...iphone, model: "iPhone 13", rom: "256 GB", color: "Black" }, 280],
    [{ ...iphone, model: "iPhone 15", rom: "128 GB" }, 610],
    [{ ...samsung, ...tablet, model: "Galaxy Tab S8" }, 300],
    [{ brandName: "Nokia", model: "G42", rom: "128 GB" }, 100],
  ] satisfies [Row, number][])
    await addPhone(db, { ...device, sellingCents: dollars * 100 });
  for (const [typed, missed, models] of [
    // The same model, by what its price misses.
    ["iphone 13 under 200", ["Up to $200"], ["iPhone 13 280", "iPhone 13 320", "iPhone 13 Pro Max 540"]],
    ["blue iphone 13 under 250", ["Up to $250"], ["iPhone 13 320"]],
    ["iphone 15 over 700", ["From $700"], ["iPhone 15 610"]],
    ["iphone 15 256gb under 700", ["256 GB storage"], ["iPhone 15 610"]],
    // The family, then the brand.
    ["iphone 17 pro max", ['"iphone 17 pro max"'], ["iPhone 13 Pro Max 540", "iPhone 15 610"]],
    ["iphone 16", ['"iphone 16"'], ["iPhone 15 610", "iPhone 13 280"]],
    ["iphone 16 -pro", ['"iphone 16 -pro"'], ["iPhone 15 610", "iPhone 13 280"]],
    ["samsung s25 ultra", ['"samsung s25 ultra"'], ["Galaxy S21 Ultra 350", "Galaxy S24 600"]],
    ["shiny iphone 15", ['"shiny iphone 15"'], ["iPhone 15 610"]],
    ["s25", ['"s25"'], ["Galaxy S24 600", "Galaxy S21 220"]],
    ["galaxy s23 under 300", ['"galaxy s23"'], ["Galaxy S21 220", "Galaxy Tab S8 300"]],
  ] as const) {
    const { count, query, nearest } = await readWords(db, typed);
    const labels = (from: typeof query) => appliedFilters(from).map(({ label }) => label);
    const left = labels(query).filter((label) => !labels(nearest?.query ?? query).includes(label));
    const shown = nearest?.phones.map((phone) => `${phone.model} ${phone.sellingCents / 100}`);
    assert.deepEqual([typed, count, left, shown?.slice(0, models.length)], [typed, 0, missed, models]);
  }
};

export const leadsToThePageThatAnswers = async (db: Db) => {
  await addPhone(db, { brandName: "Nokia", model: "3310" });
  for (const [typed, path, words = ""] of [
    ["returns", "/about#promises"],
    ["return policy", "/about#promises"],
    ["how do I return a phone", "/about#promises"],
    ["how do returns work", "/about#promises"],
    ["can I trade in my phone", "/addphone"],
    ["warranty", "/about#promises"],
    ["IMEI", "/about#checks"],
    ["imei check", "/about#checks"],
    ["sell my phone", "/addphone"],
    ["how to sell", "/addphone"],
    ["sell my nokia 3310", "/addphone", "nokia 3310"],
    ["where is my order", "/manage"],
    ["forgot password", "/forgot"],
    ["contact", "/report"],
    ["email support", "/report"],
    ["talk to a human", "/report"],
    ["where's my order", "/manage"],
    ["how do refunds work", "/about#promises"],
    ["do you ship internationally", "/about#promises"],
    ["is this legit", "/about#checks"],
    ["log into my account", "/login"],
    ["sign me up", "/signup"],
    ["login", "/login"],
    ["log in", "/login"],
    ["sign in to my account", "/login"],
    ["sign up", "/signup"],
    ["create an account", "/signup"],
    ["my account", "/manage/account"],
    ["change my email", "/manage/account"],
    ["change password", "/manage/account#new-password"],
    ["how do I change my password", "/manage/account#new-password"],
    ["close my account", "/manage/account#delete-account"],
    ["delete account", "/manage/account#delete-account"],
    ["is this a scam", "/about#checks"],
    ["is it safe to buy here", "/about#checks"],
    ["how do you check phones", "/about#checks"],
    ["how long does shipping take", "/about#promises"],
    ["can I pay cash", "/about#promises"],
    ["how does payment work", "/about#promises"],
    ["return my order", "/about#promises"],
    ["report a seller", "/report"],
    ["become a seller", "/addphone"],
    ["i want to sell my old nokia 3310", "/addphone", "nokia 3310"],
    ["my offers", "/manage/offers"],
    ["messages", "/manage/messages"],
    ["saved searches", "/manage/searches"],
    ["my listings", "/manage/mysells"],
    ["unsubscribe", "/manage/account"],
  ] as const) {
    const { notes, query, count } = await readWords(db, typed);
    assert.deepEqual(
      [typed, notes.pages.map((page) => page.path), query.words, count],
      [typed, [path], words, 1],
    );
  }
  assert.deepEqual((await readWords(db, "nokia with warranty")).notes.pages, []);
};

export const offersTheNearestMatches = async (db: Db) => {
  const cheap = { brandName: "Nokia", model: "G42", processor: "Snapdragon" } as const;
  await addPhone(db, { ...cheap, sellingCents: 20_000 });
  await addPhone(db, { ...iphone, model: "iPhone 13", color: "Blue", sellingCents: 40_000 });
  for (const [typed, missed, models] of [
    ["android phone under 250 with good battery", ["Battery at least 85%"], ["G42"]],
    ["blue iphone 13 good battery", ["Battery at least 85%"], ["iPhone 13"]],
    ["red iphone 13 excellent condition", ["Excellent condition", "Red"], ["iPhone 13"]],
    ["iphone 13 under 100", ["Up to $100"], ["iPhone 13"]],
    ["iphone 13 512gb under 100", ["512 GB storage", "Up to $100"], ["iPhone 13"]],
    ["blue iphone 14", ['"iphone 14"'], ["iPhone 13"]],
    ["zeppelin", ['"zeppelin"'], ["iPhone 13", "G42"]],
    ["blue iphone 13 a2633 x", ['"iphone 13 a2633 x"'], ["iPhone 13"]],
  ] as const) {
    const { count, query, nearest } = await readWords(db, typed);
    const kept = appliedFilters(nearest?.query ?? query).map(({ label }) => label);
    const left = appliedFilters(query)
      .map(({ label }) => label)
      .filter((label) => !kept.includes(label));
    assert.deepEqual(
      [typed, count, left, nearest?.phones.map(({ model }) => model)],
      [typed, 0, missed, models],
    );
  }
  assert.equal((await readWords(db, "iphone charger")).nearest, null);
};

function readWords(db: Db, typed: string) {
  const asked = parseSearchQuery(new URLSearchParams({ q: typed }));
  return searchWithCorrection(db, categoryByKey("products"), asked);
}

export const prefersWhatIsTypedToEarlierChoices = async (db: Db) => {
  const address = { q: "red iphone under 300", color: "Blue", ram: "4 GB", to: "500" };
  const { query } = await searchWithCorrection(
    db,
    categoryByKey("products"),
    parseSearchQuery(new URLSearchParams(address)),
  );
  assert.deepEqual(
    appliedFilters(query).map(({ label }) => label),
    ['"iphone"', "4 GB RAM", "Red", "Up to $300"],
  );
};
