import { describe, expect, test } from "vitest";
import {
  type MessagePlace,
  type WarningKind,
  warningFor,
  warningsOf,
} from "#app/features/messages/warnings.rules.ts";

// Examples in our own words, after what the FTC, the FBI's IC3, Europol and large marketplaces say about fraud.

const before: MessagePlace = { isBooked: false, isProtected: false, ownHost: "shop.example" };
const booked: MessagePlace = { ...before, isBooked: true };
const isProtected: MessagePlace = { ...before, isProtected: true };
const gravest = (text: string, place: MessagePlace) => warningsOf(text, place)[0] ?? null;

/** Wherever they are sent. */
const fraud: Record<Exclude<WarningKind, "contact" | "payment">, string[]> = {
  "look-alike": [
    "Pay here, it's the protected page: https://ringback-pay.com/o/8812",
    "Your payment is waiting at ringbak.com, just enter your card",
    "Please confirm at rіngback.com/verify",
    "Go to RlNGBACK.shop and accept the order",
    "ring-back . com / checkout has the invoice",
    "The receipt is at ringback.example.orders-help.com",
    "Write to support@ringbackk.com if you have questions",
    "Hello, this is Ringback support. Your account must be checked.",
    "Ringback security team here: verify your details today",
    "Your account will be suspended unless you answer",
    "r i n g b a c k dot shop slash pay",
    "Open ｒｉｎｇｂａｃｋ－ｓａｆｅ.com to get your money",
  ],
  code: [
    "I just sent you a verification code, can you tell me what it says?",
    "Before I come, send me the 6-digit code you get so I know you're real",
    "What's the code that was texted to your phone?",
    "Prove you are not a bot and read me the code",
    "I need the Google Voice code please",
    "Give me your Apple ID password so I can check the lock",
    "The bank sends an OTP, forward it to me",
    "Please share the security code from the SMS",
    "Reply with the six digit code to confirm the sale",
    "s e n d  me the v e r i f i c a t i o n code",
    "Send\u200B me the ver\u200Bification c\u200Bode",
    "Can you give me your PIN for the transfer",
    "Please read me the 6 numbers that just arrived on your phone so I know you are a real person",
    "I will send you six digits by text, tell me what they are and I'll come over tonight",
    "google will send you a 6 number text, just forward it to me to prove you're legit",
    "To make sure you're not a bot, screenshot the text with the pin and send it here",
    "Could you tell me the 5 figures you just received, it's from the verification service",
    "there's a text with eight numbers coming, give them to me to lock the deal",
    "I'm sending you a 6 digit number so I know this isn't a fake ad, what is it?",
  ],
  identity: [
    "Send a photo of your ID card, front and back of your license too",
    "Before I pay I'd like a photo of your ID card front and back",
    "send me a copy of your passport so I know you are genuine",
    "I need to see your driver's license next to the phone, it's for my safety",
    "Please send a selfie holding your ID document",
    "my bank wants your national insurance number to release the funds",
    "could you share your social security number for the insurance form",
    "Could you take a pic of your license and your face together?",
    "Need a scan of your passport for the customs papers",
    "show me some proof of identity first please, then I'll pay",
    "I want your ID before I release the money",
  ],
  "remote access": [
    "Install AnyDesk and I will help you get the payment",
    "Download TeamViewer on the phone so I can test it",
    "Sign in to my iCloud on it so I can see that it works",
    "Could you share your screen with me while you open the bank?",
  ],
  "gift card": [
    "I can pay with an Amazon gift card, more than you ask",
    "Get three Steam cards and send me pictures of the back of the cards",
    "Buy an iTunes card for the shipping and scratch off the code",
    "g1ft c@rd is ok for you?",
    "I only take prepaid cards",
    "Would you trade for Google Play codes",
    "gift-card works best for me",
    "Apple gıft cаrds please",
    "G I F T cards welcome",
    "buy two Apple cards and send me the codes, I'll take those as payment",
  ],
  crypto: [
    "I pay in bitcoin, instantly",
    "Send 0.01 BTC to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    "USDT only, no questions",
    "Give me your wallet address",
    "Crypto gets you 10% off",
    "b.i.t.c.o.i.n is fastest",
    "Transfer to 0x52908400098527886E0F7030069857D2E4169EE7",
    "Can you accept ETH for it?",
    "ｂｉｔｃｏｉｎ ok?",
  ],
  bank: [
    "My IBAN is DE89 3704 0044 0532 0130 00",
    "Transfer it to GB29NWBK60161331926819 today",
    "D E 8 9-3704-0044-0532-0130-00 and I send it",
    "Send me your routing number and I pay you",
    "What's your bank account number?",
    "I need your card number to pay you",
    "Type in the CVV from the back",
    "Wire the money and I ship tomorrow",
    "Only bank transfer, I send it once it arrived",
    "Log in to your online banking with this page",
  ],
  parcel: [
    "DHL will hold the money until you confirm",
    "My courier will pick it up and brings the cash in an envelope",
    "I am at sea right now, my shipping agent comes to collect it",
    "Your parcel is on hold, pay a small customs fee to release it",
    "FedEx keeps the payment for you, they give it to you when you hand it over",
    "You pay the insurance fee for the courier, it's refunded at delivery",
    "I already paid the delivery service, open the link to receive the money",
    "The post office collects the payment and releases it to you",
    "Fill in the form so the courier can bring your payment",
    "The package could not be delivered, confirm your address here",
    "A refundable shipping deposit is needed first",
    "The movers will pick it up on Saturday",
  ],
  "absent buyer": [
    "I am working on an oil rig in the North Sea and can't call, my courier will pick it up",
    "I'm in the military, deployed abroad, so my agent will come and collect the phone",
    "I'm a marine engineer at sea right now, my shipping agent will collect after payment clears",
    "currently on a mission overseas with the army, buying this for my son, a mover will pick it up",
    "I'm out of the country on a vessel; a pickup agent will come to your home",
    "army captain here stationed in Poland, I can't take calls but my mover comes Monday",
    "I'm a doctor with the UN overseas, it's a gift for my niece, please send it to Nigeria",
    "the shipper will come get it once you have the money in your account",
    "my husband is on a vessel at sea and wants it, a pick up agent will be sent",
    "I'm an oil rig worker. I can't call, an agent gets it for me",
    "I'm out of town. My son pays you. My agent will pick it up",
  ],
  "false payment": [
    "I paid by accident too much, please send back the difference",
    "Zelle says you have to upgrade to a business account first",
    "The payment is pending until you send the tracking number",
    "Check your spam folder, the PayPal mail is there",
    "I'll mail you a cashier's check for more than the price",
    "My assistant overpaid, refund me the rest",
    "Ship it first and I send the money tonight",
    "I'll pay you after it arrives and is tested",
    "Here's a screenshot of the payment, now send it",
    "The money is on hold until you ship, that's how the bank does it",
    "Send the phone first, I pay as soon as I hold it",
    "post it first and my husband will transfer the money on friday",
    "you mail it out now, money comes next week when my salary lands",
    "the money comes when my brother has tested it",
    "I've paid extra for the courier, just pass on $80 to the driver",
    "You'll get an email from the payments team asking for the shipping receipt before it credits you",
    "I can only pay after delivery, so please ship today",
    "trust me, you send, I check it, then I pay",
    "as soon as the parcel is in my hands the transfer goes out",
  ],
  link: [
    "See my photos at http://pictures.example/x",
    "More at bit.ly/3xyz",
    "Fill it in: hxxps://secure-forms.top/a",
    "my page is phones4cheap dot shop",
    "click this link to see it",
    "I sent a payment link to you",
    "Visit cheap-phones[.]store",
    "Scan the QR code I sent you: scan this QR",
    "cheapphones . com has it for half",
    "www.phone-deals.biz",
  ],
};

