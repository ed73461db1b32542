interface LogLine {
  time?: string;
  level?: string;
  app?: string;
  message?: string;
}

const nameWidth = 'cloudsim'.length;

/** One line of a process for a person: its name in front, a JSON log line spelled out. */
export function readableLine(process: string, line: string): string {
  const record = parse(line);
  if (record === undefined) return `${process.padEnd(nameWidth)} | ${line}`;
  const { time = '', level = '', app: _app, message = '', ...rest } = record;
  const values = Object.entries(rest).map(([name, value]) => `${name}=${spell(value)}`);
  const parts = [time.slice(11, 19), level === '' ? '' : level.toUpperCase().padEnd(5), message, ...values];
  return `${process.padEnd(nameWidth)} | ${parts.filter((part) => part !== '').join(' ')}`;
}

/** Whether somebody who did not ask for the log should see the line: warnings, errors, and what is no log line. */
export function isNoteworthy(line: string): boolean {
  const record = parse(line);
  return record === undefined || record.level === 'warn' || record.level === 'error';
}

function parse(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function spell(value: unknown): string {
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}
