import { brand } from "#app/brand.ts";
import { market, offerTerms } from "#app/market.ts";
import { howToPay, orderDeadlines, paymentTerms, problemDays, terms } from "#app/terms.ts";
import { aboutSlug } from "./page-slugs.ts";

const legalRights = "None of this changes your legal rights.";

/** The pages that a market needs, as we suggest them: drafts until an administrator publishes them. */
export const suggestPages = (
  isProtected: boolean,
): { slug: string; title: string; body: string; inFooter: boolean }[] => [
  {
    slug: "help",
    title: "Help",
    inFooter: true,
    body: `## Buying

**How do I buy a device?** Choose one and press Buy Now. ${isProtected ? `It’s reserved for you. If its listing says “Protected payment”, pay within ${paymentTerms.payMinutes} minutes. The seller then has ${orderDeadlines.reserved.days} days to hand it over.` : `It’s reserved for you for ${orderDeadlines.reserved.days} days. You don’t need to pay to book.`}

**How do I pay?** ${howToPay("buyer", isProtected)}${isProtected ? "" : ` ${terms.notHeld}`}

**Can I offer less?** Yes, if the seller takes offers: ${offerTerms.minPercent}% of the price or more. The seller has ${offerTerms.answerHours} hours to answer.

**What if something’s wrong?** ${terms.claimAnswer} On the problem’s page, both of you can always write. You’ve got ${market.warranty.total} from the day you get the device.

**Can I cancel?** Yes, under [My Orders](/manage), until the seller hands the device over.

## Selling

**How do I sell a device?** [Add it](/addphone): photos first, then its details. We may check your first one before it goes on sale.

**How do I get the “Verified seller” badge?** One of us looks at your account and what you sell. You don’t have to ask.

**When do I get paid?** ${howToPay("seller", isProtected)}

## Your account

**I forgot my password.** [Set a new one](/forgot) by email.

**How do I close my account?** Under [My account](/manage/account/data), where you can also download your data. Sellers can from ${problemDays.sale} days after a buyer got their last device.

Still stuck? [Write to us](/report). You don’t need an account for that.`,
  },
  {
    slug: "terms",
    title: "Terms",
    inFooter: true,
    body: `These terms apply between you and ${brand.company}, which runs ${brand.name}.

## What ${brand.name} is

${brand.name} is a marketplace. Sellers list used devices, and buyers book them. The sale is a contract between buyer and seller. ${isProtected ? terms.paymentIfProtected.buyer : terms.notHeld}

## Your account

You must be [18] or older. Give your real name and an email address that you read, keep your login to yourself, and tell us if someone else uses it.

## If you sell

- Sell only what you own, have on hand and are allowed to sell.
- Describe it as it is, with every defect you know of, and use your own photos.
- Erase your data and remove all locks before you hand it over.
- Hand it over or ship it within ${orderDeadlines.reserved.days} days of the booking, at the agreed price.

## If you buy

- Book only what you mean to buy.
- ${isProtected ? "Pay when you book if the listing says “Protected payment”. Otherwise, pay" : "Pay"} the seller the way you agreed on.
- Check the device when you get it, and tell us through your order if something’s wrong.

## What isn’t allowed

Stolen or counterfeit devices, other people’s photos or data, insults, threats, spam, and fake deals.

## What we do about it

Anyone can report a listing, a person, a review or a message. A moderator decides and may hide content, warn, or suspend an account. You’ll see the reason and can appeal once.

## When a deal goes wrong

Buyer and seller have ${problemDays.answer} days to answer each other. After that, or as soon as one of them asks, we decide within ${problemDays.decision} days. ${legalRights}

## Liability

[What you are liable for, and what not.]

## Ending and changes

You can close your account at any time without open orders or problems, and as a seller from ${problemDays.sale} days after a buyer got your last device. We’ll tell you before these terms change.

## Law

[Which law applies, and which court decides.]`,
  },
  {
    slug: "privacy",
    title: "Privacy",
    inFooter: true,
    body: `${brand.company} is responsible for your data. [Name and address of your privacy contact.]

## What we keep, and why

| What | Why |
| --- | --- |
| Name, email, password (hashed) | your account |
| Listings, photos, orders, messages, offers, reviews | buying and selling |
| Delivery address and phone number | given to the seller of what you book |
| Reports and decisions | keeping the market safe |
| Which version of our terms you accepted | proof |
| The day you last used your account | finding abandoned accounts |
| A code made from the IP address you signed up from (7 days), and what it showed our moderators (30 days) | finding fake accounts |

We remove the location and other hidden data from your photos.${brand.imageLinks ? " A picture that a seller shows by a link loads from another website, which then learns your IP address." : ""}

## Who sees it

Visitors see a seller’s name, listings and reviews, and never an email address. The other person on an order sees what they need for it. Sellers that you book from, write to or make an offer see how your orders of the last year ended. Our staff see only what their work needs; your other messages stay between you and the other person. We don’t sell data, and there are no ads.

## Cookies

We use only those the site can’t work without: for your login and the devices that you log in from, messages on the next page, and fresh data after you change something. Your browser also remembers the last devices you looked at, for you alone. We don’t track you.

## How long

Until you close your account. Then your name, address and messages that nobody else needs are erased right away. A sale stays, without your name, as proof for the other side. What you report with [our form](/report) goes a year after we’ve closed it. Backups keep a copy for 30 days.

## Your rights

Under [My account](/manage/account) you can correct, [download and erase](/manage/account/data) your data. For everything else, [write to us](/report). You may also complain to [your data protection authority].`,
  },
  {
    slug: "imprint",
    title: "Company information",
    inFooter: true,
    body: `${brand.company}
[Street and number]
[Postal code, city, country]

Represented by [name of the director]

[Register and number]
[VAT number]

Phone: [number]
Email: [address]

[Report a problem](/report)`.replaceAll(/(?<=\S)\n(?=\S)/g, "  \n"),
  },
  {
    slug: "warranty",
    title: "Warranty",
    inFooter: true,
    body: `Every device you buy here comes with a warranty: ${terms.warranty}

${market.warranty.extra}

## What’s covered

- Parts that fail in normal use, except battery and display.
- A device that isn’t what its listing says. ${terms.authenticity}

## What isn’t

- Battery and display.
- Damage from drops, water, or a repair that we didn’t agree to.
- Defects that the listing states.
- Lost data: back it up before you send a device in.

## How to claim

1. Open the order under [My Orders](/manage) and report a problem, with photos.
2. The seller has ${problemDays.answer} days to answer: a repair, money back, or another offer.
3. If you two don’t agree, ask us. We decide within ${problemDays.decision} days.

${legalRights}`,
  },
  {
    slug: aboutSlug,
    title: "Who’s behind it",
    inFooter: false,
    body: "[Say what only you can say: who you are, where you work, and why you started.]",
  },
];
