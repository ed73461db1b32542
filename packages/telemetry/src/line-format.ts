import { printable } from '@gateway/core';
import { MESSAGE } from 'triple-beam';
import winston from 'winston';
import { JsonWriter } from './json-writer.ts';
import type { LogRecord } from './log-record.ts';
import type { Origin } from './origin.ts';

const RESERVED = new Set(['time', 'level', 'app', 'gateway', 'region', 'message']);

/** The only winston format: turns each record into its log line. */
export function lineFormat(
  app: string,
  layout: 'json' | 'text',
  origin: Origin | undefined,
): winston.Logform.Format {
  const write = layout === 'json' ? jsonLine : textLine;
  const source = layout === 'json' ? jsonSource(app, origin) : textSource(app, origin);
  return winston.format((info) => {
    const record = info as unknown as LogRecord;
    record[MESSAGE] = write(source, record);
    return info;
  })();
}

/** The members that say where a line comes from. */
function jsonSource(app: string, origin: Origin | undefined): string {
  return JSON.stringify({ app, ...origin }).slice(1, -1);
}

function textSource(app: string, origin: Origin | undefined): string {
  return origin === undefined ? app : `${app} of ${origin.gateway} in ${origin.region}`;
}

function jsonLine(source: string, record: LogRecord): string {
  const writer = new JsonWriter();
  let line = `{"time":"${now()}","level":"${record.level}",${source},"message":${writer.value(record.message)}`;
  forEachMember(writer, record, (name, json) => {
    line += `,${name}${json}`;
  });
  return `${line}}\n`;
}

const PLAIN = /^"[^\s"\\=]+"$/;

function textLine(source: string, record: LogRecord): string {
  const writer = new JsonWriter();
  // Drops the quotes and keeps the escapes, so that a message cannot add lines or terminal control codes.
  const message = writer.value(record.message)?.slice(1, -1);
  let line = `${now().slice(11, 23)} ${record.level.toUpperCase().padEnd(5)} ${source}: ${message}`;
  forEachMember(writer, record, (name, json) => {
    line += ` ${name.slice(1, -2)}=${PLAIN.test(json) ? json.slice(1, -1) : json}`;
  });
  // JSON does not escape all characters that control a terminal.
  return `${printable(line)}\n`;
}

function forEachMember(
  writer: JsonWriter,
  record: LogRecord,
  visit: (key: string, json: string) => void,
): void {
  const { bindings, meta } = record;
  if (bindings !== undefined) {
    for (const name in bindings) {
      if (meta === undefined || meta[name] === undefined) write(name, bindings[name]);
    }
  }
  if (meta !== undefined) {
    for (const name in meta) write(name, meta[name]);
  }

  function write(name: string, value: unknown): void {
    const key = writer.key(RESERVED.has(name) ? `${name}_` : name);
    const json = writer.member(key, value);
    if (json !== undefined) visit(key.json, json);
  }
}

let lastMs = 0;
let lastText = '';

/** Caches the formatted time, because many lines share a millisecond. */
function now(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
