import { printable } from './printable.ts';

export type Row = Record<string, unknown>;

/** The fields that name a record in a cell, the best first. */
const NAMES = ['addr', 'name', 'id', 'server_id', 'ip_address', 'message', 'status'];

/**
 * A field as a person reads it: the items of a list with commas, and of a record its name. The progress of a
 * failed job, which is -1, is not known.
 */
export function cell(row: Row, field: string): string {
  const value = row[field];
  if (value === null || value === undefined || (field === 'progress' && value === -1)) return '';
  if (Array.isArray(value)) return value.map(item).join(', ');
  return item(value);
}

function item(value: unknown): string {
  if (typeof value === 'string') return printable(value);
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const record = value as Row;
  const name = NAMES.find((field) => typeof record[field] === 'string');
  return printable(name === undefined || Array.isArray(value) ? JSON.stringify(value) : String(record[name]));
}
