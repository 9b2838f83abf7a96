/** A page that answers what people type into the search field. */
export interface AnswerPage {
  path: string;
  /** The label of its link. */
  label: string;
  /** Phrases that lead to it, separated by commas, with alternatives in parentheses. */
  typed: string;
  /** The name of a device may follow: "sell my iphone 12". */
  isOfDevices?: true;
  /** Whether the phrases count only at the end: "iphone 12 price", but not "price under 300". */
  isAtEnd?: true;
  /** Whether it looks for the device, in `q`. */
  takesDevice?: true;
}

/** "pixel 9 price 2024" */
const years = `(2020|${Array.from({ length: 15 }, (_, at) => 2021 + at).join("|")})`;

export const answerPages: readonly AnswerPage[] = [
  {
    path: "/addphone",
    label: "Sell a device",
    typed:
      "sell, selling, you buy (phones|devices|used phones|my phone), become a seller, how to list (my|a) (phone|device), list (my|a), (sell|selling) (my|your|a|an|used), how to sell, how to sell (my|a|an), trade in, trade in (my|a|an), buy back",
    isOfDevices: true,
  },
  {
    path: "/prices",
    label: "What devices sell for",
    typed:
      "how much (is|are|does|do|did|was) (my|a|an|the|this|that), how much (is|money for|for)( my| a| an| the|), (how much|what) (can|could|do|will) i sell (my|a|an), (resale|market|current|average|usual|typical|used|secondhand|second hand|street|trade in) (value|price|prices), how much (can|could|do|will) i get for (my|a|an|), what can i get for (my|a|an|), (value|worth|cost) of( my| a| an| the|), what is (my|a|an) (phone|device) worth, what's (my|a|an) (phone|device) worth, phone value, price (check|guide|history|trend|trends), sold prices, (what is the |what's the |)price(s|) of (a|an|my|the|)",
    isOfDevices: true,
    takesDevice: true,
  },
  {
    path: "/prices",
    label: "What devices sell for",
    typed: `(price(s|)|pricing|worth|value|cost)(| in ${years}| ${years}), (going|selling|sell|sells|go|goes) for`,
    isOfDevices: true,
    isAtEnd: true,
    takesDevice: true,
  },
  {
    path: "/about#promises",
    label: "Warranty, returns and shipping",
    typed:
      "return(s|)( work|), return policy, refund(s|)( work|), refund policy, money back, send back, exchange, warranty, guarantee, authenticity, (shipping|delivery), (shipping|delivery) (cost|costs|time|times|policy), (international |)shipping, ship, ship internationally, payment(s|)( work|), payment methods, (does |)(shipping|delivery) take, long does (shipping|delivery) take, free shipping, shipping free, (how much (is|are|does|do|for)|cost of) (the |your |)(shipping|delivery|return|returns|postage)( cost|), how much (is|does|do) a (return|refund), return (my |)order, return (my|an|a), (pay |pay with |pay by |)(cash|credit card|card), how to pay, pay, (accept |pay with |)paypal, (how does |how do |)(shipping|returns|payment) work, (do you |you |)ship to, when will my (phone|device|order) arrive",
  },
  {
    path: "/about#promises",
    label: "How you pay",
    typed:
      "(finance|financing|financed|installment(s|)|instalment(s|)|layaway), pay (monthly|later|over time), monthly (payment(s|)|plan), payment plan(s|), pay in (installments|instalments), (with |pay with |)(klarna|affirm|afterpay|venmo|zelle|apple pay|google pay), buy now pay later, bnpl, escrow, (buyer|payment|purchase) (protection|guarantee), protected payment, buyer protection",
    isOfDevices: true,
  },
  {
    path: "/about#checks",
    label: "What we check, like IMEIs",
    typed:
      "imei, imei (check|checker|number|lookup), check imei, serial number, stolen, blacklist(ed|), clean imei, (this |)(a |)scam(s|), (is it|is this|) (safe|legit), safe, legit, check (phones|devices), ((is|if|whether) |)(my |this |a |the |)(phone |device |)(stolen|blacklisted), (lost or |)stolen, reported (stolen|lost)",
    isOfDevices: true,
  },
  {
    path: "/about#handover",
    label: "How it works",
    typed:
      "how it works, how does it work, how to buy, how do i buy, (are |)(the |)(seller |sellers |selling |buyer |listing |)(fee|fees|commission), cost to sell, how much (is|are|does|do) (the |your |)(seller |selling |buyer |listing |)(fee|fees|commission), how much (is|does|do) (the |your |)(site|app) (take|charge|cost), (you |)charge, help, faq, about, about us, who are you, where are you located",
  },
  {
    path: "/manage",
    label: "My Orders",
    typed:
      "order(s|), my order(s|), order status, track (my |)(order|package), where is my (order|package), where's my order, tracking, cancel (my |)order",
  },
  {
    path: "/report",
    label: "Write to us",
    typed:
      "contact(| us| support), (customer|email) (service|support), support, complaint(s|), (talk|speak) to (a human|a person|someone), live chat, report a problem, report (a |)(seller|buyer|user|listing|scam|scammer), (talk to |)human, chat, phone number",
  },
  {
    path: "/manage/offers",
    label: "My offers",
    typed: "(my |make an |)offer(s|)",
  },
  {
    path: "/manage/messages",
    label: "Messages",
    typed:
      "(my |)(message(s|)|inbox), (contact|message|ask|email|call|text|talk to|write to|reach) (the |a |my |)(seller|sellers)",
  },
  {
    path: "/manage/saved",
    label: "Saved",
    typed: "(my |)(wish list|wishlist|watchlist|favorites|favourites|saved (phones|devices|listings))",
  },
  {
    path: "/manage/searches",
    label: "Saved searches",
    typed: "(my |)saved searches, alerts",
  },
  {
    path: "/manage/mysells",
    label: "My Sells",
    typed: "my (listings|sells|sales|devices)",
  },
  {
    path: "/forgot",
    label: "Set a new password",
    typed: "(forgot|lost|reset) (my |)password, forgotten password",
  },
  {
    path: "/manage/account/security#new-password",
    label: "Change your password",
    typed: "password, (change|new|update) (my |)password",
  },
  {
    path: "/manage/account/data#delete-account",
    label: "Delete your account",
    typed: "(close|delete|remove|cancel|deactivate) (my |)(account|profile)",
  },
  {
    path: "/manage/account/data",
    label: "Your data",
    typed: "(delete|download) my data",
  },
  {
    path: "/manage/account/security",
    label: "Security",
    typed: "passkey(s|), (two factor|2fa)",
  },
  {
    path: "/manage/account/emails",
    label: "Your emails",
    typed: "unsubscribe, (stop |)emails",
  },
  {
    path: "/manage/account/addresses",
    label: "Your addresses",
    typed: "(change|update) (my |)address",
  },
  {
    path: "/manage/account",
    label: "My account",
    typed:
      "(my |)(account|profile|settings), account settings, (change|update) (my |)(email|name|email address)",
  },
  {
    path: "/login",
    label: "Log in",
    typed: "login, log in, signin, sign in, (log|sign) (in to|into) my account",
  },
  {
    path: "/signup",
    label: "Sign up",
    typed: "signup, sign( me|) up, register, registration, (create|open|make) (an|my) account, new account",
  },
];
