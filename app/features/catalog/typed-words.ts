import { market } from "#app/market.ts";
import { cityNames } from "../listings/cities.rules.ts";
import { sizeUnits } from "../listings/size.rules.ts";
import type { FacetName } from "./search/facets.rules.ts";
import type { SearchSort } from "./search/search-query.rules.ts";

// What people type, as tables, for `search/understand.rules.ts`. Phrases are separated by commas; alternatives are in parentheses.

const notA = "(not|no|non|without|except|excluding|anything but|everything but) (a |)";

/** For a value of a filter, besides the values that are declared with it. */
export const filterValues: { [name in FacetName]?: Record<string, string> } = {
  phones: {
    yes:
      "phone(s|), smartphone(s|), smart phone(s|), mobile phone(s|), cell phone(s|), cellphone(s|), mobile(s|), cell(s|), handset(s|)" +
      `, ${notA}tablet(s|)`,
  },
  condition: {
    Excellent:
      "like new, almost new, as new, (good|as good) as new, mint, near mint, very good, flawless, perfect, great condition, great shape, grade a, a grade",
    Good: "grade b, b grade",
    Fair: "grade c, c grade",
  },
  color: {
    Gray: "grey, space gray, space grey, graphite, charcoal, slate, moonstone, natural titanium",
    Gold: "golden, bronze, champagne, desert titanium",
    Green: "sage, lime, olive, hazel, jade, emerald, lemongrass, wintergreen, seafoam",
    Red: "product red",
    Orange: "coral",
    Pink: "rose gold, rose, peony",
    Purple: "violet, lavender, lilac, burgundy, iris, mauve",
    Blue: "navy, teal, turquoise, ultramarine, indigo, sapphire",
    Black: "midnight, obsidian, onyx",
    White: "starlight, cream, ivory, porcelain, snow, pearl",
  },
  unlocked: {
    yes: "(gsm |factory |carrier |network |sim |fully |)unlocked, unlock, sim (lock |)free, no contract, not (carrier |)locked, no (carrier |)lock, (any|all) carrier(s|)",
  },
  verified: { yes: "verified, (verified|trusted|top rated) seller(s|)" },
  // One of the filter's levels.
  battery: { 85: "(good|great|best|excellent|strong|healthy) battery( health| life|)" },
  // In days, like the choices of the filter.
  returns: { 14: "(14 day |)return(s|)( policy|)( accepted|), returnable", 30: "30 day return(s|)" },
  available: { yes: "available, available now, in stock" },
  near: Object.fromEntries(
    cityNames.map((name) => {
      const [alone, state] = name.split(", ");
      return [name, `${alone}, ${alone} ${state}${name === "New York, NY" ? ", nyc, new york city" : ""}`];
    }),
  ),
};

/** For a list. The last wins: tablets have either operating system, "android tablet" names tablets. */
export const categoryWords = { android: "android", ios: "ios", tablet: `tablet(s|), ${notA}phone(s|)` };

/** Around what is wanted. */
export const fillerWords =
  "only what what's whats is that do you have how much cost device devices used pre-owned preowned second-hand secondhand with w and or in on from for can will a an the of to at least best buy sale want need looking please price priced condition color colour carrier storage capacity ram i me my show find any get selling minimum hi hello i'm im just plain regular normal standard really please there some pls plz thanks thank thx hey could should would like which who where it i'd you got old either both anything something everything are all give has who sells use your better trade téléphone search searching spend wanted asap urgently compare comparison specs review reviews display screen network cdma gsm inch inches"
    .split(" ")
    .concat("<", ">", "<=", ">=", "worth", "value", "value of")
    .concat("popular", "most popular", "trending", "best selling", "top rated")
    .concat(
      "(works|work) (with|on)",
      "difference",
      "does",
      "percent",
      "come",
      "here",
      "price range",
      "difference between",
    )
    .concat("a (good|nice|decent) (phone|device|one)")
    .concat("con", "mit", "avec", "para", "für", "pour", "с", "для")
    .concat("that's", "second hand", "pre owned", "works with", "works on", "compatible with", "compatible");

/** Of prices and sizes. */
export const comparisonWords = {
  under: "under, below, sub, (less|cheaper|lower|smaller) (than|then|), <",
  upTo: "up to, at most, maximum( of|), (max|maximum) (price|budget), (less|lower) than or equal( to|), no (larger|bigger) than, (no|not) (over|above|exceeding), (no|not) (more|higher) (than|then), <=",
  over: "over, above, (more|higher|larger|bigger|greater|better) (than|then), >",
  from: "at least, from, between, btw, starting at, (min|minimum)( of|), (min|minimum) price, (more|greater) than or equal( to|), (no|not) (under|below), (no|not) (less|cheaper|lower|smaller) (than|then|), >=",
  around: "around, about, roughly, approx, approximately, ~, ±",
};

