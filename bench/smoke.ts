/** With `--smoke` a measurement runs the same code with tiny sizes, and judges no figures. */
export const isSmoke = process.argv.includes("--smoke");

if (isSmoke) console.log("A smoke run shows that the measurement works. Its figures mean nothing.");
