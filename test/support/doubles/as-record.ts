import assert from 'node:assert/strict';

/** What the client of a service makes of what the service sends. */
export function asRecord<T>(record: { read(sent: unknown): T | null }, sent: unknown): T {
  const read = record.read(sent);
  assert.ok(read !== null, 'it cannot be read as this record');
  return read;
}