/** Around an amount that may be a limit. */
export const priceLimitWords = {
  most: "max( of|), for, at, within, budget( of| is|), price( is|)",
  orLess: "or (less|under|below|cheaper|smaller|lower|worse), and (under|below), max, maximum, tops",
  orMore: "(or|and) (more|over|above|better|higher|larger|bigger|up), min, minimum",
};

export const cheapWords =
  "not (too |so |very |)expensive, cheap, cheaper, budget, affordable, inexpensive, low (cost|price|priced)";

/** For a sort order of the list. */
export const sortWords = {
  "price-up":
    "cheapest, (cheapest|lowest price) first, (lowest|best) price(s|), (low|lowest) to (high|highest)",
  "price-down": "most expensive( first|), highest price(s|), (high|highest) to (low|lowest)",
  saving:
    "(good|great|best) (deal|value|offer), (good|great|best) (deals|offers), deal(s|), bargain(s|), (big |biggest |best |)(discount|saving)(s|), discounted, price drop(s|), on sale, black friday",
  newest: "(newest|latest)( first|), arrivals, recently added",
} satisfies { [sort in SearchSort]?: string };

/** Brands, series and what else is in names in other scripts, as regular expressions. */
export const otherScripts = {
  apple: "苹果|蘋果|アップル|애플",
  iphone: "айфон[аыов]*|アイフォン|아이폰|[اآ]يفون",
  ipad: "айпад[аыов]*|アイパッド|아이패드",
  samsung: "[сcs][аa][мm][сcs]унг|三星|サムスン|삼성|سامسونج",
  galaxy: "г[аэ]лакси|ギャラクシー|갤럭시",
  pixel: "пиксель|ピクセル|픽셀",
  xiaomi: "сяоми|ксиаоми|小米|シャオミ|샤오미",
  redmi: "редми|红米",
  huawei: "хуавей|华为|華為",
  honor: "хонор|荣耀",
  sony: "сони|索尼|ソニー",
  nokia: "нокиа|诺基亚",
  motorola: "моторола",
  pro: "про|プロ|프로",
  max: "макс",
  mini: "мини|ミニ|미니",
  phone: "телефон[аыов]*|手机|スマホ|휴대폰",
};

