import { conflict } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';
import { z } from 'zod';
import { mapOf } from './records/fields.ts';
import { RecordReader } from './records/record.ts';
import { serviceTitles } from './service-titles.ts';

/** The values in the response to a write, of any type. */
export const answeredValues = new RecordReader('answered_values', mapOf(z.unknown()));

/**
 * Compares the values of a write with those of its response, as far as that has them. A service that takes a
 * write and keeps other values has them elsewhere, such as limits in the identity service.
 *
 * @param asked under the names that the service has for them
 * @throws 409 that names the service and the values
 */
export function requireTaken(
  service: ServiceName,
  asked: Readonly<Record<string, number | string>>,
  answered: Readonly<Record<string, unknown>>,
): void {
  const kept = Object.entries(asked).flatMap(([name, value]) => {
    const actual = answered[name];
    return actual === undefined || String(actual) === String(value) ? [] : [`${name} stays ${actual}`];
  });
  if (kept.length === 0) return;
  throw conflict(
    'refused_by_service',
    `The ${serviceTitles[service]} service has accepted the change, but not made it: ${kept.join(', ')}.`,
    { upstream: { service, status: 200, request_id: null } },
  );
}