/** In a conversation without a booking. */
const contact = [
  "Call me at 512-555-0147",
  "My number is 5125550147",
  "Text five one two five five five zero one four seven",
  "51 25 55 01 47, evenings",
  "5 1 2 . 5 5 5 . 0 1 4 7",
  "５１２-５５５-０１４７",
  "512 * 555 * 0147",
  "5l2 555 O147",
  "+44 7700 900123 works too",
  "my number: 512 555 0147",
  "ada.min@example.com is better",
  "ada (at) gmail (dot) com",
  "ada at gmail dot com",
  "Write me on WhatsApp",
  "wh@tsapp me",
  "Let's talk on Telegram instead",
  "Do you have WhatsApp?",
  "What's your phone number?",
  "Can I have your email?",
  "My insta is ringer99",
  "Add me on snap chat",
  "t.me/ringer99",
  "Ship it to 12 Elm Street, Austin, TX 78701",
  "call 555-0147",
  "W h a t s A p p me please",
  "call me five five five, two one four, nine eight seven zero",
  "My digits: five-five-five zero one nine nine, text me there",
  "reach me at nine one seven five five five zero one two three after six",
  "eight hundred five five five twelve twelve is my line, ring me",
  "text 4one5 five55 o199",
  "find me on te1egram, handle is phonedeals",
  "msg me on whats app please, this chat is slow",
  "I use wa me for all my sales, same name as here",
  "my wh4tsapp is faster",
  "add me on t3legram or sign4l",
  "Drop me a line on tele gram @gadgetguy",
  "hmu on insta, same handle",
  "zero seven nine one one two three four five six seven is how you get me",
  "two one two, triple five, zero one six one after 5pm",
  "ping me on sn4pchat instead",
  "my s1gnal is easier for photos",
];

