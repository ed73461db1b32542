import { printable } from '@gateway/core';
import { MESSAGE } from 'triple-beam';
import winston from 'winston';
import { JsonWriter } from './json-writer.ts';
import type { LogRecord } from './log-record.ts';

const RESERVED = new Set(['time', 'level', 'app', 'message']);

/** The only winston format: turns each record into its log line. */
export function lineFormat(app: string, layout: 'json' | 'text'): winston.Logform.Format {
  const write = layout === 'json' ? jsonLine : textLine;
  return winston.format((info) => {
    const record = info as unknown as LogRecord;
    record[MESSAGE] = write(app, record);
    return info;
  })();
}

function jsonLine(app: string, record: LogRecord): string {
  const writer = new JsonWriter();
  let line = `{"time":"${now()}","level":"${record.level}","app":"${app}","message":${writer.value(record.message)}`;
  forEachMember(writer, record, (name, json) => {
    line += `,${name}${json}`;
  });
  return `${line}}\n`;
}

const PLAIN = /^"[^\s"\\=]+"$/;

function textLine(app: string, record: LogRecord): string {
  const writer = new JsonWriter();
  // Drops the quotes and keeps the escapes, so that a message cannot add lines or terminal control codes.
  const message = writer.value(record.message)?.slice(1, -1);
  let line = `${now().slice(11, 23)} ${record.level.toUpperCase().padEnd(5)} ${app}: ${message}`;
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
