import type { Secrets } from './config.ts';
import { type Environment, variable } from './env.ts';

const KEY_BYTES = 32;
/** A dot would end the id inside a sealed text. */
const KEY_ID = /^[\w-]{1,32}$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * The secrets, from the environment only. What is wrong is added to `sentences`, which count the keys rather
 * than quote them: in a mistyped one there is no telling which part is secret.
 */
export function readSecrets(environment: Environment, hasServiceUser: boolean, sentences: string[]): Secrets {
  const servicePassword = variable(environment, 'GATEWAY_SERVICE_PASSWORD') ?? null;
  if (hasServiceUser && servicePassword === null) {
    sentences.push('GATEWAY_SERVICE_PASSWORD must be set, as there is a "service_user"');
  }
  const sentinelPassword = variable(environment, 'REDIS_SENTINEL_PASSWORD') ?? null;
  return { sealingKeys: readSealingKeys(environment, sentences), servicePassword, sentinelPassword };
}

function readSealingKeys(environment: Environment, sentences: string[]): Secrets['sealingKeys'] {
  const text = variable(environment, 'GATEWAY_SEALING_KEYS');
  if (text === undefined) {
    sentences.push('GATEWAY_SEALING_KEYS must be set, as id:key with a key of 32 bytes in base64');
    return [];
  }
  const keys: Secrets['sealingKeys'] = [];
  for (const [at, entry] of text.split(',').entries()) {
    const [id = '', encoded = '', ...rest] = entry.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    const complain = (what: string) => sentences.push(`GATEWAY_SEALING_KEYS: entry ${at + 1} ${what}`);
    if (!KEY_ID.test(id) || !BASE64.test(encoded) || rest.length > 0) {
      complain('must be id:key, the id of letters, digits, _ and -, the key in base64');
    } else if (key.length !== KEY_BYTES) {
      complain(`must have a key of ${KEY_BYTES} bytes, not ${key.length}`);
    } else if (keys.some((other) => other.id === id)) {
      complain('has the id of an earlier one');
    } else {
      keys.push({ id, key });
    }
  }
  return keys;
}