/** Wherever they are sent: paying early, or where nobody helps. */
const riskyPayment = [
  "Send me a $50 deposit to hold it",
  "PayPal friends and family only",
  "I only ship if you pay in advance",
  "A down payment reserves it for you",
  "Western Union is fine",
  "Let's do this outside of Ringback, it's cheaper",
  "Cancel the order and pay me directly, I give you 20 off",
  "Skip the fees and pay me by Zelle",
  "Half up front, half when you get it",
  "Pay before I ship, sorry, had bad experiences",
  "let's do this outside to save the fee",
  "We could skip the site fee if we do this directly, win win",
  "cancel the listing and sell it to me direct so neither of us pays commission",
  "I'd rather avoid the marketplace fees, can we settle privately?",
  "no need to book here, the site takes a cut, deal with me straight",
  "Ringback charges you 5%, so let's just do it privately",
  "no point paying commission, come to my place with cash and cancel here",
];

/** Ordinary where the two pay each other; not where the payment is protected. */
const otherPayment = [
  "Can I pay cash?",
  "I take Venmo or Zelle",
  "Do you accept PayPal?",
  "You can pay me directly when we meet",
  "Cash on pickup works for me",
];

const ordinary = [
  "Hi, is this still available?",
  "Is it unlocked for all carriers?",
  "Yes, it's unlocked. I used it with T-Mobile and then with Mint.",
  "What's the battery health?",
  "Battery health is 91%, 412 cycles.",
  "Are there any scratches on the screen?",
  "There's one hairline scratch near the camera, you can see it in photo 3.",
  "Would you take $300 for it?",
  "I could do 325, that's my lowest.",
  "$349.50 is what I paid in 2024, so no.",
  "Does the box come with it?",
  "Box, cable and the case, no charger.",
  "Is the IMEI clean? I'd like to check it first.",
  "IMEI 490154203237518",
  "The IMEI is 35 209900 176148 1, you can check it anywhere.",
  "Serial number is F2LXK0ABCDE1, model A2633.",
  "It's model SM-G991B/DS with 8 GB and 256 GB.",
  "Is it the A2890 or the A2651?",
  "Did you reset it and sign out of iCloud?",
  "I've signed out of iCloud and turned Find My off.",
  "I'll remove the screen lock before I hand it over.",
  "What carrier was it locked to before?",
  "Can we meet on Saturday at 3 pm?",
  "3:30 works, at the coffee shop by the library?",
  "I'm there at 18:15, blue jacket.",
  "Running ten minutes late, sorry!",
  "Could you hold it for me until Friday?",
  "I can hold it until tomorrow evening.",
  "How long did you use it?",
  "14 months, always in a case.",
  "Why are you selling it?",
  "I got a work phone and don't need two.",
  "When can you ship it?",
  "I can ship it Monday morning, you'll get the tracking number then.",
  "Tracking is 9400 1000 0000 0000 0000 00",
  "UPS tracking number 1Z999AA10123456784",
  "FedEx 7712 3456 7890, it should arrive on Thursday.",
  "DHL 4053217890, it's on its way.",
  "USPS says it's out for delivery.",
  "It's at the post office, they couldn't deliver it because nobody was home.",
  "The courier was here at noon but nobody opened.",
  "UPS picks it up here tomorrow.",
  "Do you ship with USPS or UPS?",
  "Who pays for shipping?",
  "Shipping is included in the price.",
  "How much is shipping to Oregon?",
  "Do I have to pay customs?",
  "It got here today, thanks! Works great.",
  "Thank you, pleasure doing business with you.",
  "Great phone, thanks for the careful packing.",
  "Does Face ID work?",
  "Face ID and both speakers work.",
  "Is the screen original?",
  "The screen was replaced by Apple in March, I have the receipt.",
  "Any dead pixels?",
  "None that I can see.",
  "Does it support eSIM?",
  "It has one nano SIM slot and eSIM.",
  "Does it take a memory card?",
  "Up to 1 TB microSD.",
  "Would you trade for a Pixel 7 plus $50?",
  "No trades, sorry.",
  "Could you send a photo of the back?",
  "I've added two photos of the back to the listing.",
  "Can you take a picture with the screen on?",
  "Is the price negotiable?",
  "Price is firm for now.",
  "What's your lowest price?",
  "Would you sell it for 280 if I pick it up today?",
  "I'm 20 minutes away and could come by tonight.",
  "I can meet downtown or at the police station parking lot.",
  "The parking lot on Elm Street is fine.",
  "See you at 5th and Main at noon.",
  "I'm on the bench near entrance B.",
  "Which color is it exactly, blue or graphite?",
  "It's the Sierra Blue one.",
  "Is it 128 or 256 GB?",
  "256 GB / 8 GB RAM, about 190 GB free.",
  "Comes as 64 GB, 128 GB and 256 GB, mine is 128.",
  "New it was 1,299 dollars, now 449.",
  "I've seen others for 1299, 1199 or 1099.",
  "It's from 2021-11-20, so the warranty ended on 11/20/2022.",
  "How old is it?",
  "Bought on 12/24/2023 at Best Buy.",
  "Does it come with a receipt?",
  "Yes, from apple.com, order of June 2023.",
  "Has it been in water?",
  "Never, and it still has its IP68 seal.",
  "Does the fingerprint reader work with a screen protector?",
  "Which Android version is on it?",
  "Android 14, security patch of October 5, build 2023.10.05.",
  "iOS 17.5.1, it takes the update to 18.",
  "Will it get more updates?",
  "Until 2028 as far as I know.",
  "Does it get hot while charging?",
  "Not that I noticed. It charges at 25 W.",
  "Does wireless charging work?",
  "Yes, and reverse charging too.",
  "Resolution is 2532 x 1170, 120 Hz.",
  "Screen time is about 6 hours a day.",
  "Does the camera focus properly? Some have an issue there.",
  "The 50 MP camera is great, the 12 MP one is so-so.",
  "I'm looking for one for my daughter.",
  "Could my brother pick it up? His name is Tom.",
  "My wife will come to pick it up, is that OK?",
  "I've booked it, when can we meet?",
  "Just booked it. Evenings work best for me.",
  "I accept your offer, please book it.",
  "Your offer is a bit low, I sent a counteroffer.",
  "Sorry, I sold it to someone else.",
  "Please leave a review when you have time.",
  "I left you five stars.",
  "It arrived with a crack in the glass, what do we do?",
  "I've reported a problem on the order page.",
  "I'll refund you as soon as it's back.",
  "If it's not as described you can return it.",
  "Can I return it within 14 days?",
  "Is Apple Pay working on it? I use it on the bus.",
  "NFC works, I used Google Pay with it every day.",
  "Did you ever use WhatsApp on it?",
  "It no longer runs WhatsApp, that's why I replaced it.",
  "It's fine for Instagram and games.",
  "Signal is good, 4 bars at my place.",
  "Does Google Play work, or is it a Chinese ROM?",
  "It has Google Play and all updates.",
  "I bought it with my Apple Card.",
  "Comes with a prepaid SIM that you can throw away.",
  "SIM card tray is included, and the pin to open it.",
  "I'll include a case and two screen protectors.",
  "Is the charger USB-C?",
  "Any chance you still have the original cable?",
  "Is it dual SIM? I need two numbers.",
  "Can I keep my number with it?",
  "The zip code is 78701, how much would shipping be?",
  "What's the color code, is it the S21 in Phantom Violet?",
  "The gate code is on the note, just ring.",
  "Do you have a promo code by any chance?",
  "Could you send me the tracking code?",
  "I'm a bit worried about scams, so I'd like to meet in person.",
  "Never share a verification code with anyone, somebody tried that with me.",
  "I'll pay through the site when I book.",
  "Do I pay here when I book?",
  "I don't ship outside of the US.",
  "Can you ship to Canada?",
  "It's lighter than the Pro.I like it.",
  "Great.It works for me.",
  "ok.so tomorrow at 4?",
  "The speaker is a bit quiet, but calls are fine.",
  "Calls are clear, I made one yesterday for 40 minutes.",
  "Does it have Verizon bloatware?",
  "It was paid off in full, no contract.",
  "There's no money owed on it.",
  "I'll bring a SIM to test calls.",
  "You're welcome to test it before you take it.",
  "I'll bring my laptop so you can check the serial number.",
  "Xperia 5 III 256GB 2021 5G",
  "S21 Ultra 5G 12GB/256GB, SM-G998U1",
  "iPhone 13 Pro Max, 256, graphite, 88%",
  "MLPF3LL/A is the part number.",
  "EID is 89049032004008882600012345678901, if you need it for the eSIM.",
  "Order number 2125550147 on the receipt.",
  "Thanks, bye!",
  "👍",
  "Hola, ¿todavía está disponible?",
  "Ist das Gerät noch zu haben?",
  "Здравствуйте, телефон ещё продаётся?",
  "It has six cameras, no wait, five. Sorry!",
  "I'm six minutes away, see you in front of the library.",
  "I can be there at five, five thirty at the latest.",
  "I left it with the reception, ask for the parcel with your name.",
  "Does WhatsApp run on it? My mom only needs that and photos.",
  "Can I insert two SIM cards or is it one SIM and an eSIM?",
  "I never ship first without a booking, sorry.",
  "Please book through the site, I don't do deals outside.",
  "The fee is included in the price.",
  "Is the fee paid by you or by me?",
  "My brother is in the army and loves this model, it is tough.",
  "I work on a ship, so I want one with good battery life.",
  "I'm abroad until the 12th, can I pick it up after that?",
  "Do I need to bring ID when I collect the parcel at the post office?",
  "Passport photos came out great with that camera, by the way.",
  "One one-inch crack in the top left corner, that's all.",
  "It's got one or two dead pixels, you can only see them on white.",
  "Four five star reviews, nice! I'd love to buy from you.",
  "Do you have any codes left for the free trial that came with it?",
  "We can meet outside the cafe at the corner of Main and 5th.",
  "The gift card that came with the phone has been used.",
  "Can you send it first class? I'd pay the difference.",
  "Can you read me the last six digits of the IMEI?",
  "It has the four digit lock removed already.",
  "I'll show my ID at pickup if you like.",
  "They asked for my ID at the UPS store.",
  "The ID on the box matches the phone.",
  "Do you work outside town? I can come to your office.",
  "Is there a fee for returning it?",
  "The site takes its fee from me, so 300 is my limit.",
  "Once I have it in hand I'll leave a review.",
  "I'm overseas with the family until Monday and ship on Tuesday.",
  "My son is in the navy and needs something sturdy.",
  "I was deployed to a new office and got a work phone, that's why I sell.",
  "Samsung sent me a text that the repair is done.",
  "What does WA look like for shipping, three days?",
  "Telegram runs well on it, no lag.",
  "Do you know if Signal backups transfer to it?",
  "Is the two-factor app still on it? Please remove your account before sending.",
  "Do you still have the bank card sized case?",
  "I can come at ten or eleven, or maybe twelve thirty.",
  "One more thing: two of the four feet on the case are gone.",
];

