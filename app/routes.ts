import { type RouteConfig, route } from "@remix-run/route-config";

/** The four product lists share their modules; each module reads from the path which category it serves. */
const category = (path: string) =>
  route(path, "routes/catalog/list.tsx", { id: path }, [
    route(":phoneId", "routes/catalog/details.tsx", { id: `${path}-details` }),
    route(":phoneId/book", "routes/catalog/book.tsx", { id: `${path}-book` }),
  ]);

/** Every path of the product, in the order of the specification's tables. */
export default [
  route("/", "routes/site/home.tsx", { id: "home", index: true }),
  route("login", "routes/account/login.tsx", { id: "login" }),
  route("blogs", "routes/site/blogs.tsx", { id: "blogs" }),
  category("products"),
  category("android"),
  category("ios"),
  category("tablet"),
  route("phones/:phoneId", "routes/catalog/listing.tsx", { id: "listing" }),
  route("compare", "routes/catalog/compare.tsx", { id: "compare" }),
  // Without an id, the path belongs to the REST API.
  route("sellers/:sellerId", "routes/catalog/seller.tsx", { id: "seller" }),
  route("models/:slug", "routes/catalog/model.tsx", { id: "model" }),
  route("signup", "routes/account/buyer-sign-up.tsx", { id: "signup" }),
  route("sellersignup", "routes/account/seller-sign-up.tsx", { id: "sellersignup" }),
  route("addphone", "routes/account/add-phone.tsx", { id: "addphone" }),
  route("about", "routes/site/about.tsx", { id: "about" }),
  route("report", "routes/site/report.tsx", { id: "report" }),

  route("manage", "routes/manage/layout.tsx", { id: "manage" }, [
    route("", "routes/manage/my-orders.tsx", { id: "manage-orders", index: true }),
    route("orders/:orderId", "routes/manage/order.tsx", { id: "manage-order" }),
    route("mysells", "routes/manage/my-sellings.tsx", { id: "manage-sellings" }),
    route("mysells/:phoneId/edit", "routes/manage/edit-listing.tsx", { id: "manage-edit" }),
    route("mysells/:phoneId/photos", "routes/manage/photos.tsx", { id: "manage-photos" }),
    route("users", "routes/manage/users.tsx", { id: "manage-users" }),
    route("sellers", "routes/manage/sellers.tsx", { id: "manage-sellers" }),
    route("reports", "routes/manage/reports.tsx", { id: "manage-reports" }),
    route("activity", "routes/manage/activity.tsx", { id: "manage-activity" }),
    route("account", "routes/manage/my-account.tsx", { id: "manage-account" }),
  ]),

  // Where the links of our mails lead, and how to ask for one.
  route("forgot", "routes/account/forgot.tsx", { id: "forgot" }),
  route("reset", "routes/account/reset.tsx", { id: "reset" }),
  route("verify", "routes/account/verify.tsx", { id: "verify" }),

  route("api", "routes/site/api.tsx", { id: "api" }),
  route("*", "routes/site/not-found.tsx", { id: "not-found" }),

  // For search engines and feed readers.
  route("robots.txt", "routes/site/robots.ts", { id: "robots" }),
  route("sitemap.xml", "routes/site/sitemap.ts", { id: "sitemap" }),
  route("sitemap/:part", "routes/site/sitemap-part.ts", { id: "sitemap-part" }),
  ...["products", "android", "ios", "tablet"].map((category) =>
    route(`${category}.rss`, "routes/catalog/feed.ts", { id: `${category}-feed` }),
  ),
  // What the search field suggests.
  route("search/suggestions", "routes/catalog/suggestions.ts", { id: "suggestions" }),
  // The photos of listings, in their sizes.
  route("photos/:photoId/:size", "routes/site/photo.ts", { id: "photo" }),

  // What the pages' forms post to, beside the pages themselves.
  route("logout", "routes/account/logout.ts", { id: "logout" }),
  route("login/passkey", "routes/account/log-in-by-passkey.ts", { id: "login-passkey" }),
  route("google", "routes/account/google.ts", { id: "google" }),
  route("google/callback", "routes/account/google-callback.ts", { id: "google-callback" }),
  route("addphone/fair-price", "routes/account/fair-price.ts", { id: "addphone-fair-price" }),
  route("manage/undo", "routes/manage/undo.ts", { id: "manage-undo" }),
  route("manage/mysells/:phoneId/photos/upload", "routes/manage/photo-upload.ts", {
    id: "manage-photo-upload",
  }),
  route("manage/account/verify", "routes/manage/verify-address.ts", { id: "manage-account-verify" }),
  route("manage/account/data", "routes/manage/my-data.ts", { id: "manage-account-data" }),
  route("manage/account/passkeys", "routes/manage/passkeys.ts", { id: "manage-account-passkeys" }),

  // The REST API, see /api.
  route("phoneInfoCollection", "routes/rest/phone-info-collection.ts"),
  route("phoneInfoCollection/:category", "routes/rest/phone-info-by-category.ts"),
  route("phoneInfoCollection/:category/:type", "routes/rest/phone-info-by-category-and-type.ts"),
  route("allPhoneInfo", "routes/rest/all-phone-info.ts"),
  route("phones/delete/:id", "routes/rest/phones-delete.ts"),
  route("bookings", "routes/rest/bookings.ts"),
  route("bookings/delete/:id", "routes/rest/bookings-delete.ts"),
  route("users", "routes/rest/users.ts"),
  route("users/delete/:id", "routes/rest/users-delete.ts"),
  route("users/admin/:email", "routes/rest/users-admin.ts"),
  route("users/seller/:email", "routes/rest/users-seller.ts"),
  route("sellers", "routes/rest/sellers.ts"),
  route("seller/verify/:id", "routes/rest/seller-verify.ts"),
  route("jwt", "routes/rest/jwt.ts"),
  // API requests to /report, which is also a page: see `toResourceRoute`.
  route("report.json", "routes/rest/report.ts"),
  ...["phoneInfoCollection", "allPhoneInfo", "phones/delete", "bookings", "users", "seller", "jwt"].map(
    (path) => route(`${path}/*`, "routes/rest/api-not-found.ts", { id: `${path}-not-found` }),
  ),

  route("openapi.json", "routes/rest/openapi.ts"),

  // For whoever watches over a deployment.
  route("healthz", "routes/site/healthz.ts", { id: "healthz" }),
  route("readyz", "routes/site/readyz.ts", { id: "readyz" }),
] satisfies RouteConfig;
