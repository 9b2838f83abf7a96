import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rateLimits } from "#app/server/http/mutations.server.ts";
import { networkPrefix, rateLimitRefusal, tooManyAttempts } from "#app/server/http/rate-limits.server.ts";

describe("a client", () => {
  const keys: string[] = [];
  const environment = Object.fromEntries(
    Object.keys(rateLimits).map((name) => [
      name,
      { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 }) },
    ]),
  ) as never;
  const keyFor = async (headers: Record<string, string>) => {
    await rateLimitRefusal({ environment }, "log in", new Request("http://ringback.example", { headers }));
    return keys.pop();
  };

  test("is identified by CF-Connecting-IP only, not by headers that a visitor can forge", async () => {
    const forged = {
      "X-Forwarded-For": "1.2.3.4",
      "X-Real-IP": "1.2.3.4",
      "True-Client-IP": "1.2.3.4",
      Forwarded: "for=1.2.3.4",
    };
    expect(await keyFor({ ...forged, "CF-Connecting-IP": "203.0.113.7" })).toBe("203.0.113.7");
    expect(await keyFor(forged)).toBe("local");
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:1:2::9", "2001:db8:1:2"],
    ["2001:0db8:0001:0000:0000:0000:0000:0001", "2001:db8:1:0"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["::", "0:0:0:0"],
    ["::ffff:203.0.113.7", "::ffff:203.0.113.7"],
  ])("%s counts as %s", (address, client) => expect(networkPrefix(address)).toBe(client));

  test("is a /64 network of IPv6 addresses, in any notation", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const eight = fc.tuple(group, group, group, group, group, group, group, group);
    fc.assert(
      fc.property(eight, (groups) => {
        const long = groups.map((part) => part.toString(16).padStart(4, "0")).join(":");
        const short = new URL(`http://[${long}]`).hostname.slice(1, -1);
        const network = groups
          .slice(0, 4)
          .map((part) => part.toString(16))
          .join(":");
        expect([networkPrefix(long), networkPrefix(short)]).toEqual([network, network]);
      }),
    );
  });
});

describe("a client over the limit", () => {
  test.each([
    [1, "1 minute"],
    [60, "1 minute"],
    [61, "2 minutes"],
    [900, "15 minutes"],
  ])("that must wait %i seconds sees %s", (seconds, words) => {
    expect(tooManyAttempts(seconds)).toEqual({
      status: 429,
      formErrors: [`Too many attempts. Try again in ${words}.`],
      retryAfter: seconds,
    });
  });

  test("may retry after the limit's period", async () => {
    const environment = { BOOKING_LIMIT: { limit: async () => ({ success: false }) } } as never;
    const request = new Request("http://ringback.example");
    expect(await rateLimitRefusal({ environment }, "book", request)).toEqual(tooManyAttempts(60));
  });
});