describe("fraud is warned of", () => {
  test.each(Object.entries(fraud).flatMap(([kind, texts]) => texts.map((text) => [kind, text])))(
    "%s: %s",
    (kind, text) => {
      for (const place of [before, booked, isProtected])
        expect(warningsOf(text ?? "", place)).toContain(kind);
    },
  );

  test.each(riskyPayment)("payment: %s", (text) => {
    for (const place of [before, booked, isProtected]) expect(warningsOf(text, place)).toContain("payment");
  });
});

test.each(otherPayment)("paying outside is warned of where the payment is protected: %s", (text) => {
  expect([gravest(text, isProtected), gravest(text, before)]).toEqual(["payment", null]);
});

test.each(contact)("contact details are warned of until there is a booking: %s", (text) => {
  expect(warningsOf(text, before)).toContain("contact");
  expect(warningsOf(text, booked)).not.toContain("contact");
});

test("of ordinary messages at most two in a hundred are warned of", () => {
  const warned = [before, booked, isProtected].map((place) =>
    ordinary.flatMap((text) => {
      const found = warningsOf(text, place);
      return found.length > 0 ? [`${found}: ${text}`] : [];
    }),
  );
  for (const each of warned) expect(each.length / ordinary.length, each.join("\n")).toBeLessThanOrEqual(0.02);
  expect(ordinary.length).toBeGreaterThan(150);
});

