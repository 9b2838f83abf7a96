/**
 * The product's name, company, sender address, social networks and colors, and whether it shows pictures of others.
 *
 * Files that cannot import this one repeat some of it: `app/app.css` (all colors, as CSS variables),
 * `public/manifest.webmanifest` and `public/icon.svg`. `npm run icons` draws the raster images again.
 */
export const brand = {
  name: "Ringback",
  company: "Ringback Ltd",
  tagline: "used phones and tablets",
  /** The sender of emails on local servers; a deployment sets MAIL_FROM. */
  senderEmail: "post@ringback.example",
  /**
   * Whether listings can show a picture by its link. Its host then learns the network address of each visitor; without,
   * there are only photos, and a stored link shows as a drawing.
   */
  imageLinks: true,
  /** The brand’s profiles. The footer has no icon for an empty one. */
  socialNetworks: {
    x: "https://x.com/",
    youtube: "https://www.youtube.com/",
    facebook: "https://www.facebook.com/",
  },
  /** `--color-base-100` of the light and the dark theme. */
  pageColor: { light: "#fbf8f1", dark: "#171512" },
  /** `--color-primary` and `--color-primary-content` of the light theme. */
  buttonColor: { background: "#2f3fc4", text: "#ffffff" },
} as const;
