import { brand } from "#app/brand.ts";
import { foldText } from "#app/db/fold-text.ts";
import { sanitizeText } from "#app/server/forms/sanitize-text.ts";
import { latinLookOf, plainWordsOf } from "../accounts/reserved-names.rules.ts";
import { privateDetailsIn } from "../listings/private-details.rules.ts";

/** Where a message is sent, which decides whether something in it is ordinary. */
export interface MessagePlace {
  /** Whether the two have an order of this device, so that they know phone number and address of each other. */
  isBooked: boolean;
  /** Whether the order is paid on the site, or would be. */
  isProtected: boolean;
  /** The site's own host. */
  ownHost: string;
}

interface Warning {
  finds(text: ReadText, place: MessagePlace): boolean;
  /** Why the recipient should be careful. */
  recipient: string | ((place: MessagePlace) => string);
  /** Why the sender is asked. */
  sender: string;
}

const neverInMessages = "The other person gets a note to be careful.";

const payHere = `Pay only on ${brand.name}, when you book. Money sent any other way isn’t protected, and is hard to get back.`;
const payInHand =
  "Pay when you hold the device, and hand it over when you have the money. Money sent earlier is hard to get back.";
const howToPay = ({ isProtected }: MessagePlace) => (isProtected ? payHere : payInHand);

/**
 * What a message can have that people are robbed with, the gravest first. Written after what the FTC, the FBI's IC3, Europol
 * and large marketplaces say about fraud with used goods.
 */
export const warnings = {
  "look-alike": {
    finds: ({ hosts, words }, { ownHost }) =>
      hosts.some((host) => looksLikeBrand(host, ownHost)) ||
      namesBrandSite(words) ||
      claimsToBeBrand.test(words),
    recipient: `This isn’t from ${brand.name}. We never write to you in messages or ask you to log in, pay or confirm on another site.`,
    sender: `This looks as if it came from ${brand.name}. ${neverInMessages}`,
  },
  code: {
    finds: ({ words }) => matches(words, asksForCode),
    recipient:
      "Never share a code, PIN or password, whatever the reason. Nobody needs one to buy or sell a device.",
    sender: `Nobody needs a code, PIN or password to buy or sell a device. ${neverInMessages}`,
  },
  identity: {
    finds: ({ words }) => matches(words, identityPapers),
    recipient: "Never send a picture of an ID, or your social security number. Others open accounts with it.",
    sender: `Nobody needs someone’s ID to buy or sell a device. ${neverInMessages}`,
  },
  "remote access": {
    finds: ({ words }) => matches(words, remoteAccess),
    recipient: "Don’t install an app or log in to an account for someone else. They could take it over.",
    sender: `Nobody needs another app or account to buy or sell a device. ${neverInMessages}`,
  },
  "gift card": {
    finds: ({ words }) => matches(words.replace(spentGiftCards, " "), giftCards),
    recipient: "Never pay with gift cards. Whoever has the number has the money, and it can’t be traced.",
    sender: `Gift cards aren’t a way to pay for a device. ${neverInMessages}`,
  },
  crypto: {
    finds: ({ words }) => matches(words, crypto),
    recipient: "Never pay with cryptocurrency. It can’t be called back.",
    sender: `Cryptocurrency isn’t a way to pay for a device. ${neverInMessages}`,
  },
  bank: {
    finds: ({ words, shown }) => matches(words, bankDetails) || hasIban(shown),
    recipient: (place) => `Don’t send money to an account in a message, or tell your own. ${howToPay(place)}`,
    sender: `Bank and card details don’t belong in messages. ${neverInMessages}`,
  },
  parcel: {
    finds: ({ words }) => matches(words, parcelPhrases),
    recipient:
      "Be careful. Carriers and couriers don’t hold, bring or release money for a sale, and don’t ask for a fee by message.",
    sender: `This sounds like a well-known parcel scam. ${neverInMessages}`,
  },
  "absent buyer": {
    finds: ({ words }) => matches(words, absentBuyers),
    recipient: (place) =>
      `Be careful with someone who can’t come and sends an agent. Scammers often write this. ${howToPay(place)}`,
    sender: `This sounds like a well-known scam. ${neverInMessages}`,
  },
  "false payment": {
    finds: ({ words }) => matches(words, falsePayments),
    recipient: ({ isProtected }) =>
      isProtected
        ? `Look at the order: it says when it’s paid. Don’t trust an email or a picture, and don’t send anything back.`
        : "Check your own account before you hand anything over or send money back. Don’t trust an email or a picture.",
    sender: `Say this after the other person has the money. ${neverInMessages}`,
  },
  payment: {
    finds: ({ words }, { isProtected }) =>
      matches(words, riskyPayments) || matches(words, isProtected ? otherPayments : earlyPayments),
    recipient: howToPay,
    sender: `This asks to pay early or outside ${brand.name}, where nobody is protected. ${neverInMessages}`,
  },
  link: {
    finds: ({ linked, words }, { ownHost }) =>
      linked.some((host) => !isKnownHost(host, ownHost)) || matches(words, linkPhrases),
    recipient: `This leads away from ${brand.name}. Don’t log in, pay or enter your details there.`,
    sender: `Links to other sites can be unsafe. ${neverInMessages}`,
  },
  contact: {
    finds: ({ words, numbers }, { isBooked }) =>
      !isBooked &&
      (hasContactDetails(numbers) ||
        matches(words, contactPhrases) ||
        spokenNumber.test(words) ||
        postalAddress.test(words)),
    recipient: `Keep talking here until it’s booked. We can’t help with what’s agreed elsewhere.`,
    sender: `You don’t need phone numbers, email addresses or other apps before a booking: an order shows both of you what you need.`,
  },
} as const satisfies Record<string, Warning>;

export type WarningKind = keyof typeof warnings;

const table: Record<WarningKind, Warning> = warnings;
const kinds = Object.keys(warnings) as WarningKind[];

/** What a message has to be careful about, the gravest first. */
export function warningsOf(text: string, place: MessagePlace): WarningKind[] {
  const read = readText(text);
  return kinds.filter((kind) => table[kind].finds(read, place));
}

/** Whether a message could have a warning in some place: a booking takes warnings away and adds none. */
export function isSuspect(text: string, ownHost: string): boolean {
  const read = readText(text);
  return [true, false].some((isProtected) =>
    kinds.some((kind) => table[kind].finds(read, { isBooked: false, isProtected, ownHost })),
  );
}

/** What the recipient of a message reads beside it: the gravest reason to be careful; null without one. */
export function warningFor(text: string, place: MessagePlace): string | null {
  const [gravest] = warningsOf(text, place);
  if (!gravest) return null;
  const { recipient } = table[gravest];
  return typeof recipient === "string" ? recipient : recipient(place);
}

/** What the sender is asked about each. */
export const senderWarning = (kind: WarningKind): string => table[kind].sender;

/** A message in the forms that rules read, so that spelling something oddly does not hide it. */
interface ReadText {
  /** Lower-case Latin words with plain signs, spaced-out words closed up. */
  words: string;
  /** The same with "number words" as digits and digits closed up. */
  numbers: string;
  /** The same as `words`, with the numbers of parcels. */
  shown: string;
  /** The hosts of links and email addresses. */
  hosts: string[];
  /** The hosts of links alone. */
  linked: string[];
}

