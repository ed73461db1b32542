import { printable } from '@gateway/core';
import winston from 'winston';
import { MaskedCopy } from './masked-copy.ts';
import type { Origin } from './origin.ts';

/**
 * Masks the secrets of a record, and limits its size. Lines that are written whatever the level is have the
 * level `info`.
 */
export const maskRecord = winston.format((record) => {
  if (record.level === 'record') record.level = 'info';
  const copy = new MaskedCopy();
  for (const name in record) record[name] = copy.member(name, record[name]);
  return record;
});

/** Writes each record as one line of JSON. */
export function jsonLine(app: string, origin: Origin | undefined) {
  return winston.format.printf((record) => {
    const { level, message } = record;
    const first = { time: new Date().toISOString(), level, app, ...origin, message };
    return JSON.stringify(Object.assign(first, record));
  });
}

const PLAIN = /^"[^\s"\\=]+"$/;

/** Writes each record as one line for people at a terminal. */
export function textLine(app: string, origin: Origin | undefined) {
  const source = origin === undefined ? app : `${app} of ${origin.gateway} in ${origin.region}`;
  return winston.format.printf(({ level, message, ...meta }) => {
    const time = new Date().toISOString().slice(11, 23);
    let line = `${time} ${level.toUpperCase().padEnd(5)} ${source}: ${escaped(message)}`;
    for (const [name, value] of Object.entries(meta)) {
      if (value === undefined) continue;
      const json = JSON.stringify(value);
      line += ` ${escaped(name)}=${PLAIN.test(json) ? json.slice(1, -1) : json}`;
    }
    // JSON does not escape all characters that control a terminal.
    return printable(line);
  });
}

/** Without line breaks and control codes of terminals. */
function escaped(text: unknown): string {
  return JSON.stringify(text).slice(1, -1);
}
