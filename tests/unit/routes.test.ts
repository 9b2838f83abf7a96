import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";

/** Every address, with the modules that answer it from the outermost in. */
function addresses(entries: RouteConfigEntry[], path = "", modules: string[] = []): string[] {
  return entries.flatMap(({ path: segment = "", file, children = [] }) => {
    const address = [path, segment.replace(/^\//, "")].filter(Boolean).join("/");
    const stack = [...modules, file];
    const below = addresses(children, address, stack);
    // A layout with a child at its own address answers only through that child.
    const shadowed = children.some((child) => child.index);
    return shadowed ? below : [`/${address}: ${stack.join(" > ")}`, ...below];
  });
}

test("the product has these addresses and no others", () => {
  const shelf = (path: string) => [
    `/${path}: routes/catalog/list.tsx`,
    `/${path}/:phoneId: routes/catalog/list.tsx > routes/catalog/details.tsx`,
    `/${path}/:phoneId/book: routes/catalog/list.tsx > routes/catalog/book.tsx`,
  ];
  expect(addresses(routes)).toEqual([
    "/: routes/pages/home.tsx",
    "/login: routes/account/login.tsx",
    "/blogs: routes/pages/blogs.tsx",
    ...shelf("products"),
    ...shelf("android"),
    ...shelf("ios"),
    ...shelf("tablet"),
    "/phones/:phoneId: routes/catalog/listing.tsx",
    "/compare: routes/catalog/compare.tsx",
    "/sellers/:sellerId: routes/catalog/seller.tsx",
    "/models/:slug: routes/catalog/model.tsx",
    "/signup: routes/account/buyer-sign-up.tsx",
    "/sellersignup: routes/account/seller-sign-up.tsx",
    "/addphone: routes/account/add-phone.tsx",
    "/about: routes/pages/about.tsx",
    "/report: routes/pages/report.tsx",
    "/manage: routes/dashboard/layout.tsx > routes/dashboard/my-orders.tsx",
    "/manage/orders/:orderId: routes/dashboard/layout.tsx > routes/dashboard/order.tsx",
    "/manage/mysells: routes/dashboard/layout.tsx > routes/dashboard/my-sellings.tsx",
    "/manage/mysells/:phoneId/edit: routes/dashboard/layout.tsx > routes/dashboard/edit-listing.tsx",
    "/manage/mysells/:phoneId/photos: routes/dashboard/layout.tsx > routes/dashboard/photos.tsx",
    "/manage/users: routes/dashboard/layout.tsx > routes/dashboard/users.tsx",
    "/manage/sellers: routes/dashboard/layout.tsx > routes/dashboard/sellers.tsx",
    "/manage/reports: routes/dashboard/layout.tsx > routes/dashboard/reports.tsx",
    "/manage/activity: routes/dashboard/layout.tsx > routes/dashboard/activity.tsx",
    "/manage/account: routes/dashboard/layout.tsx > routes/dashboard/my-account.tsx",
    "/forgot: routes/account/forgot.tsx",
    "/reset: routes/account/reset.tsx",
    "/verify: routes/account/verify.tsx",
    "/api: routes/pages/api.tsx",
    "/*: routes/pages/not-found.tsx",
    "/robots.txt: routes/pages/robots.ts",
    "/sitemap.xml: routes/pages/sitemap.ts",
    "/sitemap/:part: routes/pages/sitemap-part.ts",
    "/products.rss: routes/catalog/feed.ts",
    "/android.rss: routes/catalog/feed.ts",
    "/ios.rss: routes/catalog/feed.ts",
    "/tablet.rss: routes/catalog/feed.ts",
    "/search/suggestions: routes/catalog/suggestions.ts",
    "/photos/:photoId/:size: routes/pages/photo.ts",
    "/logout: routes/account/logout.ts",
    "/login/passkey: routes/account/log-in-by-passkey.ts",
    "/google: routes/account/google.ts",
    "/google/callback: routes/account/google-callback.ts",
    "/addphone/fair-price: routes/account/fair-price.ts",
    "/manage/undo: routes/dashboard/undo.ts",
    "/manage/mysells/:phoneId/photos/upload: routes/dashboard/photo-upload.ts",
    "/manage/account/verify: routes/dashboard/verify-address.ts",
    "/manage/account/data: routes/dashboard/my-data.ts",
    "/manage/account/passkeys: routes/dashboard/passkeys.ts",
    "/phoneInfoCollection: routes/api/phone-info-collection.ts",
    "/phoneInfoCollection/:category: routes/api/phone-info-by-category.ts",
    "/phoneInfoCollection/:category/:type: routes/api/phone-info-by-category-and-type.ts",
    "/allPhoneInfo: routes/api/all-phone-info.ts",
    "/phones/delete/:id: routes/api/phones-delete.ts",
    "/bookings: routes/api/bookings.ts",
    "/bookings/delete/:id: routes/api/bookings-delete.ts",
    "/users: routes/api/users.ts",
    "/users/delete/:id: routes/api/users-delete.ts",
    "/users/admin/:email: routes/api/users-admin.ts",
    "/users/seller/:email: routes/api/users-seller.ts",
    "/sellers: routes/api/sellers.ts",
    "/seller/verify/:id: routes/api/seller-verify.ts",
    "/jwt: routes/api/jwt.ts",
    "/report.json: routes/api/report.ts",
    "/phoneInfoCollection/*: routes/api/api-not-found.ts",
    "/allPhoneInfo/*: routes/api/api-not-found.ts",
    "/phones/delete/*: routes/api/api-not-found.ts",
    "/bookings/*: routes/api/api-not-found.ts",
    "/users/*: routes/api/api-not-found.ts",
    "/seller/*: routes/api/api-not-found.ts",
    "/jwt/*: routes/api/api-not-found.ts",
    "/openapi.json: routes/api/openapi.ts",
    "/healthz: routes/pages/healthz.ts",
    "/readyz: routes/pages/readyz.ts",
  ]);
});
