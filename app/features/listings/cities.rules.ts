import { cities, milesNearby } from "#app/market.ts";
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

/** The cities that are near one, and itself. Coarse: the earth is flat for so few miles. */
export function citiesNear(name: string): City[] {
  const from = cityNames.find((city) => city === name);
  if (!from) return [];
  const [north, west] = cities[from];
  return cityNames.filter((city) => {
    const [otherNorth, otherWest] = cities[city];
    const shorter = Math.cos((north * Math.PI) / 1800);
    return Math.hypot(otherNorth - north, (otherWest - west) * shorter) * milesOfTenth <= milesNearby;
  });
}