function readText(text: string): ReadText {
  const plain = inLatin(
    sanitizeText(text)
      .replace(missingSpace, ". ")
      .replace(/[’‘ʼ`´]/g, "'"),
  )
    // What encloses a digit or a letter.
    .replace(/\p{Me}/gu, "");
  const dotted = closedUp(plain.replace(parcelNumber, " "))
    .replace(
      new RegExp(
        `\\s*\\b(?:dot|d0t|punto|punkt)(?:\\b\\s*(?=(?:${endings})\\b)|(?=(?:com|net|org)\\b))`,
        "g",
      ),
      ".",
    )
    .replace(/(?<=[a-z0-9])(?:\s+[.,·•]\s*|\s*[·•]\s*|[.,]\s+)(?=com\b|(?:net|org)\b(?!\s+[a-z]))/g, ".")
    .replace(/(?<=[a-z0-9]),(?=com\b)/g, ".")
    .replace(/\s+slash\s+/g, "/");
  const spellings = [dotted, withoutDigitsInWords(dotted, "i"), withoutDigitsInWords(dotted, "l")];
  const words = [...new Set(spellings)].join("\n");
  return {
    words,
    numbers: withDigits(dotted),
    shown: plain,
    hosts: hostsOf(text, dotted),
    linked: hostsOf(withoutAddresses(text), withoutAddresses(dotted)),
  };
}

/** "It's fine.Scratch/dent on the side" */
const missingSpace = new RegExp(
  `(?<=[a-z\\d])(?<!${brand.name}|${brand.name.toLowerCase()})\\.(?=[A-Z][a-z]+/)`,
  "g",
);

const inLatin = (text: string) => withoutBrackets(latinLookOf(foldText(withFullStops(text))));

/** Browsers read the full stop of Chinese and Japanese as a dot. */
const withFullStops = (text: string) => text.replace(/[。｡]/g, ".");

/** As carriers print it, in groups: more digits than a phone number has. */
const parcelNumber = /\b1z(?: ?[a-z0-9]){16}\b|(?<!\d)\d(?: ?\d){17,33}(?!\d)/g;

/** The hosts in a text; those with letters that only look Latin as browsers open them, which is another site. */
function hostsOf(text: string, dotted: string): string[] {
  const disguised = hostsIn(withFullStops(text).toLowerCase().normalize("NFC")).filter((host) =>
    /[^\0-\x7f]/.test(host),
  );
  const shown = disguised.map(inLatin);
  const opened = disguised.flatMap((host) => {
    const address = `https://${host}`;
    return URL.canParse(address) ? [new URL(address).hostname] : [];
  });
  return [...hostsIn(dotted).filter((host) => !shown.includes(host)), ...opened];
}

/** "gmail [dot] com", "ada (at) example" */
const withoutBrackets = (text: string) =>
  text
    .replace(/\s*[[({<]\s*(?:dot|\.)\s*[\])}>]\s*/g, ".")
    .replace(/\s*[[({<]\s*(?:at|@)\s*[\])}>]\s*/g, "@");

/** "g i f t", "w.h.a.t.s" */
const closedUp = (text: string) =>
  text.replace(/(?<![a-z0-9])[a-z](?:[ ._*-][a-z]){3,}(?![a-z0-9])/g, (spaced) =>
    spaced.replace(/[ ._*-]/g, ""),
  );

const lettersOfDigits: Record<string, string> = {
  ...{ "0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s" },
};

/** "g1ft c@rd", and with a 1 for an l "te1egram" */
const withoutDigitsInWords = (text: string, one: "i" | "l") =>
  text.replace(/[a-z]+(?:[013457@$!|]+[a-z]+)+/g, (word) =>
    word.replace(/[013457@$!|]/g, (sign) => lettersOfDigits[sign] ?? one),
  );

const numberWords = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

const moreNumberWords =
  "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|double|triple|oh";

/** "eight hundred five five five twelve twelve": nobody says a price or a time in so many. */
const spokenNumber = new RegExp(
  `(?<![a-z])(?:(?:${numberWords.join("|")}|${moreNumberWords})[\\s,.–-]+){5}(?:${numberWords.join("|")}|${moreNumberWords})(?![a-z])`,
);

/** "five 5 five, o1two3 four 5 six seven" */
function withDigits(text: string): string {
  return (
    text
      .replace(
        new RegExp(`(?<![a-z])(?:${numberWords.join("|")}|oh)(?![a-z])`, "g"),
        (word) => ` ${word === "oh" ? "0" : numberWords.indexOf(word)} `,
      )
      .replace(/(?<=\d[ .-]?)[oO](?=[ .-]?\d)/g, "0")
      .replace(/(?<=\d[ .-]?)[lI|](?=[ .-]?\d)/g, "1")
      // "4 1 5, then 8 6 7"
      .replace(/(?<=\d) ?[,;.]? ?(?:and )?(?:then|after that|followed by)[,:]? (?=\d| \d)/g, " ")
      .replace(/ {2,}/g, " ")
      .replace(/(?<=\d)\s*[-–—_*~|•·]+\s*(?=\d)/g, "-")
      // Each digit by itself.
      .replace(/(?<![\w.,/])\d(?:[ .,_*~|/-]{1,3}\d){6,14}(?![\w/])/g, (spaced) => spaced.replace(/\D/g, ""))
  );
}

const endings =
  "com|net|org|info|biz|shop|store|online|site|website|xyz|top|icu|cfd|sbs|cyou|lol|support|app|dev|io|co|link|click|page|live|club|vip|cc|tk|ru|cn|de|uk|eu|us|ca|fr|es|nl|pl|ly|gg|example|test";
/** Endings that are words, or follow a sentence without a space. */
const wordEndings = "me|to|it|is|in|at|be|so|no|am|pm|id|my|ws|ps|gl|la|do|im";

/** Words beside a slash or after a full stop, where somebody left out a space: "ok.yes/no", "on Ringback.Thanks". */
const notEndings =
  "and|or|yes|no|not|he|she|his|her|they|we|you|your|i|it|its|it's|is|are|was|were|has|have|had|the|that|this|these|those|there|a|an|my|our|so|but|if|in|on|at|as|to|for|with|will|would|can|could|do|does|did|what|when|where|how|who|why|which|because|once|then|just|also|maybe|please|pls|thanks|thank|thx|great|good|nice|sorry|hi|hello|ok|okay|let|new|used|one|two|both|either|all|any|some|screen|battery|wifi|ios|android|gb|tb|mb|mm|ram|rom";

const linkWithScheme = /\b(?:h(?:tt|xx)ps?[:;]\s?\/{1,2}|www\.)\s?([a-z0-9\p{L}.-]+)/gu;
const bareHost = new RegExp(
  `(?<![\\p{L}\\d_.-])((?:[\\p{L}\\d](?:[\\p{L}\\d-]*[\\p{L}\\d])?\\.)+(?:(?:${endings})(?![\\p{L}\\d_-]|\\.[\\p{L}\\d])|(?:${wordEndings})(?=/[\\p{L}\\d])|xn--[a-z0-9-]+))`,
  "gu",
);

const label = "[\\p{L}\\d](?:[\\p{L}\\d-]*[\\p{L}\\d])?";
/** With any ending: nobody writes a path behind something else. */
const hostWithPath = new RegExp(
  `(?<![\\p{L}\\d_.@-])((?:${label}\\.)+(?!(?:${notEndings})/)[a-z]{2,24})(?::\\d+)?(?=/[\\p{L}\\d])`,
  "gu",
);
/** "1.2.3.4/pay" */
const numericHost =
  /(?<![\w.,-]|\b(?:version|firmware|build|ios|android|v)\W{0,2})((?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d))(?=(?::\d+)?\/\w)/g;
/** With any ending, for the brand's name. */
const dottedWords = new RegExp(
  `(?<![\\p{L}\\d_.-])((?:${label}\\.)+(?!(?:${notEndings})(?![\\p{L}\\d-]))[a-z]{2,24})(?![\\p{L}\\d_-])`,
  "gu",
);

function hostsIn(text: string): string[] {
  const found = [
    ...[linkWithScheme, bareHost, hostWithPath, numericHost].flatMap((pattern) => [
      ...text.matchAll(pattern),
    ]),
    ...[...text.matchAll(dottedWords)].filter(([, host = ""]) => hasBrandIn(host)),
  ];
  return [...new Set(found.map(([, host = ""]) => host.replace(/^www\.|\.+$/g, "")))].filter((host) =>
    host.includes("."),
  );
}

/** "ada@example.org", but not the link "https://example.com@example.org/". */
const withoutAddresses = (text: string) =>
  text.replace(/(?<![^\s()<>[\],;:"'])[\p{L}\d._%+-]+\s?@\s?[\p{L}\d.-]+(?![\p{L}\d.-]|\/|:\d)/gu, " ");

const brandHost = brand.senderEmail.split("@")[1] ?? "";
const ofBrand = plainWordsOf(brand.name).join("");

const isOrIsBelow = (host: string, own: string) => own !== "" && (host === own || host.endsWith(`.${own}`));
const isOwnHost = (host: string, ownHost: string) =>
  isOrIsBelow(host, ownHost.replace(/:\d+$/, "")) || isOrIsBelow(host, brandHost);

/** Sites that people name for good reason, and on which no stranger has a page: makers, carriers of parcels and networks. */
const knownHosts = [
  ...["apple.com", "samsung.com", "motorola.com", "oneplus.com", "sony.com", "fairphone.com", "nokia.com"],
  ...["usps.com", "ups.com", "fedex.com", "dhl.com", "gsmarena.com", "imei.info"],
  ...["att.com", "t-mobile.com", "verizon.com", "bestbuy.com", "ifixit.com"],
];
/** Of addresses. Below some of them, strangers have pages. */
const mailHosts = [
  ...["gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "proton.me", "aol.com"],
];

const isKnownHost = (host: string, ownHost: string) =>
  isOwnHost(host, ownHost) ||
  mailHosts.includes(host) ||
  knownHosts.some((known) => isOrIsBelow(host, known));

/** Whether a host could pass for the site's own. */
const looksLikeBrand = (host: string, ownHost: string) => !isOwnHost(host, ownHost) && hasBrandIn(host);

const look = (text: string) => plainWordsOf(text.replace(/vv/g, "w").replace(/rn(?!g)/g, "m")).join("");

/** Whether a host has the brand's name in it, or one that differs in a letter. */
function hasBrandIn(host: string): boolean {
  const labels = host.split(".").slice(0, -1);
  if (labels.some((label) => look(label).includes(ofBrand))) return true;
  const parts = labels.flatMap((label) => label.split("-"));
  return parts.some((part, at) => {
    const next = look(part + (parts[at + 1] ?? ""));
    // "ring.back-help.example", but not "spring.backup.example".
    if (look(parts.slice(at).join("")).startsWith(ofBrand)) return true;
    return isOneEditFrom(look(part), ofBrand) || isOneEditFrom(next, ofBrand);
  });
}

/** Whether one letter is missing, too much, another or swapped with the next. */
function isOneEditFrom(text: string, name: string): boolean {
  if (Math.abs(text.length - name.length) > 1) return false;
  let start = 0;
  while (start < text.length && text[start] === name[start]) start += 1;
  const [one, other] = [text.slice(start), name.slice(start)];
  if (one.slice(1) === other.slice(1) || one.slice(1) === other || one === other.slice(1)) return true;
  return one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
}

/** "ringback-refund", with its ending left out. */
const siteOfBrand =
  /(?<![a-z0-9._@-])([a-z0-9]+)[-_](?:refund|pay|payment|payout|secure|security|safe|safety|support|help|verify|verification|confirm|checkout|cash|delivery|shipping|escrow|claim|service|wallet|center|login|market|shop|store|transfer|bank|trust)s?\b/g;

const namesBrandSite = (words: string) =>
  [...words.matchAll(siteOfBrand)].some(
    ([, name = ""]) => look(name) === ofBrand || isOneEditFrom(look(name), ofBrand),
  );

const matches = (text: string, patterns: RegExp[]) => patterns.some((pattern) => pattern.test(text));

/** A verb that is not in "never send …". */
const asking = (verbs: string) =>
  `(?<!\\b(?:never|not|n't|dont|wont|cant|nobody|no one)\\s(?:ever\\s|to\\s|should\\s|will\\s)?)\\b(?:${verbs})\\b`;

/** Parts in any order, with few letters of one line between. */
function near(gap: number, ...parts: string[]): string {
  const [only] = parts;
  if (parts.length < 2) return only ?? "";
  const orders = parts.map(
    (part, at) => `(?:${part})\\b[^\\n]{0,${gap}}${near(gap, ...parts.filter((_, other) => other !== at))}`,
  );
  return `(?:${orders.join("|")})`;
}

const claimsToBeBrand = new RegExp(
  `\\byour (?:${brand.name} )?(?:(?:seller|buyer|user|shop|store|member|selling|business|market(?:place)?) )?(?:account|profile|shop|store|wallet|access|membership|payouts?)(?: (?:has|have) been| will be| is being| is| are| was| gets)(?: \\w+ly)? (?:suspended|blocked|limited|locked|restricted|deactivated|closed|frozen|flagged|disabled|terminated|emptied|deleted|under review)\\b|\\b(?:trust (?:&|and|n) safety|${brand.name} (?:compliance|fraud|trust))\\b|(?:^|[.!?\\n–—-])\\s*(?:the |your )?${brand.name} (?:customer )?(?:support|service|security|fraud|risk|compliance|verification|account|payments?|help|team)(?: (?:team|department|desk|cent(?:er|re)|service))?\\s*$|\\b(?:confirm|verify) your (?:identity|account|profile|details)\\b[^.!?\\n]{0,30}\\b(?:within|or (?:your|the|it|you)|otherwise|to (?:keep|restore|unlock|avoid)|\\d+ ?h(?:ours?)?)\\b|\\b(?:${brand.name}|market)\\s?(?:'s\\s)?(?:customer\\s)?(?:support|team|staff|security|payments?|safety|service|admin(?:istrator)?|moderator|agent|escrow)\\b.{0,60}\\b(?:here|verify|confirm|account|contact|refund|hold|click|payment|pay|email|code)|\\b(?:i am|i'm|im|we are|we're|this is|message from|on behalf of)\\s(?:from\\s|with\\s|the\\s)*${brand.name}\\b|\\byour (?:listing|ad|payment|payout|order) (?:has been|is|was|will be) (?:suspended|blocked|locked|restricted|limited) (?:until|unless|because|till|as)|\\bofficial (?:message|notice|notification)\\b|\\b(?:i am|i'm|im|we are|we're) (?:from|with) the (?:\\w+ ){0,2}(?:team|department|support|security|help ?desk)\\b|\\b(?:follow|instructions?|open|click|confirm|pay|read|check)\\b.{0,40}\\b(?:e-?mail|mail|message|sms|text|link) (?:from|by|of) ${brand.name}\\b|\\b${brand.name} (?:pay|payments|wallet|escrow|protect\\w*|delivery|(?:secured?|safe|express|verified|trusted|guaranteed|official) (?:pay|payments?|delivery|shipping|shipment|transfers?|checkout|courier|deals?|trade|escrow|orders?))\\b`,
  "im",
);

const someCode =
  "(?:verification|verify|confirmation|security|authentication|authenticator|auth|sms|text|log ?in|sign ?in|activation|one[- ]?time|two[- ]?factor|2fa|google(?: voice)?|whats ?app|bank|pin|otp|access|registration|\\d|four|six|five|eight)[- ]?(?:(?:digits?|numbers?|figures?)[- ]?)?(?:pass)?codes?";

/** "6 numbers", "six-digit"; not the last four of an IMEI or a card. */
const fewDigits =
  "(?<!last |first |all )(?:[4568]|four|five|six|eight)[- ]?(?:digits?|numbers?|figures?|numerals?)\\b(?! ?(?:imei|serial|zip|of the|of your (?:imei|serial)))";

/** Who sends codes for logging in. */
const accountKeepers =
  "whats ?app|google|apple|icloud|telegram|facebook|meta|instagram|microsoft|paypal|zelle|venmo|cash ?app|revolut|(?:my |your |the )?(?:bank|system|site|app|phone company|provider)";

const asksForCode = [
  new RegExp(
    `${asking("send|give|tell|text|share|forward|read|provide|type|enter|reply|need|what's|whats|what is|drop|message|get|have|confirm|pass|whisper|relay")}[^.!?\\n]{0,60}\\b${someCode}\\b`,
  ),
  new RegExp(
    `\\b${someCode}\\b[^.!?\\n]{0,60}\\b(?:send|give|tell|text|share|forward|read|reply|need|back to me)\\b(?! it to (?:any|no))`,
  ),
  new RegExp(
    `${asking("send|give|tell|text|share|forward|read|provide|need|what's|whats|what is|enter|type")}[^.!?\\n]{0,30}\\b(?:codes?|pin|digits|numbers?)\\b[^.!?\\n]{0,30}\\b(?:you(?:'ll| will| just|'ve| have| should)? (?:just )?(?:get|got|gotten|receive|received)|(?:was|were|i|they|we)(?: just|'ve| have)? (?:just )?(?:sent|texted|sms)|(?:on|in|to|from) (?:your )?(?:phone|cell|sms|text|email|inbox|messages?))\\b(?!(?:'s)? (?:box|screen|settings|case))`,
  ),
  /\b(?:otp|one[- ]?time (?:pass(?:word|code)?|pin))\b/,
  // "TAN" is also a color.
  /\b(?:sms|push|photo|chip|mobile|bank|banking|online)[- ]?tans?\b|\bm-?tans?\b|\btan ?(?:code|number)\b/,
  new RegExp(
    `${asking("send|give|tell|text|share|forward|read|provide|need|enter|type|what's|whats|what is")}[^.!?\\n]{0,15}\\b(?:the|your|a) tan\\b(?! (?:one|case|cover|color|colour|version|phone|tablet|strap|leather|sleeve))`,
  ),
  new RegExp(
    `${asking("send|give|tell|text|share|forward|read|provide|need|enter|type|what's|whats|what is")}[^.!?\\n]{0,30}\\b(?:codes?|pin|digits|numbers?|tan)\\b[^.!?\\n]{0,15}\\b(?:bank(?:ing)?|authenticator|paypal|zelle|venmo|cash ?app|revolut|token)(?:'s)?(?: app| device| generator)?(?:(?: \\w+)? (?:shows?|displays?|gives?|generates?|sends?|sent|texts?|texted)| app)\\b`,
  ),
  new RegExp(
    `\\b${fewDigits}[^.!?\\n]{0,60}\\b(?:send|tell|give|share|sms|texts?|google|forward|phone|arrived?|arrives?|came|appears?|read|type|so (?:i|we) know|prove|real|fake|legit|what is it|what are they)\\b`,
  ),
  new RegExp(
    `${asking("send|tell|give|share|read|need|text|forward|type|say|whisper")} (?:me |us |back )?(?:the |those |these |out )*${fewDigits}`,
  ),
  new RegExp(
    `\\b(?:google|apple|whats ?app|bank|zelle|paypal|system|site|app|i|we) (?:will|'ll|is going to|are going to|just|am going to)? ?(?:send|sends|sent|text|texts|texted|sms)\\b[^.!?\\n]{0,15}\\b(?:an? |the |some )?(?:${fewDigits}|codes?\\b|pin\\b|otp\\b)[^.!?\\n]{0,80}\\b(?:tell|forward|read|send|give|share|reply|repeat|enter|need)\\b`,
  ),
  new RegExp(
    `${asking("screenshot|forward|read|repeat|copy|send|show")}[^.!?\\n]{0,20}\\b(?:text|sms|message|notification)\\b[^.!?\\n]{0,30}\\b(?:pin|codes?|digits|numbers|you (?:just )?(?:get|got|receive|received))\\b`,
  ),
  /\b(?:pin|code|digits)\b[^.!?\n]{0,30}\b(?:please|pls|and|then|just|to)\b (?:share|send|tell|give|forward) (?:it |them )?(?:w |with |to )?(?:me|us|here|back)\b/,
  new RegExp(
    `${asking("send|give|tell|share|provide|need|what's|whats|what is|enter|confirm")}[^.!?\\n]{0,25}\\byour (?:\\w+ ){0,3}(?:password|pass word|log ?in details?|log ?in|credentials|pin(?: code)?|pw|social security(?: number)?|ssn)\\b`,
  ),
  /\b(?:prove|verify|confirm|check|make sure)\b[^.!?\n]{0,40}\b(?:real|human|legit|not a (?:bot|scammer|robot))\b[^.!?\n]{0,60}\bcode\b/,
  /\b(?:robot|bot|human|real person)\b[^.!?\n]{0,60}\b(?:text|sms|code|digits|pin)\b/,
  new RegExp(
    `\\b(?:text|sms|message|e-?mail|notification)s? (?:with|containing|that has|which has|has) (?:(?:an?|the|some|few|\\w+) ){0,2}(?:digits|numbers|figures|code|pin)\\b[^!?\\n]{0,60}${asking("type|tell|send|read|share|enter|forward|pass|give|repeat|copy|write")}`,
  ),
  /\bwhat (?:did|does|was in|is in|'s in|do you see in) (?:the|that|your) (?:sms|text(?: message)?)(?: say| read)?(?: please)? ?(?:[?.!]|$)/m,
  /\b(?:approve|accept|confirm|allow)\b[^.!?\n]{0,30}\b(?:request|notification|push|prompt|log ?in|sign[ -]?in)\b[^.!?\n]{0,15}\b(?:in|of|from|on|by) (?:your|the) (?:bank\w*|paypal|zelle|venmo|authenticator|google|apple)\b/,
  new RegExp(
    `(?:${asking("send|give|tell|text|share|forward|read|repeat")}|(?<!\\bdo )\\b(?:i|we|they)(?: \\w+)? (?:need|want)|\\b(?:please|pls|just|and|then) (?:type|enter)) (?:me |us )?(?:the|those|these|that) (?:digits|pin|otp|passcode)\\b(?! (?:of|on|from|for|in) (?:the|your|its) (?:imei|serial|model|box|back|sim|settings|label|screen|sticker|lock)| (?:every|each|again|when|whenever|only|after|once|at|twice|to (?:unlock|open|use|start|set|restart|change|turn)))`,
  ),
  new RegExp(
    `\\b(?:${accountKeepers})(?: has| have|'s)?(?: just| already)? (?:sent|texted|messaged|e-?mailed|sends|send|will send|is sending) (?:you|your phone|to you) (?:an?|the|some|this) (?:\\w+ )?(?:number|code|digits|pin|text|sms)\\b[^!?\\n]{0,100}(?:[.?!][^!?\\n]{0,20})?${asking("pass|forward|send|tell|give|read|share|type|copy|need|repeat")}`,
  ),
  new RegExp(
    near(
      25,
      "\\b(?:typed|entered|used|put|gave)",
      "\\b(?:yours|your (?:(?:phone|mobile|cell) )?number|your (?:phone|mobile) (?:down|in|for))",
      "\\b(?:in place of|instead|by mistake|by accident|accidentally|wrongly)",
    ),
  ),
  new RegExp(
    near(
      60,
      "\\b(?:digits|figures|codes?|pin)",
      "\\b(?:sms|text message|texts? you|texted you|messages? you|by text)",
      asking("type|copy|tell|forward|share|pass|read|repeat"),
    ),
  ),
  /\b(?:digits|figures|codes?|pin)\b[^.!?\n]{0,20}\b(?:came|comes?|arrived?|got|gotten|received?)\b[^.!?\n]{0,15}\b(?:sms|text|message)\b/,
];

const papers =
  "(?:passports?|(?:driver'?s?|driving) ?licen[cs]es?|(?:id|identity|identification|national id|social security|insurance|green|resident|citizen) cards?|(?:photo|state|government|govt|national|official|valid|real) ?(?:issued )?(?:id|identification|identity)s?|id (?:documents?|papers?|proof|picture|photo)|identity (?:documents?|papers?)|utility bills?|birth certificates?|proof of (?:identity|id|residence)|work permit|bank statements?)";
const personalNumbers =
  "(?:social security|national insurance|passport|tax|(?:driver'?s? )?licen[cs]e|ssn|nin|cpf) ?(?:number|no\\b|#)";
const asksForPaper =
  "send|show|share|need|want|wants|see|get|have|require|requires|give|upload|provide|take|snap|forward|email|text|hold|attach|like|asks? for";

const identityPapers = [
  new RegExp(
    `${asking(asksForPaper)}[^.!?\\n]{0,45}\\b(?:your |a |an |the |of |holding |with |some |any )+(?:\\w+ ){0,2}${papers}(?! (?:photos?|pictures?) (?:look|came|are)| (?:holder|cover|slot|case|app|reader|pocket))`,
  ),
  new RegExp(
    `\\b(?:photo|picture|pic|pics|copy|copies|scan|selfie|image|snapshot|front and back)\\b[^.!?\\n]{0,25}\\b(?:of|with|holding|from) (?:\\w+ ){0,3}(?:${papers}|your (?:ids?|licen[cs]e)\\b(?! number)|the id\\b(?! of (?:the|your) (?:model|phone|device|tablet)))`,
  ),
  new RegExp(`${asking(`${asksForPaper}|ask|what's|whats|what is`)}[^.!?\\n]{0,30}\\b${personalNumbers}`),
  new RegExp(
    `${asking("send|show|share|see|upload|provide|forward")}[^.!?\\n]{0,10}\\byour (?:full )?(?:id|ids|identity|identification|ssn|licen[cs]e)\\b(?! (?:at|to the|number of))`,
  ),
  /\bsend\b[^.!?\n]{0,10}\bmine (?:back|too)\b[^.!?\n]{0,20}\b(?:id|passport|licen[cs]e)\b/,
  new RegExp(
    `${asking("want|need|require|must have")} your (?:id|ids|licen[cs]e)\\b(?! (?:at|to|when|number))`,
  ),
];

const remoteAccess = [
  new RegExp(
    near(
      60,
      "\\b(?:my|our) (?:apple|icloud|google|samsung) ?(?:id|account|log ?in)",
      "\\b(?:enter|use|add|type) (?:it|this)",
    ),
  ),
  /\b(?:any\s?desk|team\s?viewer|ultra\s?viewer|rust\s?desk|quick\s?support|airdroid)\b/,
  /\bshare (?:me )?your screen\b|\bscreen ?shar(?:e|ing)\b[^.!?\n]{0,30}\b(?:with me|so i|bank|pay)/,
  /\b(?:sign|log) ?(?:in|on|into)\b[^.!?\n]{0,20}\b(?:with|to|into|using)? ?(?:my|this|our) (?:apple|icloud|google|samsung) ?(?:id|account|cloud)?\b/,
  /\b(?:(?:sign|log) ?(?:in|on|into)|use|add|enter|put)\b[^.!?\n]{0,20}\b(?:the|an?|this|another) (?:\w+ )?(?:apple|icloud|google|samsung|mi) ?(?:id|account|log ?in)\b[^.!?\n]{0,25}\b(?:i|we)(?:'ll| will|'ve| have| can| just)? (?:give|gave|send|sent|text|made|make|provide|created?|tell|own|use|share)\b/,
  /\b(?:apple id|icloud|google account|samsung account)\b[^.!?\n]{0,15}\b(?:password|credentials|log ?in details)\b[^.!?\n]{0,40}\b(?:send|give|tell|need|so i)|\b(?:send|give|tell|need)\b[^.!?\n]{0,30}\b(?:apple id|icloud|google account|samsung account)\b[^.!?\n]{0,15}\b(?:password|credentials|log ?in)/,
];

const gap = "[\\s._*-]*";
const giftCards = [
  new RegExp(
    `\\bgift${gap}(?:cards?|vouchers?|codes?)\\b(?! (?:that|which) (?:came|comes|was|is)\\b)|\\bgiftcards?\\b|\\be-?gifts?\\b`,
  ),
  /\b(?:steam|itunes|i tunes|google ?play|play ?store|amazon|xbox|playstation|psn|razer(?: gold)?|sephora|ebay|walmart|target|apple store|vanilla)\s(?:gift\s)?(?:cards?|vouchers?|(?:wallet )?codes?)\b(?! reader)|\bsteam (?:wallet|funds|balance|credit)\b|\b(?:apple|google|amazon|steam|store|game) cards? codes?\b/,
  /\b(?:one|my)?vanilla\b[^.!?\n]{0,10}\b(?:visa|master ?card|cards?|gift)\b/,
  /\bprepaid (?:visa |master ?|debit |credit |cash )?cards?\b|\bgreen ?dot|\bmoney ?pak\b|\bpay ?safe ?card|\bneosurf\b/,
  /\b(?:buy|get|grab|purchase|pick up|pay with|pay in)\b[^.!?\n]{0,25}\b(?:apple|google|amazon|steam|store|game|razer|visa|top[- ]?up) (?:\w+ )?(?:cards|vouchers)\b/,
  /\bcards?\b[^.!?\n]{0,30}\b(?:send|text|read|tell|give|share)\b[^.!?\n]{0,15}\bthe (?:codes?|numbers?) (?:on|from) (?:it|them|the back)\b/,
  /\bscratch\b[^.!?\n]{0,20}\bcode|\bpictures? of the (?:back of the )?cards?\b/,
];

/** How somebody bought the device: "I got it with a gift card at the store". */
const spentGiftCards =
  /\b(?:bought|purchased|got|ordered) (?:it|this(?: one)?|that one|mine|(?:the|this|my) (?:phone|tablet|device|ipad|iphone))\b(?: (?:new|myself|online|there|back then|in \w+|last \w+))? (?:with|using|from|for) (?:an? |my |some |the |two )?(?:(?!(?:and|so|you|i)\b)\w+ ){0,4}(?:gift ?cards?|vouchers?)\b/g;

const coins = "(?:btc|xbt|eth|ltc|doge|usdt|usdc|bnb|xrp|trx|sol|xmr|bch|dash|zec)";

const crypto = [
  new RegExp(`\\b${coins} ?(?:wallet|deposit|receiving)? ?(?:address|addr|wallet)\\b`),
  /\b(?:bitcoins?|btc|usdt|tether|ethereum|dogecoin|litecoin|solana|usdc|monero|stable ?coins?|(?<!for )crypto(?:s|currency|currencies)?)\b/,
  /\b(?:pay|send|transfer|accept|take|deposit)\b[^.!?\n]{0,25}\b(?:eth|ltc|doge|usdc|bnb|xrp|trx|sol|xmr|bch)\b/,
  /\b(?:seed phrase|recovery phrase|wallet address|metamask|binance|coinbase)\b/,
  /\b(?:bc|ltc)1[a-z0-9]{25,}|\b0x[a-f0-9]{40}\b|\b(?=[a-z0-9]*[a-z][a-z0-9]*\b)(?=[a-z]*\d[a-z0-9]*\b)[13tlmdx][a-z0-9]{25,33}\b/,
];

const bankDetails = [
  /\bibans?\b|\bswift(?: ?code|\/bic)?\b(?! key| play)|\bbic(?:\/swift)?(?: code)?\b/,
  /\b(?:routing|sort|transit) ?(?:number|no|code|#)/,
  /\b(?:bank|checking|savings|my|your) account (?:number|no\b|details|info)|\baccount (?:number|no\b|#):? ?\d|\baccount number\b/,
  /\b(?:bank|wire|bank to bank|telegraphic) ?(?:transfers?|wires?|deposits?)\b|\bwire (?:me|the|it|over|money|funds)\b|\bach transfer\b/,
  /\b(?:card|credit card|debit card|visa|mastercard) (?:number|no\b|details|info(?:rmation)?|data)\b(?<!\b(?:sim|memory|sd|graphics) card (?:number|no|details|info(?:rmation)?|data))/,
  /\bcv[vc]2?\b|\bsecurity (?:code|number) on the back\b|\b(?:expiry|expiration) date\b[^.!?\n]{0,20}\bcard|\bcard\b[^.!?\n]{0,20}\b(?:expiry|expiration)\b/,
  /\bname on your (?:bank )?account\b|\bdo an? wire\b|\b(?:log|sign) ?in\b[^.!?\n]{0,20}\bbank\b/,
  /\bonline banking\b|\bbank (?:log ?in|app log ?in|credentials|username)\b|\b(?:front and back|photo|picture|copy|scan) of your (?:[\w']+ )?(?:bank |debit |credit )?card\b/,
];

const carrier =
  "(?:courier|couriers|carrier|delivery (?:company|service|man|driver|agent)|shipping (?:company|agent|service|agency)|shipper|post office|parcel service|usps|ups|fedex|dhl|freight company|logistics company)";
const money = "(?:money|cash|payment|funds|check|cheque|envelope)";

/** What carriers do not ask for in somebody's messages. */
const carrierFees =
  "(?:insurance|customs|duty|duties|tax(?:es)?|(?:(?:re-?)?delivery|clearance|release|handling|storage|import|customs|courier|activation|processing|insurance|security|service|small) (?:fee|charge|deposit|bond)s?|fees?)";

const parcelPhrases = [
  new RegExp(
    `\\b${carrier}\\b[^!?\\n]{0,40}\\byour (?:package|parcel|shipment|delivery|item|order)\\b[^!?\\n]{0,40}\\bconfirm\\b[^.!?\\n]{0,15}\\b(?:address|details|identity)\\b`,
  ),
  new RegExp(
    `\\b${carrier}\\b[^.!?\\n]{0,50}\\b(?:holds?|keeps?|collects?|releases?|brings?|hands?|gives?|pays?|delivers?|has|carry|carries|will have|with)\\b(?: \\w+){0,3} ${money}\\b`,
  ),
  new RegExp(
    `\\b(?:paid|payment|money|funds)\\b[^.!?\\n]{0,40}\\b(?:(?:to|with|through|via|by|at) )?(?:the )?${carrier}\\b[^.!?\\n]{0,60}\\b(?:link|confirm|receive|release|card|form|email|accept|claim)\\b`,
  ),
  /\b(?:(?:my|our) (?:\w+ )?(?:courier|mover|movers|shipping agent|shipper|pick ?up agent|agent|carrier|secretary|assistant)|(?:a|an|the|some) (?:shipping agent|pick ?up agent|agent))\b[^.!?\n]{0,30}\b(?:comes?|coming|come by|picks?|pick ?up|collects?|get it|fetch|stop by)\b/,
  // Movers who only come are those of a household.
  /\b(?:a|the|some) movers?\b[^.!?\n]{0,30}\b(?:picks?|pick ?up|collects?|get it|fetch)\b/,
  /\b(?:parcel|package|shipment|delivery|order)\b[^.!?\n]{0,40}\b(?:on hold|held|stopped|stuck|suspended|blocked|cannot be delivered|can't be delivered|could not be delivered|couldn't be delivered|pending|returned)\b[^!?\n]{0,80}\b(?:fee|pay|paid|confirm|link|verify|update|click)\b/,
  /\b(?:customs|clearance|re-?delivery|release|activation|insurance|import|handling|courier|delivery|shipping) (?:fee|charge|deposit|duty|bond|insurance)s?\b[^.!?\n]{0,60}\b(?:refund\w*|reimburse\w*|get (?:it|that) back|pay back|paid back|before|released?|first)\b/,
  // Who offers to pay for the insurance is no carrier.
  new RegExp(
    `\\b(?:${carrier}|customs)\\b[^!?\\n]{0,80}\\b(?:(?:have|has|had|need|needs|got|want|wants|ask|asks|asked|require|requires|told|expects?|forced?)(?: (?:you|me|us|him|her))? to|must|should) (?:\\w+ )?(?:pay|transfer|cover|settle)\\b[^.!?\\n]{0,25}\\b${carrierFees}\\b`,
  ),
  new RegExp(
    `\\b(?:${carrier}|customs)\\b[^.!?\\n]{0,40}\\b(?:asks?|asked|wants?|wanted|demands?|requires?|charges?|needs?) (?:(?:you|me|us|for|an?|the|another|extra) ){0,3}${carrierFees}\\b`,
  ),
  new RegExp(
    `\\b(?:${carrier}|customs)\\b[^!?\\n]{0,60}(?:[:;,–-]|\\b(?:and|please|that|to))\\s?(?:please )?pay (?:the|an?|your|my|\\p{Sc}?\\d+)\\b[^.!?\\n]{0,15}\\b${carrierFees}\\b`,
    "u",
  ),
  new RegExp(
    `\\b(?:${carrier}|customs)\\b[^.!?\\n]{0,30}\\b${carrierFees}\\b[^.!?\\n]{0,30}\\b(?:(?:has|have|needs?|must) (?:to )?be (?:paid|settled|covered)|(?:is|are) (?:due|unpaid|outstanding|open))\\b`,
  ),
  new RegExp(
    `\\bpay\\b[^.!?\\n]{0,15}\\b${carrierFees}\\b[^.!?\\n]{0,15}\\b(?:to|for) (?:the |my |your )?${carrier}\\b`,
  ),
  /\bcustoms\b[^!?\n]{0,60}\b(?:pay|send|transfer)\b[^.!?\n]{0,30}\breleased?\b/,
  /\b(?:customs|border (?:control|police))\b[^.!?\n]{0,25}\b(?:holds?|held|holding|stopped|keeps?|kept|seized|blocked|has|have|retained|detained)\b[^!?\n]{0,60}\b(?:pay|paid|payment|fee|transfer|release)\b/,
  /\b(?:refundable|returned to you|reimburse\w*)\b[^.!?\n]{0,40}\b(?:fee|insurance|deposit|charge|customs)\b/,
  new RegExp(
    `\\b(?:receive|get|claim|collect|accept|withdraw)\\b(?: \\w+){0,3} ${money}\\b(?! back)[^.!?\\n]{0,40}\\b(?:link|form|fill|click|enter|card)\\b`,
  ),
  /\b(?:fill (?:in|out)|complete)\b[^.!?\n]{0,20}\bform\b[^.!?\n]{0,40}\b(?:money|paid|payment|receive|delivery|courier)\b/,
  /\b(?:confirm|update|verify) (?:your )?(?:delivery|shipping|postal|home)? ?address\b[^.!?\n]{0,40}\b(?:link|below|here|click|page|site)\b/,
];

const far =
  "(?:abroad|overseas|offshore|at sea|deployed|deployment|out of (?:the )?(?:country|state|town)|on (?:a |the |an )?(?:\\w+ ){0,2}(?:rig|vessel|ship|mission|base|assignment|platform|tour)|away on duty|stationed)";
const collector =
  "(?:agents?|movers?|hauliers?|haulers?|courier|couriers|shipper|transporter|logistics|forwarder|assistant|secretary|representative|company|someone|somebody|cousin|nephew|son|colleague|friend|driver)";

/** Who nobody sends to fetch a device. */
const helper =
  "(?:driver|chauffeur|pastor|priest|church|nurse|carer|caretaker|caregiver|lawyer|secretary|assistant|agent|movers?|hauliers?|courier|shipper)";

const absentBuyers = [
  new RegExp(
    `\\b(?:can'?t|cannot|unable to|not able to|too (?:ill|sick|weak|old) to) (?:leave|travel|come|walk|drive|move|go out|get out|meet|fly)\\b[^!?\\n]{0,80}\\bmy (?:[\\w']+ ){0,2}${helper}\\b[^.!?\\n]{0,30}\\b(?:will|comes?|coming|picks?|collects?|fetch(?:es)?|brings?|stops?|can|to get)\\b`,
  ),
  new RegExp(
    `\\b(?:my|our|the|a) (?:[\\w']+ ){0,2}${helper}\\b[^.!?\\n]{0,60}\\b(?:with|has|brings?|carries|gives? you|hands? you)\\b[^.!?\\n]{0,20}\\b(?:money|cash|payment|envelope|cheque)\\b`,
  ),
  /\b(?:send|sending) (?:my|our) (?:[\w']+ ){0,2}(?:driver|chauffeur|pastor|priest|nurse|carer|caretaker|lawyer|secretary|assistant|agent|movers?|haulier)\b/,
  /\b(?:ship|send|post|mail)\b[^.!?\n]{0,30}\b(?:through|via|by|with|using|per) ems\b/,
  /\b(?:add|adding|offer|include|extra|on top)\b[^.!?\n]{0,15}\b\d{3,}(?: \w+){0,2} (?:for|to cover|towards?) (?:the |your )?(?:postage|shipping|delivery|courier|shipment|mailing)\b/,
  /\b(?:ship|send|post|mail)\b[^!?\n]{0,80}\b(?:send|give|text|e-?mail|tell|provide|upload|scan)\b[^.!?\n]{0,15}\b(?:(?:postal|postage|shipping|shipment|mailing|parcel) (?:receipt|slip)|receipt (?:number|no\b|#))/,
  new RegExp(
    `\\b${far}\\b[^!?\\n]{0,120}\\b${collector}\\b[^.!?\\n]{0,40}\\b(?:collect|pick|come|fetch|get it|take it|ship)`,
  ),
  new RegExp(
    `\\b(?:(?:oil|gas|drilling) ?(?:rig|platform)s?|marine engineer|soldier|military|army|navy|marines|marine|air force|peace ?keep\\w*|un doctor|surgeon|contractor|captain|sailor)\\b[^!?\\n]{0,100}\\b(?:${far}|can'?t (?:call|talk|come|meet)|cannot (?:call|talk|come|meet)|no calls|agent|movers?|courier|restrict\\w*)\\b`,
  ),
  new RegExp(
    `\\b${far}\\b[^!?\\n]{0,60}\\b(?:can'?t (?:call|talk|come|meet|see)|cannot (?:call|talk|come|meet|see)|unable to (?:call|talk|come|meet|see)|not able to (?:call|talk|come|meet|see)|no phone calls|gift for|as a gift|for my (?:son|daughter|nephew|niece|cousin))`,
  ),
  /\b(?:(?:pick ?up|shipping|private|collection|delivery|my|an|the) (?:agent|shipper)|(?:pick ?up|shipping|private|collection|delivery|my) movers?)\b[^.!?\n]{0,30}\b(?:comes?|coming|come by|come over|will|picks?|collects?|to collect|to pick|takes?|fetch)\b/,
];

const haulers =
  "(?:drivers?|couriers?|movers?|hauliers?|haulers?|carriers?|transporters?|forwarders?|agents?|shippers?|(?:delivery|removal|moving) (?:man|men|guys?|company|people))";

/** Who brings a message that somebody has paid. */
const payers = `(?:${brand.name.toLowerCase()}|paypal|zelle|venmo|cash ?app|revolut|wise|stripe|klarna|bank|payments? (?:team|service|department|provider)|system)`;
const moneyWords =
  "(?:money|cash|funds|payment|paid|amount|sum|transfer|deposit|balance|paypal|zelle|venmo|credit)";

const shipFirst = `(?<!\\b(?:never|not|n't|dont|wont|cant|nobody|no one)\\s(?:ever\\s|to\\s|will\\s)?)\\b(?:ship|send|mail|post|dispatch)(?: it| this| that| the (?:phone|tablet|device|ipad|iphone|parcel|package))?(?: out| off| over)? first\\b(?! (?:class|thing|of|week|day|photos?|pictures?))`;

const falsePayments = [
  /\b(?:buyer|seller|payment|purchase|transaction) protection (?:team|department|service|agent|desk)\b/,
  new RegExp(
    `\\b(?:please|pls|plz|kindly|you must|you have to|you need to|you should|can you|could you|would you)(?: just| please)? ${shipFirst}`,
  ),
  new RegExp(`${shipFirst},? (?:please|pls|plz|thanks|thank you|ok(?:ay)?)\\b`),
  new RegExp(
    near(
      60,
      shipFirst,
      "\\b(?:trust(?:ed|worthy)?|honest|reliable|serious|verified|promise|swear|believe me|real buyer|good (?:buyer|reviews|reputation)|stars|reputation|never cheat\\w*|no scam\\w*|not a scammer|i always (?:pay|do))",
    ),
  ),
  /\b(?:received?|got|have|sent|made)\b[^.!?\n]{0,20}\b(?:payment|money|transfer|funds|deposit)\b[^!?\n]{0,60}\b(?:open|check|read|go to|look (?:in|at|into)|see) (?:your |the )?(?:e-?mails?|mails?|inbox|mailbox)\b/,
  new RegExp(
    `\\b${payers} (?:just |has |have )?(?:wrote|written|sent|mailed|e-?mailed|messaged|notified|informed|told)(?: to)? you\\b[^.!?\\n]{0,60}\\b${moneyWords}\\b`,
  ),
  new RegExp(
    `\\b${moneyWords}\\b[^!?\\n]{0,60}\\b(?:paid out|released|credited|transferred)\\b[^.!?\\n]{0,10}\\b(?:after|upon|on|against) (?:you )?(?:posting|shipping|sending|shipment|dispatch|mailing)\\b`,
  ),
  new RegExp(
    `\\byou(?:'ll|'ve| should| will| must| have| can| may)?\\b[^.!?\\n]{0,25}\\b(?:get|got|received?|have|see|find|found|seen)\\b[^.!?\\n]{0,20}\\b(?:e-?mail|mail|sms|notification|message|notice|letter)\\b[^.!?\\n]{0,15}\\b(?:from|by|of) (?:the |my |your )?${payers}\\b[^.!?\\n]{0,50}\\b${moneyWords}\\b`,
  ),
  new RegExp(
    `\\b${moneyWords}\\b[^!?\\n]{0,60}\\b(?:released?|reserved|held|blocked|pending|credited|unlocked|freed|available|paid out|frozen|visible)\\b[^.!?\\n]{0,20}\\b(?:as soon as|until|till|once|when|after|only if)\\b[^.!?\\n]{0,10}\\b(?:you|we|they|it)(?:'ve| have)? (?:upload|post|ship|send|sent|mail|enter|give|provide|scan|submit|hand|drop|show|get the (?:tracking|receipt))`,
  ),
  /\b(?:confirmation|receipt|payment|paid|paypal|zelle|venmo|bank|money|transfer|funds)\b[^!?\n]{0,60}\b(?:in|into|to|among) (?:your |the )?(?:junk|spam|trash)\b/,
  /\b(?:sent|paid|transferred|wired|deposited|made out|wrote|credited)\b[^.!?\n]{0,30}\b(?:in place of|rather than|instead of) \p{Sc}?\d/u,
  /\b(?:return|refund|send|pay|transfer|give|wire)\b(?: me| us)? (?:the |those |that )?(?:other |extra )?\p{Sc}?\d{2,}(?: \w+)? (?:back )?to (?:my|our|the|another|a) (?!me\b)\w+/u,
  new RegExp(
    `\\b(?:hand|give|pass|send|pay|forward|transfer|return|wire)\\b[^.!?\\n]{0,12}\\b(?:(?:what(?:'s|ever's| is|ever is)|the money that is) left(?: over)?|the (?:rest|remainder|balance|difference|leftover|surplus))(?: of (?:it|the money))?(?: on| over| back)? to (?:the|my|our|his|her|a|your) (?:\\w+ )?(?:${haulers}|brother|sister|cousin|friend|account|paypal)\\b`,
  ),
  /\bkeep\b[^.!?\n]{0,20}\bfor (?:your|the) (?:trouble|time|effort|efforts|help|inconvenience|stress|gas)\b[^.!?\n]{0,30}\b(?:hand|give|pass|send|pay|forward|transfer|return|wire)\b/,
  /\b(?:check|cheque|transfer|payment|draft)\b[^.!?\n]{0,25}\b(?:made out|written|issued|drawn|for|over|was|is)\b[^.!?\n]{0,15}\b(?:more|higher|above|too much|twice|double)\b[^!?\n]{0,100}\b(?:hand|give|pass|send|pay|forward|return|refund|keep|back)\b/,
  /\byou(?:'ve| have| should have| will have)? (?:got|gotten|received?|get|been (?:paid|sent|credited))\b[^.!?\n]{0,20}\b(?:twice|double|two times|too much|more than|\d+ (?:too much|more))\b[^\n]{0,60}\b(?:send|return|give|pay|transfer|refund|wire)\b/,
  /\b(?:sent|paid|transferred|overpaid|wired)\b[^.!?\n]{0,40}\b(?:too much|extra|more than|by mistake|accidentally|twice|double)\b[^!?\n]{0,100}\b(?:refund|send|return|pay|back|difference|rest)\b/,
  /\b(?:send|return|pay|refund|transfer|give)\b[^.!?\n]{0,30}\b(?:difference|excess|extra|overpayment|remaining|remainder|surplus)\b[^.!?\n]{0,40}\b(?:back|mover|courier|agent|shipper|check|cheque|to my|zelle|gift)\b/,
  /\b(?:overpay(?:ment)?|overpaid)\b/,
  /\b(?:sent|paid|added|included|transferred|send|pay|add|include)\b[^.!?\n]{0,25}\bextra\b[^!?\n]{0,60}\b(?:pass|give|hand|forward|send|pay)\b[^.!?\n]{0,25}\b(?:driver|courier|mover|haulier|agent|shipper|back)\b/,
  /\b(?:pass|hand|forward) (?:on |over )?\p{Sc}? ?\d+[^.!?\n]{0,20}\bto (?:the|my|our) (?:driver|courier|movers?|agent|shipper)\b/u,
  /\b(?:e-?mail|notification|message|notice)\b[^!?\n]{0,40}\b(?:payments? (?:team|service|department|provider)|paypal|zelle|venmo|bank|system)\b[^!?\n]{0,80}\b(?:receipt|tracking|credit\w*|release\w*|confirm\w*|pending|spam)\b/,
  new RegExp(
    `${asking("ship|send|mail|post|dispatch|hand over|give me|drop off")} (?:me |us )?(?:it|them|the (?:\\w+ )?(?:phone|device|tablet|ipad|iphone|item|parcel|package)|this|that|yours)? ?(?:out |off )?(?:first|today|now|right away|tonight|tomorrow|already)\\b[^!?\\n]{0,50}\\b(?:(?:i|we|my (?:\\w+ ){1,2})(?:'ll| will| can| would)? ?(?:then )?(?:pay|transfer|send (?:the |you )*(?:money|cash|payment))|money (?:comes|follows|is coming|when)|you(?:'ll| will)? (?:get|have) (?:the |your )?(?:money|payment))\\b`,
  ),
  /\byou (?:can |could |should |must )?(?:ship|send|mail|post)(?: it| the phone| them)?(?: out| off)? (?:first|now)\b[^!?\n]{0,40}\b(?:pay|money|payment|transfer|then i)\b/,
  /\b(?:pay(?:ment)?|money|transfer)\b[^.!?\n]{0,25}\b(?:after|once|when|as soon as|upon|on)\b[^.!?\n]{0,15}\b(?:i|we|my (?:\w+ )?) ?(?:have |'ve |hold |held |get |got |receive |received |see |saw |checked |test )+(?:it|the (?:phone|device|tablet|parcel|package|item))\b(?! (?:in person|at|and meet))/,
  /\bpay(?:ment)?(?: you)?(?: only)? (?:after|upon) (?:the )?(?:delivery|arrival|receipt|shipping)\b|\byou (?:send|ship|post|mail)\b[^.!?\n]{0,40}\bthen (?:i|we)(?:'ll| will| can)? pay\b/,
  /\b(?:in|into) (?:my|our) hands?\b[^.!?\n]{0,40}\b(?:pay|money|transfer|payment|cash)\b|\b(?:pay|money|transfer|payment)\b[^.!?\n]{0,50}\b(?:phone|parcel|package|device|it)(?:'s| is) in (?:my|our) hands?\b(?! and)/,
  /\b(?:money|payment|transfer|cash) (?:comes|follows|will come|will follow|after) (?:later|next|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|when(?! (?:i|we) (?:pick|collect|come)\b)|after|the delivery|delivery)\b/,
  /\b(?:payment|money|transfer|funds|deposit)\b[^.!?\n]{0,40}\b(?:pending|on hold|held|processing|frozen|released?|escrow)\b(?! (?:to (?:me|you) )?(?:once|when|after) i(?:'ve)? confirm)[^!?\n]{0,80}\b(?:track\w*|ship\w*|send|sent|upgrade|business|confirm|until|once|receipt|email|spam)\b/,
  /\b(?:check|look in|look at|see)\b[^.!?\n]{0,20}\b(?:spam|junk|inbox|email|e-mail|mail)\b[^.!?\n]{0,60}\b(?:payment|paid|paypal|zelle|venmo|cash ?app|bank|money|transfer|receipt|confirm\w*)\b/,
  /\b(?:zelle|venmo|cash ?app|paypal|bank)\b[^!?\n]{0,60}\b(?:pending|upgrade|expand|raise your limit)\b|\b(?:sent|paid|transferred)\b[^.!?\n]{0,30}\binstead of \$?\d/,
  /\b(?:extra|excess|surplus) (?:money|amount|cash|funds|payment)\b|\bsend\b[^.!?\n]{0,10}\bback the (?:difference|rest|extra)\b/,
  /\b(?:receive|receiving|confirm|accept|claim|get|funds|money)\b[^.!?\n]{0,60}\b(?:your|the|a) (?:bank |debit |credit )?card\b(?! slot| reader| tray)|\bproof of (?:the |my )?(?:payment|transfer)\b/,
  /\b(?:ship|send|mail|post)\b[^.!?\n]{0,15}\bbefore (?:the )?(?:payment|pay|paying|i pay|money)\b/,
  /\b(?:paid|payment|paypal|zelle|venmo|cash ?app|bank|money|transfer)\b[^!?\n]{0,60}\b(?:check|look in|look at|see) (?:your |the )?(?:spam|junk|inbox|email|e-mail|mail)\b/,
  /\bupgrade\b[^.!?\n]{0,40}\bbusiness (?:account|profile)\b|\bbusiness account\b[^.!?\n]{0,60}\b(?:zelle|venmo|limit|release|upgrade)/,
  /\b(?:cashier'?s|certified|bank|company|personal|business) (?:check|cheque|draft)s?\b|\bmoney orders?\b|\bmail(?:ed|ing)? (?:you )?(?:a|the) (?:check|cheque)\b|\be-?checks?\b/,
  /\b(?:screenshot|picture|photo) of (?:the |my )?(?:payment|transfer|receipt)\b/,
  /\b(?:ship|send|mail|post) (?:it|the (?:phone|device|tablet|ipad|iphone)|this) (?:out )?(?:first|now|today|right away)\b[^.!?\n]{0,60}\b(?:pay|money|payment)\b(?! (?:is|was) (?:here|there))/,
  /\b(?:i'?ll|i will|i can|i would|then i|will) pay(?: you)?\b[^.!?\n]{0,25}\b(?:after|once|when)\b[^.!?\n]{0,25}\b(?:arrives?|arrived|get it|have it|receive|received|delivered|tested|gets here)\b/,
];

const elsewhere = `(?:(?:the |this )?(?:site|app|platform|website|marketplace)|${brand.name.toLowerCase()}|here)`;

const directly =
  "(?:outside|direct(?:ly)?|privately|private deal|straight|off[- ]?site|off[- ]?line|off the (?:books|record|site|app)|between us|you and me|just us|by ourselves|on the side|in private|cash|zelle|venmo|paypal)";

const wallets =
  "(?:zelle|venmo|cash ?app|\\$?cashtag|paypal|revolut|chime|skrill|payoneer|apple cash|apple pay|google pay|samsung pay|wise|bank|cash|check|cheque)";

/** What is paid so that something is kept for somebody. */
const earnest =
  "(?:deposits?|down ?payments?|(?:holding|reservation|booking|reserve|reserving) (?:fee|amount|sum|payment|money)|token (?:amount|payment|sum|money)|(?:advance|part|partial) payments?|earnest money)";
const handsOver =
  "(?:(?:ship|send|mail|post|dispatch)(?: it| this| the (?:phone|tablet|device|parcel))?|goes (?:in|into|to) the (?:post|mail))";
const onceThereIs = (what: string) =>
  `(?:once|when|as soon as|after) (?:(?:i|we)(?:'ve| have)? (?:see|have|got|get|receive|received|seen) (?:\\w+ ){0,2}(?:${what})|(?:the|your) (?:\\w+ )?(?:${what}) (?:shows|is|has|arrives|clears|comes|lands|appears))`;

const riskyPayments = [
  /\bwestern ?union\b|\bmoney ?gram\b|\bworld ?remit\b|\bria money\b|\bremitly\b|\bhawala\b/,
  /\b(?:paypal|pp|pay|paid|payment|send|sent|as|via|through|by|using|accept|take|venmo)\b[^.!?\n]{0,25}\bfriends? ?(?:and|&|n|or|\+|\/) ?family\b|\bfriends? ?(?:and|&|n|or|\+|\/) ?family (?:only|payment|option|please|pls)|\bf ?(?:&|n|and) ?f\b(?! covers)/,
  /\b(?:pay|send) (?:me |you )?(?:half|some|a part|part)(?: of it)? (?:now|first|today)\b/,
  /\b(?:zelle|venmo|cash ?app|paypal) (?:me|us)\b[^.!?\n]{0,40}\b(?:hold|keep|reserve|first|yours)\b/,
  new RegExp(
    `(?<!\\bhad to )\\b(?:send|sends|pay|paying|need|needs|require|requires|want|wants|transfer|put down|put|leave|make|ask for|give)\\b[^.!?\\n]{0,25}\\b${earnest}\\b(?! (?:box|slip))`,
  ),
  new RegExp(
    `\\b${earnest}\\b[^.!?\\n]{0,30}\\b(?:holds?|reserves?|secures?|keeps?|takes?|first|via|by|through|refundable|required|now|today)\\b`,
  ),
  // "60 euros now and I take the ad down", but not "was 400, now 350".
  /(?:\p{Sc} ?)?\b\d{2,}(?: ?(?:\p{Sc}|[a-z]{3,7}))? (?:now|first|today|tonight|straight away|right away)(?:,| and| then)[^.!?\n]{0,40}\b(?:the (?:rest|remainder|balance|remaining|other half)\b[^.!?\n]{0,20}\b(?:when|at|on|later|after|in cash|once)|(?:take|pull|close|remove|delete)\b[^.!?\n]{0,8}\b(?:ad|listing|advert|post|it)\b[^.!?\n]{0,8}\b(?:down|off|offline)?)/u,
  /\b(?:pay|send|transfer|give)\b[^.!?\n]{0,15}\b(?:something|a little|a bit|a small (?:sum|amount|part)|some money|\d+ ?%|a (?:third|quarter))\b[^.!?\n]{0,10}\b(?:now|today|first|before)\b/,
  new RegExp(
    `\\b(?:(?:mark|set|list) it (?:here )?(?:as )?sold|delist|unlist)\\b[^!?\\n]{0,40}(?:\\b(?:i|we)(?:'ll| will| can| would)? (?:give|pay|send|transfer|bring|come with)\\b|\\b${wallets}\\b)`,
  ),
  /\b(?:save|saves|saving) (?:(?:us|you|me|both|each|of) ?)*(?:the |a |any |their |some )?(?:commission|fees?)\b/,
  new RegExp(
    near(
      60,
      "\\b(?:give|send|pay|transfer)\\b[^.!?\\n]{0,15}\\p{Sc}? ?\\d{2,}|\\bin advance",
      "\\b(?:off the market|(?:nobody|no one|none) else|i promise|to the others)",
    ),
    "u",
  ),
  new RegExp(
    `\\b(?:(?:can'?t|cannot|unable to|not able to|won't be able to) (?:show|meet|let you (?:see|try|test)|demonstrate|bring)|(?:viewings?|showing it|meeting|a visit)\\b[^.!?\\n]{0,8}\\b(?:impossible|not possible|isn't possible))\\b[^!?\\n]{0,80}\\b${handsOver}\\b[^.!?\\n]{0,25}\\b${onceThereIs("transfer|payment|money|deposit|funds")}\\b`,
  ),
  new RegExp(`\\b${handsOver}\\b[^.!?\\n]{0,25}\\b${onceThereIs("transfer")}\\b`),
  /\b(?:pay|paid|paying|payment|money|transfer|send (?:me )?(?:the money|half|\$? ?\d+))\b[^.!?\n]{0,25}\b(?:up ?front|in advance|ahead of time|beforehand|before (?:i|we) (?:ship|send|meet|hand|mail|post|hold|reserve)|to (?:hold|reserve|secure) (?:it|the))\b/,
  /(?:\b(?:half|percent|bucks)|%|\p{Sc} ?\d+|\b\d+)(?!\w)[^.!?\n]{0,20}\b(?:up ?front|in advance|now to (?:hold|reserve|secure))\b/u,
  new RegExp(
    `\\b(?:outside|off)(?: of)? ${elsewhere}\\b|\\bwithout (?:going through |using )?${elsewhere}\\b|\\b(?:bypass|avoid|skip|go around|get around|instead of) ${elsewhere}\\b`,
  ),
  new RegExp(
    `\\b(?:avoid|skip|save|dodge|escape|beat|evade|get around|bypass|lose|no need for|waste|pay no|neither|both|without|no point|why pay|stop paying)\\b[^.!?\\n]{0,40}\\b(?:fees?|commission|cut|charges)\\b[^.!?\\n]{0,60}\\b${directly}\\b`,
  ),
  new RegExp(
    `\\b${directly}\\b[^.!?\\n]{0,60}\\b(?:avoid|skip|save|dodge|escape|beat|evade|bypass|without|no|neither|nor|pays?|lose)\\b[^.!?\\n]{0,25}\\b(?:fees?|commission|(?:a|the|their) cut|charges)\\b`,
  ),
  new RegExp(
    `\\b${elsewhere} (?:takes?|charges?|wants?|keeps?|eats?) (?:a |the |its |their |too |so |you |us |me |both )*(?:cut|fee|fees|commission|percent\\w*|much|\\d+ ?%)[^.!?\\n]{0,60}\\b${directly}\\b`,
  ),
  /\b(?:avoid|skip|save|dodge|without|get around|no) (?:on )?(?:the |all |any |their |paying )*(?:site |seller |service |platform |marketplace |app )?fees?\b[^.!?\n]{0,40}\b(?:pay|deal|direct\w*|cash|zelle|venmo|paypal|cheaper|transfer|together|outside|off)\b/,
  /\b(?:cancel|delete|end|take down|remove)\b[^.!?\n]{0,25}\b(?:order|booking|listing|reservation|ad|here|it here)\b[^.!?\n]{0,50}\b(?:pay|cheaper|direct\w*|deal|privately|zelle|venmo|cash ?app|paypal|discount|less)\b/,
];

/** What somebody may write whose payment is protected: "I ship it once I see the payment here". */
const earlyPayments = [
  new RegExp(`\\b${handsOver}\\b[^.!?\\n]{0,25}\\b${onceThereIs("payment|money|funds|cash")}\\b`),
];

const otherPayments = [
  /\bcash ?app\b[^.!?\n]{0,12}\$[a-z]\w+/,
  new RegExp(
    `\\b(?:finish|settle|complete|close|sort|do) (?:this|it|that|the (?:deal|sale))\\b[^.!?\\n]{0,12}\\b(?:by|via|with|over|through|on|in) ${wallets}\\b`,
  ),
  /\b(?:pay|paid|paying|payment|send|sending|money|transfer|accept|take|use|do|prefer|have|got)\b[^.!?\n]{0,25}\b(?:zelle|venmo|cash ?app|cashtag|paypal|revolut|skrill|payoneer|apple cash|cash)\b(?! ?back| on (?:it|this|that)\b)/,
  new RegExp(
    `\\b(?:pay|paying|paid|payment|money|send)\\b[^.!?\\n]{0,25}\\b(?:via|by|with|through|using|over|on|in) (?:my |your )?${wallets}\\b`,
  ),
  /\b(?:zelle|venmo|cash ?app|paypal)\b[^.!?\n]{0,20}\b(?:me|only|works|is fine|ok|okay|accepted|preferred|tag|handle|account|instead)\b/,
  // Not why somebody sells, nor a discount.
  /(?<!\b(?:short|low|tight|strapped|out) (?:on|of|for) |\bneed(?:ed|ing)? (?:the |some |a bit of )?|\bno )\bcash\b(?![ -]?(?:back|flow|register|price|converters|app\b(?! ?(?:me|ok|works|is))))/,
  /\b(?:pay|pays|paying|payment)\b[^.!?\n]{0,20} (?:when|once|after|as soon as|the moment)(?: (?:i|we|you|he|she|they|my \w+))(?:'ll| will| can|'ve| have)? (?:picks?|collects?|comes?|meets?|met|fetch|fetches|arrives?|stop|stops|see|sees|seen|saw|am|are|is|get there|have it in)\b/,
  /\b(?:pay|pays|paying|payment|money)(?: (?:you|for it|comes|is))?(?: then)? (?:at|on|upon|during|after)(?: the| a)? (?:pick ?up|pickup|collection|hand ?over|meeting|meet ?up|door|viewing|exchange)\b/,
  /\bmoney (?:comes|is there|follows) (?:when|once) (?:i|we)\b/,
  /\b(?:give|hand|bring|pass) (?:you |over )?(?:the |your |my )?money\b|\bmoney with me\b/,
  /\b(?:give|bring|hand)\b[^.!?\n]{0,12}\p{Sc}? ?\d{2,}\b(?! ?(?:%|off|less|percent|of)\b| ?%)[^.!?\n]{0,15}\b(?:when (?:we|i)|at pick ?up|in person)\b/u,
  /(?:^|[.!?]\s*|\bis )(?:zelle|venmo|cash ?app|paypal)(?: or \w+)? ?(?:\?|\b(?:fine|ok|okay|good|possible)\b)/m,
  /\bpay(?:ing|ment)? (?:you |me |the seller )?(?:direct(?:ly)?|privately|in person|at the door|on (?:delivery|pick ?up)|when we meet)\b|\bdirect payment\b/,
];

const linkPhrases = [
  /\b(?:invoice|payment|checkout) link\b[^.!?\n]{0,20}\b(?:e-?mail|send|text)/,
  /\b(?:click|tap|open|follow|visit|press|use|go to|check)\b[^.!?\n]{0,15}\b(?:the|this|that|my) (?:link|url|web ?site|web ?page)\b(?! (?:on|in) the listing)/,
  /\b(?:sent|send|sending|emailed|texted)\b[^.!?\n]{0,20}\b(?:a|the|you a|you the) (?:payment |tracking |secure |special |confirmation )?link\b|\bscan (?:the|this|my) qr\b/,
  /\b(?:google|search for|type in|look up)\b[^.!?\n]{0,30}\b(?:escrow|secure ?pay|safe ?deal)\b/,
];

const messengers =
  "(?:wh?[ao]t'?s?[\\s._*-]*ap+|wa+ts[\\s._*-]?ap+|wsapp?|tele[\\s._*-]?gram|signal|viber|we[\\s._*-]?chat|messenger|instagram|insta|snap[\\s._*-]?chat|discord|skype|line app|imessage|facetime|hangouts|google chat|kik|facebook|fb|zoom|ig|tg|wa\\.?me)";

const contactPhrases = [
  /\b(?:hit (?:me|us) up|hmu|dm|pm|add|follow|text|msg|message|write|reach|contact|ping|snap|ig|insta|tg|handle|user ?name)\b[^.!?\n]{0,20}(?<![a-z0-9])@[a-z][a-z0-9_.]{2,}/,
  new RegExp(
    `\\b(?:text|message|msg|write|chat|talk|add|hit|ping|dm|find|reach|contact|call|pm|speak|drop|shoot)\\b[^.!?\\n]{0,12}\\b(?:me|us|with me|to me|you)\\b[^.!?\\n]{0,25}\\b(?:on|via|over|in|at|through|by|using)\\b(?: my)? ${messengers}\\b`,
  ),
  new RegExp(
    `\\b(?:continue|move|switch|let'?s|lets|go|take (?:this|it)|carry on|discuss|chat|talk|deal)\\b[^.!?\\n]{0,30}\\b(?:on|to|over to|via|over|through)\\b ${messengers}\\b`,
  ),
  new RegExp(
    `\\b(?:do you have|have you got|you have|are you on|you got|you on|do you use|got)\\b[^.!?\\n]{0,8} ${messengers}\\b(?! installed)`,
  ),
  new RegExp(`\\b${messengers} ?me\\b`),
  // Also the state of Washington.
  /\b(?:on|via|use|using|over|through|by|my) wa\b(?! state)[^.!?\n]{0,20}\b(?:number|please|pls|me|instead|better|faster|easier|only|:)|\bwa (?:me|number|no|#)\b/,
  new RegExp(
    `\\b(?:me|us|hmu|dm|pm|line|handle|account|profile|faster|easier|better|quicker|reachable|available|active|always|everything|i'm|im|i am)\\b[^.!?\\n]{0,20}\\b(?:on|over|via|through|by|in) (?:my )?${messengers}\\b(?! (?:works?|runs?|app))`,
  ),
  new RegExp(
    `\\b${messengers}\\b[^.!?\\n]{0,25}\\b(?:handle|username|user ?name|same name|is (?:faster|easier|better|quicker)|(?:faster|easier|better|quicker)|@[a-z0-9_]{3,})\\b`,
  ),
  new RegExp(
    `\\b(?:i|we) (?:only )?(?:use|do|prefer|answer|reply|respond|write|chat)\\b[^.!?\\n]{0,15}\\b${messengers}\\b[^.!?\\n]{0,15}\\b(?:for|only|more|there|instead)\\b`,
  ),
  new RegExp(`\\b${messengers} (?:please|pls|plz|instead|only)\\b`),
  new RegExp(
    `\\b(?:my|our) ${messengers}\\b(?:'s)?[^.!?\\n]{0,12}\\b(?:is|name|id|handle|user|number|:|=|@)`,
  ),
  new RegExp(
    `\\b(?:what'?s|what is|send me|give me|tell me|can i (?:have|get)|could i (?:have|get)|may i (?:have|get)|need|share|drop|leave|want|provide|send)\\b[^.!?\\n]{0,12}\\byour (?:paypal |zelle |venmo |phone |cell ?(?:phone )?|mobile |whats ?app |contact |telephone |personal |real |direct )*(?:number|digits|e-?mail(?: address)?|email|contacts?|contact (?:info|details)|${messengers})\\b(?! (?:of|on) the)`,
  ),
  /\b(?:my|cell|phone|mobile|contact|whats ?app) (?:number|no\.?|#)(?: is)?\W{0,3}\(?\+?\d[\d\s().-]{5,}/,
  /\b(?:call|text|phone|cell|reach|whats ?app|sms|ring)\b[^\d.!?\n]{0,20}(?<![\d$])\d{3}[ .-]\d{4}\b/,
  /\b(?:add|find|reach|message|msg|text|dm|write|search|hit)\b[^.!?\n]{0,25}\bon (?:snap|sc|insta|ig|discord|tg|telegram|kik|skype|whats ?app)\b|(?<![\w.])(?=[a-z._]*\d)[a-z][\w.]{3,} on (?:snap|discord|telegram|kik|insta)\b/,
  // "snap: annah22", "discord annah#2233"
  /\b(?:snap|snap ?chat|sc|ig|insta|instagram|tg|telegram|discord|kik|skype|fb|facebook|wechat|viber|line id)(?: (?:id|name|user ?name|handle|tag|acc|account))? ?(?:[:=@]|->|=>) ?@?(?!(?:yes|no|not|works?|ok|okay|good|fine|great|installed|runs|all)\b)[a-z][\w.-]{2,}/,
  /\b(?:discord|disc|dc)\b[^!?\n]{0,20}\b[a-z][\w.]*#\d{4}\b/,
  /\b(?:snap|sc|ig|insta|tg|discord|kik|skype|telegram|whats ?app) (?=[a-z._]*\d)[a-z][a-z._]+\d[\w.]*(?![\w"]| ?(?:gb|mp|hours|app))/,
  /\b(?:my|our) (?:\w+ )?(?:instagram|insta|ig|telegram|snap|discord|facebook|fb) ?(?:is|:|=|@)/,
];

/** "12 Elm Street, Austin, TX 78701" */
const postalAddress =
  /\b\d{1,5} (?:[a-z.]+ ){1,3}(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|terrace)\b[^!?\n]{0,60}\b[a-z]{2,}\.?,? \d{5}\b/;

/** A word before digits that says that they are no phone number. */
const otherNumber =
  /\b(?:imei|meid|eid|iccid|serial|s\/n|sn|order|tracking|track|parcel|shipment|label|usps|ups|fedex|dhl|waybill|case|ticket|invoice|receipt|part|sku|upc|ean|build|model|version)\b[^\d!?\n]{0,25}$/;

/** Ten digits, or eleven with the country's, in groups of any length. */
const northAmerican =
  /(?<![\w.,/\p{Sc}+-])(?:1[ .-]{1,2})?\(?[2-9]\d?[ .-]{0,2}\d(?:[ ().-]{0,2}\d){7,8}(?![\w/%]|[.,]\d)/gu;

function hasContactDetails(numbers: string): boolean {
  const before = (found: string) => numbers.slice(0, Math.max(0, numbers.indexOf(found)));
  const isOther = (found: string) => otherNumber.test(before(found));
  const known = privateDetailsIn(numbers).filter(
    ({ kind, found }) => kind !== "an IMEI" && !(kind === "a phone number" && isOther(found)),
  );
  return (
    known.length > 0 ||
    [...numbers.matchAll(northAmerican)].some(
      ([found]) => /^1?[2-9]\d\d[2-9]\d{6}$/.test(found.replace(/\D/g, "")) && !isOther(found),
    )
  );
}

/** The lengths of account numbers by country. @see https://www.swift.com/standards/data-standards/iban-international-bank-account-number */
const ibanLengths: Record<string, number> = {
  ...{ ad: 24, ae: 23, al: 28, at: 20, az: 28, ba: 20, be: 16, bg: 22, bh: 22, br: 29, by: 28, ch: 21 },
  ...{ cr: 22, cy: 28, cz: 24, de: 22, dk: 18, do: 28, ee: 20, eg: 29, es: 24, fi: 18, fo: 18, fr: 27 },
  ...{ gb: 22, ge: 22, gi: 23, gl: 18, gr: 27, gt: 28, hr: 21, hu: 28, ie: 22, il: 23, iq: 23, is: 26 },
  ...{ it: 27, jo: 30, kw: 30, kz: 20, lb: 28, lc: 32, li: 21, lt: 20, lu: 20, lv: 21, mc: 27, md: 24 },
  ...{ me: 22, mk: 19, mr: 27, mt: 31, mu: 30, nl: 18, no: 15, pk: 24, pl: 28, ps: 29, pt: 25, qa: 29 },
  ...{ ro: 24, rs: 22, sa: 24, se: 24, si: 19, sk: 24, sm: 27, tn: 24, tr: 26, ua: 29, va: 22, vg: 24 },
  ...{ xk: 20 },
};

/** Where an account number may begin, and its country. */
const ibanStart = /(?<![a-z0-9])(?=([a-z])[^a-z0-9]{0,3}([a-z])[^a-z0-9]{0,3}\d)/g;

/** Whether a text has an account number, in groups of any length, whose check digits are right. */
function hasIban(text: string): boolean {
  return [...text.matchAll(ibanStart)].some(({ 1: first = "", 2: second = "", index }) => {
    const length = ibanLengths[first + second];
    if (!length) return false;
    const [found = ""] =
      new RegExp(`^[a-z0-9](?:[^a-z0-9]{0,3}[a-z0-9]){${length - 1}}(?![a-z0-9])`).exec(text.slice(index)) ??
      [];
    const iban = found.replace(/[^a-z0-9]/g, "");
    if (iban.replace(/\D/g, "").length < 10) return false;
    const moved = iban.slice(4) + iban.slice(0, 4);
    let rest = 0;
    for (const sign of moved) rest = Number(`${rest}${Number.parseInt(sign, 36)}`) % 97;
    return rest === 1;
  });
}
