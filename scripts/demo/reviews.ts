export interface DemoReview {
  stars: number;
  text: string;
  reply?: string;
}

/** Reviews of the demo sales, used in turn. */
export const demoReviews: DemoReview[] = [
  { stars: 5, text: "Exactly as described, and it arrived two days later in a padded box." },
  { stars: 5, text: "Battery health was even a little better than stated. Friendly answers." },
  {
    stars: 4,
    text: "Good phone. There is a fine scratch next to the charging port that the photos did not show.",
    reply: "Sorry, I had overlooked it. Thank you for being fair about it.",
  },
  { stars: 5, text: "" },
  { stars: 5, text: "We met at the station, I tried everything out, done in ten minutes." },
  {
    stars: 3,
    text: "The phone is fine, but I waited nine days for it.",
    reply: "I was ill that week. I send my next ones within two days.",
  },
  { stars: 4, text: "Clean, reset and charged. The case that was mentioned was missing." },
  { stars: 5, text: "My daughter's first phone, and she is happy. Would buy here again." },
];
