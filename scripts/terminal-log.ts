import { styleText } from "node:util";

interface LogEntry {
  level: "info" | "warning" | "error";
  event?: string;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  reference?: string;
  name?: string;
  message?: string;
  stack?: string;
  [detail: string]: unknown;
}

/**
 * Returns a printer of the Worker's log, one JSON object a line, in lines that people read in a terminal.
 *
 * @param level "warning" leaves out what is no problem
 */
export function terminalLog(
  print: (line: string) => void = console.log,
  level: "info" | "warning" = "info",
): (text: string) => void {
  let incomplete = "";
  return (text) => {
    const lines = (incomplete + text).split("\n");
    incomplete = lines.pop() ?? "";
    for (const line of lines) {
      const entry = parseEntry(line);
      if (!entry) print(line);
      else if (level === "info" || entry.level !== "info") print(readableLine(entry, new Date()));
    }
  };
}

function readableLine(entry: LogEntry, now: Date): string {
  const time = now.toLocaleTimeString("en-GB");
  const {
    level,
    event,
    method = "",
    path,
    status = 0,
    ms,
    reference,
    name,
    message,
    stack,
    ...details
  } = entry;
  if (event === "request") {
    const request = `${time}  ${method.padEnd(6)} ${path}  ${status}  ${ms} ms`;
    return status < 500 ? request : styleText("red", request);
  }
  const facts = Object.entries(details).map(([key, value]) => `${key}: ${value}`);
  const what = [event, stack ?? [name, message].filter(Boolean).join(": "), ...facts];
  const text = `${time}  ${[level.toUpperCase(), ...what, reference].filter(Boolean).join("  ")}`;
  return level === "info" ? text : styleText(level === "error" ? ["bold", "red"] : "yellow", text);
}

function parseEntry(line: string): LogEntry | null {
  try {
    const entry = JSON.parse(line);
    return entry !== null && typeof entry === "object" && "level" in entry ? entry : null;
  } catch {
    return null;
  }
}

/** The line of an email that was written to a file. */
export function emailLine(subject: string, file: string, now: Date): string {
  return styleText("cyan", `${now.toLocaleTimeString("en-GB")}  EMAIL  ${subject}  ${file}`);
}
