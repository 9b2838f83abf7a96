import { expect, test } from "vitest";
import {
  parseSearchQuery,
  searchString,
  unreadParameters,
} from "#app/features/catalog/search/search-query.rules.ts";
import { asCity, citiesNear, placeLabel } from "#app/features/listings/cities.rules.ts";

test("cities are stored as the market names them, other places as typed", () => {
  expect(
    ["austin", "AUSTIN TX", "Austin, TX", "st louis", "Saint-Dié", "Portland, ME", ""].map(asCity),
  ).toEqual([
    ...["Austin, TX", "Austin, TX", "Austin, TX", "St. Louis, MO", "Saint-Dié", "Portland, ME", ""],
  ]);
});

test("a city is near those within fifty miles and near itself", () => {
  expect(citiesNear("San Francisco, CA")).toEqual(["Oakland, CA", "San Francisco, CA", "San Jose, CA"]);
  expect(citiesNear("New York, NY")).toEqual(["New York, NY", "Newark, NJ"]);
  expect(citiesNear("Austin, TX")).toEqual(["Austin, TX"]);
  expect(citiesNear("Fort Worth, TX")).toEqual(["Dallas, TX", "Fort Worth, TX"]);
  expect(citiesNear("Atlantis")).toEqual([]);
});

test("cards name the city, and how far it is from the city that was asked for", () => {
  expect(placeLabel("Oakland, CA", [])).toBe("Oakland");
  expect(placeLabel("Oakland, CA", ["Oakland, CA"])).toBe("Oakland");
  expect(placeLabel("Oakland, CA", ["San Francisco, CA"])).toBe("Oakland, about 5 miles away");
  expect(placeLabel("San Jose, CA", ["San Francisco, CA", "Oakland, CA"])).toBe(
    "San Jose, about 40 miles away",
  );
  expect(placeLabel("Saint-Dié", ["San Francisco, CA"])).toBe("Saint-Dié");
});

test("the filter takes a city in any spelling, and says what it doesn’t know", () => {
  const asked = (search: string) => parseSearchQuery(new URLSearchParams(search));
  expect(searchString(asked("near=new york"))).toBe("?near=New+York%2C+NY");
  expect(asked("near=Atlantis").filters.near).toEqual([]);
  expect(unreadParameters(asked("near=Atlantis"))).toEqual([
    { name: "near", text: "“City, within 50 miles” can’t be “Atlantis”" },
  ]);
});
