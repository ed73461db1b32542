import { printable } from '@gateway/core';

interface LogLine {
  time?: string;
  level?: string;
  app?: string;
  gateway?: string;
  region?: string;
  message?: string;
}

const nameWidth = 'cloudsim'.length;

/**
 * A readable log line: the name of the process, followed by the fields of the JSON line. Control characters
 * of the terminal are escaped, because users choose some of the values.
 */
export function readableLine(process: string, line: string): string {
  const record = parse(line);
  return printable(`${process.padEnd(nameWidth)} | ${record === undefined ? line : spellOut(record)}`);
}

/** Without the fields that are the same in all lines of a process. */
function spellOut({
  time = '',
  level = '',
  app: _app,
  gateway: _gateway,
  region: _region,
  message = '',
  ...rest
}: LogLine): string {
  const values = Object.entries(rest).map(([name, value]) => `${name}=${spell(value)}`);
  const parts = [
    String(time).slice(11, 19),
    level === '' ? '' : String(level).toUpperCase().padEnd(5),
    String(message),
    ...values,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Whether to show the line without the full log: warnings, errors, and output that is not a log line. */
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
