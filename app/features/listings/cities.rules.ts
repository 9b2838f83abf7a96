import { cities, milesLabel, milesNearby } from "#app/market.ts";
import { foldedWords } from "./device-variant.rules.ts";

type City = keyof typeof cities;

export const cityNames = Object.keys(cities) as City[];

const isSameText = (one: string, other: string) => foldedWords(one).join() === foldedWords(other).join();

/** A city as the market names it: "austin", "Austin TX"; another place is what was typed. */
export function asCity(typed: string): string {
  const found = cityNames.find((city) =>
    [city, city.split(",")[0] ?? ""].some((name) => isSameText(name, typed)),
  );
  return found ?? typed;
}

const milesOfTenth = 6.9;

/** The cities that are near one, and itself. */
export function citiesNear(name: string): City[] {
  const from = cityNames.find((city) => city === name);
  return from ? cityNames.filter((city) => milesBetween(from, city) <= milesNearby) : [];
}

/** Coarse: places are tenths of a degree, and the earth is flat for so few miles. */
function milesBetween(one: City, other: City): number {
  const [north, west] = cities[one];
  const [otherNorth, otherWest] = cities[other];
  const shorter = Math.cos((north * Math.PI) / 1800);
  return Math.hypot(otherNorth - north, (otherWest - west) * shorter) * milesOfTenth;
}

/** A city without its state: "Oakland", and how far it is from the nearest of others: "Oakland, about 10 miles away". */
export function placeLabel(place: string, from: readonly string[]): string {
  const city = cityNames.find((name) => name === place);
  const others = cityNames.filter((name) => from.includes(name));
  const short = place.split(",")[0] ?? place;
  if (!city || others.length === 0 || others.includes(city)) return short;
  const miles = Math.min(...others.map((other) => milesBetween(city, other)));
  return `${short}, about ${milesLabel(Math.max(5, Math.round(miles / 5) * 5))} away`;
}
