import type { Condition } from "#app/db/enums.ts";
import type { DetailName } from "#app/features/listings/attributes.ts";

interface DemoSeller {
  name: string;
  email: string;
  verified: boolean;
  /** What most of their listings say. */
  usual?: DemoListing["details"];
}

export interface DemoListing {
  slug: string;
  rom: string;
  sellerEmail: string;
  /** Whole dollars. */
  sellingPrice: number;
  sellingReason: string;
  /** In months. */
  usedTime: string;
  /** Days between posting and the seeding. */
  daysAgo: number;
  condition?: Condition;
  batteryHealth?: number;
  carrierLock?: string;
  details?: Partial<Record<DetailName, string>>;
}

const marta = "seller@example.com";
const tomasz = "tomasz.wierzbny@example.com";
const adaeze = "adaeze.nwokoreze@example.com";
const hiroto = "hiroto.kanemizu@example.com";
const conceicao = "conceicao.vasconcelos@example.com";
const leila = "leila.farrokhian@example.com";
const joaquin = "joaquin.etxeberrieta@example.com";
const siobhan = "siobhan.niccarraig@example.com";

export const demoSellers: DemoSeller[] = [
  {
    name: "Marta Lindqvist-Oyelaran",
    email: marta,
    verified: true,
    usual: { delivery: "either", city: "Portland, OR" },
  },
  {
    name: "Tomasz Wierzbny",
    email: tomasz,
    verified: true,
    usual: { delivery: "either", city: "Milwaukee, WI" },
  },
  {
    name: "Adaeze Nwokoreze",
    email: adaeze,
    verified: true,
    usual: { delivery: "shipped", city: "Baltimore, MD" },
  },
  { name: "Hiroto Kanemizu", email: hiroto, verified: false },
  { name: "Maria da Conceição Vasconcelos-Albuquerque de Andrade", email: conceicao, verified: true },
  {
    name: "Leila Farrokhian",
    email: leila,
    verified: true,
    usual: { delivery: "shipped", city: "Tucson, AZ" },
  },
  { name: "Joaquín Etxeberrieta", email: joaquin, verified: false },
  {
    name: "Siobhán Nic Carraig",
    email: siobhan,
    verified: false,
    usual: { delivery: "in person", city: "Savannah, GA" },
  },
];

type Offer = [
  daysAgo: number,
  slug: string,
  rom: string,
  sellingPrice: number,
  usedTime: string,
  sellerEmail: string,
];

const listing = (
  [daysAgo, slug, rom, sellingPrice, usedTime, sellerEmail]: Offer,
  sellingReason: string,
  shape: Pick<DemoListing, "condition" | "batteryHealth" | "carrierLock" | "details"> = {},
): DemoListing => ({
  ...{ slug, rom, sellerEmail, sellingPrice, sellingReason, usedTime, daysAgo, ...shape },
  details: { ...demoSellers.find(({ email }) => email === sellerEmail)?.usual, ...shape.details },
});

