import { printable } from '@gateway/core';

interface LogLine {
  time?: string;
  level?: string;
  app?: string;
  message?: string;
}

const nameWidth = 'cloudsim'.length;

/**
 * One line of a process for a person: its name in front, a JSON log line spelled out. Names of users stand in it, so nothing
 * that a terminal would obey stays as it is.
 */
export function readableLine(process: string, line: string): string {
  const record = parse(line);
  return printable(`${process.padEnd(nameWidth)} | ${record === undefined ? line : spellOut(record)}`);
}

function spellOut({ time = '', level = '', app: _app, message = '', ...rest }: LogLine): string {
  const values = Object.entries(rest).map(([name, value]) => `${name}=${spell(value)}`);
  const parts = [
    String(time).slice(11, 19),
    level === '' ? '' : String(level).toUpperCase().padEnd(5),
    String(message),
    ...values,
  ];
  return parts.filter((part) => part !== '').join(' ');
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