test.each([
  "The movers will come on Saturday, so it's packed.",
  "The money comes when I pick it up.",
  "I need a photo of the screen with the ID of the model",
  "I work on an oil rig, so evenings are fine.",
  "I am out of town until Sunday, my son can hand it over. You come and pick it up at our house?",
])("what sounds like fraud and is not is not warned of: %s", (text) => {
  for (const place of [before, booked, isProtected]) expect(warningsOf(text, place)).toEqual([]);
});

test("who pays cash when they pick it up is warned of where the payment is protected", () => {
  const text = "The money comes when I pick it up, I pay cash.";
  expect([before, booked, isProtected].map((place) => warningsOf(text, place))).toEqual([
    [],
    [],
    ["payment"],
  ]);
});

test("links to the site itself are ordinary, and its look-alikes are not", () => {
  for (const text of [
    "https://shop.example/phones/1",
    "See shop.example/phones/1",
    "https://ringback.example/help",
  ])
    expect(warningsOf(text, before)).toEqual([]);
  expect(gravest("https://shop.example.pay.top/1", before)).toBe("link");
});

test("the words fit how the two pay", () => {
  const text = "Send me a deposit of $50 first";
  expect(warningFor(text, before)).toContain("Pay when you hold the device");
  expect(warningFor(text, isProtected)).toContain("Pay only on Ringback");
  expect(warningFor("Hello", before)).toBeNull();
});

test("the longest message is read in no time", () => {
  const patterns = [
    "1 ",
    "a.",
    "send ",
    "my account ",
    "five ",
    "0x",
    "de89 ",
    "( at ",
    "pay deposit ",
    "- ",
    "five, ",
    "abroad my ",
    "send your ",
    "ship it now ",
    "fee outside ",
  ];
  for (const pattern of patterns) {
    // The best of a few, since other tests run beside it.
    const times = [1, 2, 3, 4].map(() => {
      const start = performance.now();
      warningsOf(pattern.repeat(2000 / pattern.length), isProtected);
      return performance.now() - start;
    });
    expect(Math.min(...times), pattern).toBeLessThan(150);
  }
});
