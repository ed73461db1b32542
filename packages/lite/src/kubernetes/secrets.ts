import { isDeepStrictEqual } from 'node:util';
import { object, text } from './object-values.ts';
import type { SecretObject } from './objects.ts';

/** The values of a secret, by key. */
export type SecretValues = Readonly<Record<string, string>>;

export interface SecretFacts {
  values: SecretValues;
  /** Changes with each write. */
  version: string;
}

/** The object may be hostile, so every type is checked. */
export function secretFactsOf({ data, metadata }: SecretObject): SecretFacts {
  const entries = Object.entries(object(data) ?? {}).filter(([, value]) => typeof value === 'string');
  return {
    values: Object.fromEntries(
      entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
    ),
    version: text(metadata?.resourceVersion),
  };
}

/** The patch that gives a secret new values, if nobody has changed it; null if it has these values. */
export function secretPatch({ values, version }: SecretFacts, changed: SecretValues): object | null {
  if (isDeepStrictEqual(values, changed)) return null;
  const data = Object.fromEntries(
    Object.entries(changed)
      .filter(([key, value]) => values[key] !== value)
      .map(([key, value]) => [key, Buffer.from(value, 'utf8').toString('base64')]),
  );
  return { metadata: { resourceVersion: version }, data };
}