/** Newest first. */
export const demoListings: DemoListing[] = [
  listing(
    [0, "google-pixel-9", "128 GB", 529, "19", marta],
    "Work gave me a phone and I am tired of carrying two. It has lived in a case and there is not a mark on it.",
    {
      condition: "Excellent",
      carrierLock: "unlocked",
      details: {
        scratches: "none",
        repairs: "none",
        inTheBox: "cable",
      },
    },
  ),
  listing(
    [1, "apple-ipad-air-5", "64 GB", 359, "38", leila],
    "I bought it to draw on and went back to paper. The battery still lasts me two evenings.",
    { condition: "Good", details: { repairs: "none" } },
  ),
  listing(
    [2, "samsung-galaxy-s24", "128 GB", 499, "26", adaeze],
    "My contract renewal came with a new one. One hairline scratch near the charging port, screen spotless.",
    {
      condition: "Good",
      carrierLock: "unlocked",
      details: { scratches: "light" },
    },
  ),
  listing(
    [3, "apple-iphone-12", "128 GB", 369, "52", tomasz],
    "My daughter has moved on to a bigger screen. Battery replaced in the spring, health now at 97%.",
    {
      condition: "Good",
      batteryHealth: 97,
      carrierLock: "unlocked",
      details: { repairs: "battery", inTheBox: "device" },
    },
  ),
  listing(
    [4, "samsung-galaxy-tab-s9-fe", "128 GB", 279, "24", siobhan],
    "Used for one course at college, which I have now finished. The pen is included and so is the box.",
    { condition: "Good", details: { inTheBox: "everything" } },
  ),
  listing(
    [5, "asus-zenfone-9", "128 GB", 345, "40", hiroto],
    "I held out for a small phone as long as I could, but my eyes want bigger letters now.",
    { condition: "Good" },
  ),
  listing(
    [6, "apple-iphone-13-pro", "128 GB", 499, "44", conceicao],
    "I only ever used the main camera, so the plain model will do for me. Battery health 91%.",
    { condition: "Good", batteryHealth: 91, carrierLock: "T-Mobile" },
  ),
  listing(
    [7, "nothing-phone-1", "128 GB", 229, "36", joaquin],
    "The lights on the back still make people smile, but I need more storage than this one has.",
  ),
  listing(
    [8, "apple-ipad-10", "64 GB", 265, "34", marta],
    "The children fought over it, so now each has their own smaller one. A tiny dent in one corner, see it in person if you like.",
    { condition: "Fair", details: { scratches: "cracks", delivery: "in person" } },
  ),
  listing(
    [9, "motorola-edge-40", "256 GB", 329, "30", leila],
    "Lovely to hold, but my old phone came back from repair and two is one too many.",
    { condition: "Good", carrierLock: "unlocked" },
  ),
  listing(
    [10, "apple-iphone-14", "128 GB", 459, "37", adaeze],
    "Selling because I was given a newer one for a round birthday. Battery health 92%, always in a clear case.",
    {
      condition: "Excellent",
      batteryHealth: 92,
      carrierLock: "unlocked",
      details: { scratches: "none", repairs: "none", inTheBox: "cable" },
    },
  ),
  listing(
    [11, "oneplus-11", "128 GB", 379, "41", tomasz],
    "I change phones every three years and the three years are up. Charges from empty in half an hour.",
    {
      condition: "Good",
      carrierLock: "Verizon",
      details: { scratches: "light", inTheBox: "charger" },
    },
  ),
  listing(
    [12, "apple-ipad-mini-6", "64 GB", 259, "48", conceicao],
    "It was my reading tablet until I got an e-reader. It has hardly left the bedside table.",
    { condition: "Excellent", details: { scratches: "none", repairs: "none" } },
  ),
  listing(
    [12, "google-pixel-8", "128 GB", 399, "33", joaquin],
    "Switching to the same make as the rest of the family so that we can share photos.",
    { condition: "Good", carrierLock: "unlocked" },
  ),
  listing(
    [13, "apple-iphone-xr", "64 GB", 305, "70", siobhan],
    "It was my spare and has been in a drawer for a year. New battery fitted by a shop, health 99%.",
    {
      condition: "Good",
      batteryHealth: 99,
      carrierLock: "unlocked",
      details: { repairs: "battery", inTheBox: "device" },
    },
  ),
  listing(
    [14, "google-pixel-tablet", "128 GB", 285, "35", hiroto],
    "It stood in the kitchen for recipes and now we have a new kitchen with less counter. Comes with its dock.",
    { condition: "Good" },
  ),
  listing(
    [15, "fairphone-5", "256 GB", 420, "36", marta],
    "Nothing wrong with it, my employer simply pays for another one. I put in a new battery this summer, no tools needed.",
    {
      condition: "Good",
      carrierLock: "unlocked",
      details: { repairs: "battery", inTheBox: "everything" },
    },
  ),
  listing(
    [16, "apple-iphone-15-pro", "128 GB", 650, "35", leila],
    "I am moving abroad and need a phone with a SIM tray. Battery health 90%, frame has light wear at the corners.",
    {
      condition: "Good",
      batteryHealth: 90,
      details: { scratches: "light", repairs: "none", inTheBox: "cable" },
    },
  ),
  listing(
    [17, "huawei-p30-pro", "128 GB", 405, "72", adaeze],
    "The zoom took me through a dozen holidays. I want an app that it no longer runs, everything else works.",
  ),
  listing(
    [17, "apple-iphone-11", "128 GB", 315, "62", conceicao],
    "Outgrown by my son, who says it is too slow for his games. It is fine for calls and maps, battery health 93%.",
    { condition: "Good", batteryHealth: 93, carrierLock: "unlocked" },
  ),
  listing(
    [18, "xiaomi-13", "256 GB", 520, "42", tomasz],
    "I need a second SIM and a headphone socket for work, and it has only one of the two.",
    { condition: "Good", carrierLock: "unlocked" },
  ),
  listing(
    [19, "apple-ipad-air-4", "64 GB", 265, "64", siobhan],
    "My studio has bought us larger ones. The back has fine scratches from sliding over the desk.",
    { condition: "Fair", details: { scratches: "deep" } },
  ),
  listing(
    [20, "samsung-galaxy-s23", "128 GB", 439, "43", hiroto],
    "I prefer a flip phone these days, so this one deserves a new owner. Screen protector fitted from the first day.",
    {
      condition: "Excellent",
      carrierLock: "unlocked",
      details: { scratches: "none", inTheBox: "charger" },
    },
  ),
  listing(
    [21, "apple-iphone-se-2", "64 GB", 165, "66", marta],
    "My mother finally agreed to a phone without a home button. Battery changed last year, health 95%.",
    { condition: "Good", batteryHealth: 95, carrierLock: "T-Mobile" },
  ),
  listing(
    [22, "oneplus-pad", "128 GB", 265, "39", leila],
    "Bought for long train rides, and now I work from home.",
  ),
  listing(
    [23, "google-pixel-6", "128 GB", 269, "55", joaquin],
    "Still gets through a day for me, but I would like something lighter. Small chip on the camera bar, lenses are clear.",
    {
      condition: "Fair",
      carrierLock: "unlocked",
      details: { scratches: "cracks", repairs: "none" },
    },
  ),
  listing(
    [24, "apple-iphone-13", "128 GB", 399, "50", tomasz],
    "We are a two-phone household with three phones. This is the one nobody picks up, battery health 90%.",
    {
      condition: "Good",
      batteryHealth: 90,
      carrierLock: "unlocked",
      details: { scratches: "light", repairs: "none", inTheBox: "device" },
    },
  ),
  listing(
    [24, "sony-xperia-5-iv", "128 GB", 480, "45", conceicao],
    "Bought it for the camera button and then got a real camera. Headphone socket works, the back has two faint lines.",
    { condition: "Good", carrierLock: "unlocked" },
  ),
  listing(
    [25, "apple-ipad-9", "64 GB", 159, "54", adaeze],
    "Our school lessons are over and the tablet is idle. Home button works, one key-sized scratch on the back.",
    { condition: "Fair" },
  ),
  listing(
    [26, "google-pixel-5", "128 GB", 285, "68", siobhan],
    "The perfect size for my hand, but updates have stopped and my work insists on them.",
    { condition: "Good" },
  ),
  listing(
    [27, "apple-iphone-12", "64 GB", 335, "58", marta],
    "The storage is too small for my podcasts. Battery renewed in August, health 100%.",
    {
      condition: "Good",
      batteryHealth: 100,
      carrierLock: "unlocked",
      details: { repairs: "battery", inTheBox: "device" },
    },
  ),
  listing(
    [28, "xiaomi-pad-6", "128 GB", 225, "37", hiroto],
    "I thought I would watch films on it and I keep falling asleep. As good as new.",
    { condition: "Excellent" },
  ),
  listing(
    [29, "apple-iphone-14-pro", "256 GB", 620, "46", leila],
    "I take the new model every few years and pass the old one on. Battery health 90%, never opened.",
    {
      condition: "Good",
      batteryHealth: 90,
      carrierLock: "unlocked",
      details: { repairs: "none", inTheBox: "everything" },
    },
  ),
  listing(
    [30, "samsung-galaxy-s21", "128 GB", 349, "63", joaquin],
    "Time for a change of color, no better reason than that. A faint line across the lower screen, invisible when it is on.",
    { condition: "Fair", carrierLock: "unlocked", details: { scratches: "light" } },
  ),
  listing(
    [31, "apple-ipad-pro-11-3", "256 GB", 440, "60", tomasz],
    "My laptop does everything I bought this for. The keyboard cover is worn, so I will throw it in for free.",
  ),
  listing(
    [32, "nothing-phone-1", "256 GB", 255, "42", siobhan],
    "I wanted to try it and I have, for three years. The glass is whole and all the lights glow.",
    { condition: "Good" },
  ),
  listing(
    [33, "apple-iphone-12-mini", "128 GB", 325, "65", conceicao],
    "I loved how small it is, my thumbs did not. Third-party battery fitted this year, health 98%.",
    { condition: "Good", batteryHealth: 98, carrierLock: "Verizon" },
  ),
  listing(
    [34, "samsung-galaxy-tab-s8", "128 GB", 355, "51", marta],
    "I used it as a second screen for my desk and now I have a proper monitor.",
    { condition: "Good" },
  ),
  listing(
    [35, "apple-iphone-15", "128 GB", 520, "32", hiroto],
    "I lost a bet with my wife about screen time and gave up smartphones. Battery health 93%.",
    {
      condition: "Good",
      batteryHealth: 93,
      carrierLock: "unlocked",
      details: { scratches: "light", repairs: "none", inTheBox: "cable" },
    },
  ),
  listing(
    [36, "samsung-galaxy-a54-5g", "128 GB", 235, "40", tomasz],
    "Bought for my father, who prefers his old flip phone. Hardly used since the first winter.",
    { condition: "Excellent", carrierLock: "T-Mobile" },
  ),
  listing(
    [37, "apple-ipad-mini-5", "64 GB", 165, "80", adaeze],
    "It hung in my car as a map and the car has its own now. The gold back still shines, the edge has small nicks.",
    { condition: "Fair" },
  ),
  listing(
    [38, "google-pixel-9", "256 GB", 599, "24", conceicao],
    "My company only allows another make on its network. Kept in a leather sleeve, receipt available.",
    { condition: "Excellent" },
  ),
  listing(
    [38, "apple-iphone-11-pro", "64 GB", 415, "78", joaquin],
    "It was meant for my niece, who then found the green too dark. New battery, health 96%.",
    { condition: "Good", batteryHealth: 96, carrierLock: "unlocked" },
  ),
  listing(
    [39, "oneplus-7t", "128 GB", 245, "74", marta],
    "It was the fastest phone I ever owned and my new one replaces it at last. Some wear where it lay in my bag.",
    {
      condition: "Fair",
      carrierLock: "unlocked",
      details: { scratches: "deep", inTheBox: "device" },
    },
  ),
  listing(
    [40, "apple-iphone-13-mini", "128 GB", 340, "53", leila],
    "Selling my last small phone with a heavy heart, the photos of my dog fill it up. Battery health 91%.",
    { condition: "Good", batteryHealth: 91, carrierLock: "unlocked" },
  ),
  listing(
    [41, "samsung-galaxy-tab-s6-lite", "64 GB", 149, "69", siobhan],
    "The drawing class ended and I kept only the pencils. The pen that came with it is there, with two spare tips.",
    { condition: "Good" },
  ),
  listing(
    [42, "xiaomi-redmi-note-10-pro", "128 GB", 129, "57", hiroto],
    "It was my delivery phone, always in a holder. The screen is good, the frame has seen some rain but no damage.",
    { condition: "Fair" },
  ),
  listing(
    [42, "apple-iphone-8", "64 GB", 285, "96", adaeze],
    "It sat with my grandmother, who made one call a week. Battery replaced, health 100%, and the charger is original.",
    { condition: "Excellent", batteryHealth: 100, carrierLock: "unlocked" },
  ),
  listing(
    [43, "samsung-galaxy-s24", "256 GB", 549, "22", tomasz],
    "I misjudged how large I like my phones, this is a notch too small. Two years of light use.",
    {
      condition: "Excellent",
      carrierLock: "unlocked",
      details: { scratches: "none", repairs: "none", inTheBox: "cable" },
    },
  ),
  listing(
    [44, "apple-ipad-air-5", "256 GB", 449, "42", hiroto],
    "I finished my degree, all my notes are printed and the tablet is empty. The screen has always worn a paper-feel film.",
    { condition: "Excellent" },
  ),
  listing(
    [44, "google-pixel-8", "256 GB", 445, "34", siobhan],
    "My sight is failing a little and I need a larger screen. It has been reset and is ready to go.",
    { condition: "Good", carrierLock: "unlocked" },
  ),
  listing(
    [45, "apple-iphone-14", "256 GB", 529, "40", joaquin],
    "I bought it for filming football matches and the season has ended for good. Battery health 90%, small scuff at the bottom.",
    { condition: "Good", batteryHealth: 90 },
  ),
  listing(
    [46, "lenovo-tab-p11-pro", "128 GB", 215, "67", conceicao],
    "Our television is smart enough now. The four speakers are still the best thing about it.",
  ),
  listing(
    [46, "apple-iphone-12", "256 GB", 420, "60", leila],
    "It belonged to my brother, who emigrated and left it with me to sell. New screen and battery from a repair shop, health 97%.",
    {
      condition: "Good",
      batteryHealth: 97,
      carrierLock: "unlocked",
      details: { repairs: "battery and screen", inTheBox: "device" },
    },
  ),
  listing(
    [47, "samsung-galaxy-s23", "256 GB", 479, "39", marta],
    "I moved up to the larger phone of the same series. The cream back makes every fingerprint vanish.",
    { condition: "Excellent", carrierLock: "T-Mobile" },
  ),
  listing(
    [48, "apple-ipad-10", "256 GB", 349, "44", tomasz],
    "Our band read its sheet music from it and we have split up. There are traces of tape on the back that come off.",
    { condition: "Good" },
  ),
  listing(
    [49, "google-pixel-tablet", "256 GB", 345, "38", adaeze],
    "Since the move we have a display in the wall that does the same. Never taken out of the house.",
    { condition: "Excellent" },
  ),
  listing(
    [49, "apple-iphone-13", "256 GB", 449, "56", siobhan],
    "I am saving for a bicycle and this is the nicest thing I can spare. Battery health 92%.",
    {
      condition: "Good",
      batteryHealth: 92,
      carrierLock: "unlocked",
      details: { repairs: "none", inTheBox: "cable" },
    },
  ),
  listing(
    [50, "samsung-galaxy-s21", "256 GB", 379, "66", conceicao],
    "My old phone turned up in the attic and I found that I missed it. This one is tidy apart from a mark beside the cameras.",
    { condition: "Good" },
  ),
  listing(
    [51, "apple-iphone-xr", "128 GB", 329, "88", hiroto],
    "It was for the shop's card reader, which now has its own screen. Battery swapped in May, health 98%.",
    { condition: "Good", batteryHealth: 98, carrierLock: "unlocked" },
  ),
  listing(
    [52, "apple-ipad-mini-6", "256 GB", 339, "55", joaquin],
    "I flew with it as a chart table and have given up my pilot's license. The mount is included.",
    { condition: "Good" },
  ),
  listing(
    [53, "google-pixel-6", "256 GB", 315, "58", tomasz],
    "The coral was my wife's choice, and so is the next phone. One pixel of dust under the glass, that is all.",
    { condition: "Good", carrierLock: "Verizon" },
  ),
  listing(
    [53, "apple-iphone-11", "256 GB", 359, "76", marta],
    "I kept it as a music player for the car. Storage for a whole collection, battery health 94% after a replacement.",
    { condition: "Good", batteryHealth: 94, carrierLock: "unlocked" },
  ),
  listing(
    [54, "apple-iphone-15", "256 GB", 579, "29", adaeze],
    "My new job wants me reachable on their handset only. Battery health 95%, box and cable included.",
    {
      condition: "Excellent",
      batteryHealth: 95,
      details: { scratches: "none", inTheBox: "everything" },
    },
  ),
  listing(
    [55, "xiaomi-redmi-note-10-pro", "64 GB", 119, "60", leila],
    "Cleaning out a drawer before we move house. It works, it is charged, and someone will find it useful.",
  ),
  listing(
    [56, "apple-iphone-13-pro", "256 GB", 560, "58", siobhan],
    "I photograph with a proper camera again and need the money for a lens. Battery health 90%, scratch-free display.",
    {
      condition: "Excellent",
      batteryHealth: 90,
      carrierLock: "unlocked",
      details: { scratches: "none", repairs: "none" },
    },
  ),
  listing(
    [57, "apple-ipad-9", "256 GB", 229, "57", conceicao],
    "We used it to mind the baby and the baby goes to school. The silver back has a sticker that I could not bear to peel off.",
    { condition: "Fair" },
  ),
  listing(
    [58, "honor-90", "256 GB", 299, "38", adaeze],
    "Won a newer phone in a raffle, honestly. This one has served me well and has no cracks.",
    { condition: "Good", carrierLock: "unlocked" },
  ),
  listing(
    [58, "apple-iphone-15-pro", "256 GB", 719, "36", tomasz],
    "The next one tempted me in the shop and I gave in. Battery health 91%, titanium without dents.",
    { condition: "Excellent", batteryHealth: 91, carrierLock: "unlocked" },
  ),
  listing(
    [59, "oppo-find-x3-pro", "256 GB", 510, "61", leila],
    "The microscope camera was fun for a week. The rest has been excellent for five years, I just want fewer cameras.",
  ),
  listing(
    [59, "apple-iphone-11", "64 GB", 289, "84", joaquin],
    "My spare phone needs a spare owner. Battery renewed, health 99%, faint scratches on the back.",
    { condition: "Good", batteryHealth: 99 },
  ),
  listing(
    [60, "apple-iphone-13", "512 GB", 540, "59", hiroto],
    "I had all that storage for a film I never shot. The phone stayed in its case, battery health 90%.",
    { condition: "Excellent", batteryHealth: 90, carrierLock: "T-Mobile" },
  ),
];