const hundreds = ["a|one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** How names, amounts and places are read that are typed in several ways, as regular expressions: `$1` is what one captured. */
export const rewrites = {
  iphone: "i[ -]phones?|iphones",
  ipad: "i[ -]pads?|ipads",
  pixel: "pixels",
  pro: "pros",
  // As resellers write them: "ip13", "13pm", "gs22", "p7a".
  "iphone $1": "ip ?(1\\d)",
  "$1 pro max": "(1\\d) ?pm",
  "galaxy s$1": "s?gs(\\d\\d)",
  "pixel $1": "p([4-9]a)",
  "iphone x": "iphone (?:10|ten)",
  // "iPad 9" is the one of the ninth generation, not of 12.9 inches.
  "ipad $1th": `ipad ([5-9]|10)(?! ?(?:gb|tb|g|in|inch|pro|th|[."%]|\\d))`,
  ...Object.fromEntries(
    ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"].map((word, at) => [at + 11, word]),
  ),
  "$1 ultra": "(s2\\d|note ?20) ?u",
  $1: "(\\w*\\d)['’]s",
  "$1 ± $2": "(\\S*\\d) ?(?:±|\\+/?-|plus (?:or )?minus|give or take) ?(\\S*)",
  "t-mobile": "tmo",
  verizon: "vzw",
  // Xiaomi dropped "Mi" after the Mi 11.
  xiaomi: "mi(?= 1[2-9](?!\\d))",
  // Not in "Nokia 3.1 Plus".
  oneplus: "(?<!\\.)(?:one\\s?|1)(?:\\+(?=\\s?\\d)|plus)|(?<!\\S\\s*)1 plus",
  samsung: "sammy",
  "pro max": "promax",
  "se $1": "se([1-9])",
  near: "within \\d+ ?mi(?:les?)?(?: (?:of|from))?|\\d+ ?mi(?:les?)? (?:of|from)",
  hello: "good (?:morning|afternoon|evening)",
  // "200 < price < 400".
  [`over $1 ${market.currencyName}`]: "(\\S*\\d) ?<=? ?(?:price|cost)",
  [`under $1 ${market.currencyName}`]: "(\\S*\\d) ?>=? ?(?:price|cost)",
  // The whole text: "price" alone is a limit or an order elsewhere.
  "phone value":
    "^\\W*(?:the |used |current |what are the |(?:what|how much) is (?:it|this|that) )?(?:prices?|pricing|worth|value)\\W*$",
  // "Max price" is a limit.
  "pro max resale value":
    "pro[ -]?max (?:(?:used|current|average|market|resale) )?(?:prices?|pricing|worth|value|cost)(?=(?: (?:in )?20\\d\\d)?\\W*$)",
  "1k": "(?:a|one) grand",
  "512gb": "half a (?:terabyte|tb)",
  // "iphone 13 + charger".
  and: "(?<!%)\\+(?=\\s?\\p{L})",
  ...Object.fromEntries(
    hundreds.map((word, index) => [`${index + 1}00`, `(?:${index + 1}|${word}) hundred(?! and)`]),
  ),
};

const accessories =
  "charger|cable|stylus|pen|s pen|pencil|apple pencil|keyboard|case|cover|screen protector|airpods|earbuds|headphones";

/** What no list filters by, by what the page says of it. */
export const otherFacts = {
  leftOut: [
    "(with |in |)(the |its |)(original |)(box|boxed)",
    // A charger alone is something else, see `otherGoods`.
    `(with|w|and|no)( a|) (${accessories})( included|), (${accessories}) included`,
    "(with |no |)(accessories|receipt|warranty|applecare|apple care)( included|)",
    "(no|without|w/o|few|light|minor) (scratch|scratches|crack|cracks|dent|dents|damage), scratch(ed|less|), scratch free, scratches",
    "cracked, cracked screen, damaged, broken, for parts, (in |)(poor|bad|rough|working) (condition|shape|order)",
    "(not|never|no|un) (been |)repair(ed|s), unrepaired, repaired",
    "(original|new|replaced) (screen|display|battery|parts), (screen|display|battery) replaced",
    "(good|fair|great|nice|decent|reasonable) price(s|)",
    "(free |fast |)(shipping|delivery), ship(s|), shipped, delivered",
    "(local |)(pick up|pickup), in person, meet up, meetup, near (me|by), nearme, nearby, local",
    "(in |near |)new (jersey|orleans|mexico|hampshire)",
    "obo, or best offer, negotiable, oled, amoled, magsafe, lightning, lightweight",
    "4g, 5g, lte, wifi, wi fi, cellular, gps, nfc, (dual |e )sim, esim, dualsim",
    "(2|4|8)k( video| display| screen|), camera(s|), (bad|dead|poor|weak|worn) battery( health|), (good|great|best) camera, (big|long|large) battery( life|), gaming",
    "for (my |)(kid|kids|child|children|son|daughter|wife|husband|mom|dad|parent|parents|grandma|grandpa|grandmother|grandfather|senior|seniors|elderly|teen|student|work|school), kids, kid's, senior, elderly",
    "(slightly|lightly|gently|barely|hardly) used, prepaid, rooted, jailbroken, bulk, wholesale",
    "for (drawing|reading|gaming|games|studying|streaming|travel|business|photos|photography|movies)",
    "(with |)(lots of|a lot of|plenty of|more|much|big|large) (storage|memory|space|ram), folding, foldable",
    "(fully |)paid off, paid in full, activation lock(ed|), fast, home button, (with |)(a |)s pen, (sd card|sim card|memory card) slot, sd card",
    "(highest|largest|biggest|most) (storage|memory|ram), how long (does|will) (the |)(battery|it) last",
    "sealed, open box, by owner, (no |)icloud( lock| locked| unlocked|), (big|large|small|compact)( screen| display|)",
    "water proof, waterproof, water resistant, dust proof, rugged, headphone jack, micro sd, microsd, usb c, (fast|wireless) charging, (face|touch) id",
    "free, for free, giveaway, new, brand new, (or|and) (newer|later|better|above|higher|up|older|earlier), (newer|later|older) than",
    "(single|dual) sim, (global|international|us) version",
  ].join(", "),
  otherConditions:
    "(manufacturer |seller |certified |factory |)(refurbished|refurb|renewed|reconditioned), certified (pre owned|pre-owned|preowned|used), cpo",
  otherSystems:
    "(microsoft |)windows( mobile|), symbian, kaios, kai os, harmony os, harmonyos, blackberry os, tizen, firefox os, ubuntu touch",
};

/** What isn't sold here, as a regular expression. */
export const otherGoods =
  "(?:smart\\s?|i)?watch(?:es)?|air\\s?(?:pod|tag)s?|(?:ear)?buds?|(?:ear|head)phones?|headsets?|macbooks?|laptops?|chromebooks?|computers?|pcs?|imacs?|monitors?|tvs?|televisions?|cases?|(?:wireless |fast )?chargers?|power\\s?banks?|adapters?|cables?|stylus|pencils?|keyboards?|(?:screen )?protectors?|sim cards?|speakers?|home\\s?pods?|ipods?|play\\s?station|ps[45]|xbox|nintendo|consoles?|drones?|e-?readers?|gift cards?|printers?|gopro|fitbit|kindles?";

/** Of which brand a series is, if nothing of it is for sale. */
export const brandsOfSeries: Record<string, string> = {
  ...{ galaxy: "Samsung", fold: "Samsung", flip: "Samsung", zfold: "Samsung", zflip: "Samsung" },
  ...{ iphone: "Apple", ipad: "Apple", pixel: "Google", nexus: "Google", moto: "Motorola", razr: "Motorola" },
  ...{
    redmi: "Xiaomi",
    poco: "Xiaomi",
    nord: "OnePlus",
    xperia: "Sony",
    lumia: "Nokia",
    zenfone: "Asus",
    mi: "Xiaomi",
    lg: "LG",
  },
};

/** Names of which each model has a short number: "pixel 6/128" has 128 GB of storage, "xiaomi 6/128" 6 GB of RAM. */
export const numberedNames =
  "iphone, ipad, pixel, oneplus, nord, tcl, nokia, xperia, mi, redmi, note, tab, fold, flip, find, mate, honor, realme";

/** "iphone 12-14", "pixel 6 through 9", as a regular expression. */
export const modelRange = `((?:${numberedNames.replaceAll(", ", "|")}) ?)(\\d{1,2})(?: ?- ?| (?:to|thru|through) )(\\d{1,2})(?! ?(?:${sizeUnits}|g|in|inch|["%.]|\\d))`;

/** What follows the number of a model. */
export const modelSuffixes = "pro, max, mini, plus, ultra";

/** Phrases that say something of what stands beside them. */
export const phrases = {
  joiners: "or, and, nor, but, vs, versus, oder, ou, o, или, и, und, eller, lub, veya, oppure",
  /** Between the ends of a range. */
  through: "to, and, up to, through, thru, till, until",
  /** Behind an amount that need not be met. */
  orSo: "or so, ish, ±",
  battery:
    "(battery|batt)( health| life| level|)( of|), bh, health, (max|maximum) (battery |)(capacity|health)",
  measures: "mah, mp, megapixel(s|), hz, hertz, nits, watt(s|), (year|yr|month|week)(s|)( old|)",
  otherUnits: "percent, inch, inches, k",
  /** Behind a measure. */
  measured: "off, camera(s|), battery, screen, display, refresh rate",
  carrierLock: "(carrier |sim |network |)locked, locked to, simlocked, sim lock",
  /** Makers name shades of a color: "deep purple", "sierra blue". */
  shades:
    "deep, dark, light, pale, jet, space, phantom, stormy, mint, baby, midnight, alpine, sierra, pacific, cosmic, titanium",
  /** Beside a value of a filter. */
  legends:
    "condition, cond, shape, cosmetic(s|ally|), color, titanium, carrier, seller, device type, brand, storage, battery health, returns, availability",
  devices: "phone(s|), device(s|)",
  /** Before and behind the year of a model. */
  ofYears:
    "from, since, after, before, until, (not |)(newer|older|later|earlier) than, (released|launched|made|built|manufactured|bought|purchased) (in|from|after|since|before), (model |from |)year",
  orNewer:
    "(or|and) (newer|later|above|higher|up|older|earlier|after|before|below), onward(s|), model(s|), version(s|), release(s|)",
  outOf: "out of, of",
  imeiLabel: "imei( number|)",
  places: "in, near, around, from, close to",
  /** Before what devices must not be. */
  exclusions:
    "(but |and |)(not|no|non|neither|sin|ohne|sans|без|without|w/o|(do not|don't|dont) want|isn't|except|except for|excluding|exclude|other than|apart from|minus), (anything|everything|all|any color|any colour) (but|except)",
  articles: "in, for, from, too, so, very, like, a, an, the",
  numberedNames,
  suffixes: modelSuffixes,
  /** What models have in the place of a number: "iphone 11 or xr". */
  letters: "x, xr, xs, se, air, fe, lite",
  fillers: fillerWords.join(", "),
};
