import { type ParseArgsConfig, parseArgs } from "node:util";

/** Parses the arguments of a command as `parseArgs` does. @param usage is printed if one is unknown */
export function parseArguments<Config extends ParseArgsConfig>(usage: string, config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    console.error((error as Error).message);
    return endWithUsage(usage);
  }
}

export function endWithUsage(usage: string): never {
  console.error(`Usage: npm run ${usage.replace(" ", " -- ")}`);
  process.exit(1);
}
