export interface DemoConversation {
  /** The name of the one who asks. */
  buyerName: string;
  /** The model of the listing. */
  slug: string;
  hoursAgo: number;
  /** By the buyer and the seller in turn. */
  texts: string[];
  /** How many of the last texts are unread. */
  unread: number;
}

/** Oldest first. */
export const demoConversations: DemoConversation[] = [
  {
    buyerName: "Teodor Halloran",
    slug: "google-pixel-9",
    hoursAgo: 9,
    texts: [
      "Hello, is the screen protector still on it, or do I need a new one?",
      "Hello Teodor, it is still on, put on the day I got the phone.\nThere is one more in the box.",
      "Perfect. Could you hand it over in the city center on Saturday?",
    ],
    unread: 1,
  },
  {
    buyerName: "Robin Buyer",
    slug: "apple-ipad-air-5",
    hoursAgo: 6,
    texts: [
      "Hi, does the pencil come with it?",
      "Hi! It does, but its tip is worn. New tips are about 15 dollars for four.",
    ],
    unread: 1,
  },
  {
    buyerName: "Robin Buyer",
    slug: "google-pixel-9",
    hoursAgo: 2,
    texts: [
      "Is the price negotiable if I collect it tomorrow?",
      "I can't change it by much, sorry. But I will add the case and the charger.",
      "Fair enough. I will think about it tonight.",
    ],
    unread: 0,
  },
];
