/** With `--smoke` a measurement is over in seconds: it runs the same code with tiny sizes, and judges no figures. */
export const isSmoke = process.argv.includes("--smoke");
