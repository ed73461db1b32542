import { type Environment, variable } from './env.ts';

/** Variables with secrets that are no settings of the file. */
export const SECRETS = {
  GATEWAY_SEALING_KEYS:
    'id:key[,id:key...], each key 32 bytes in base64. Required. The first key encrypts stored secrets, all keys ' +
    'decrypt. Generate a key with `openssl rand -base64 32`.',
  GATEWAY_SERVICE_PASSWORD: 'Password of the service user. Required with a service user.',
  REDIS_SENTINEL_PASSWORD: 'Password of the Sentinels, if they have one of their own.',
  AUDIT_STREAM_TOKEN: 'Token for the receiver of the audit stream, sent as Authorization: Bearer.',
  OTEL_EXPORTER_OTLP_HEADERS: 'Headers for the receiver of traces, as name=value,name=value.',
} as const;

export interface Secrets {
  /** From `GATEWAY_SEALING_KEYS` as `id:base64,id:base64`; 32 bytes each. The first seals, all open. */
  sealingKeys: { id: string; key: Buffer }[];
  /** From `GATEWAY_SERVICE_PASSWORD`; required with a service user. */
  servicePassword: string | null;
  /** From `REDIS_SENTINEL_PASSWORD`; null if the Sentinels have no password of their own. */
  sentinelPassword: string | null;
  /** From `AUDIT_STREAM_TOKEN`; null for none. */
  auditStreamToken: string | null;
  /** From `OTEL_EXPORTER_OTLP_HEADERS`: headers for the receiver of traces, as `name=value,name=value`. */
  traceHeaders: string | null;
  /** Log-ins of the mirrors of container registries, which all nodes of lite clusters get. */
  registryCredentials: RegistryCredential[];
}

interface SecretOrigin {
  /** The variable, or the setting with the variables. */
  name: keyof typeof SECRETS | 'lite.k3s.registry_credentials';
  /**
   * The settings without which the value means nothing, as a password its user. Null for a secret that needs
   * a restart. Others are read anew at a SIGHUP, unless such a setting has changed, which needs a restart.
   */
  reloadsWith: readonly string[] | null;
}

export const secretOrigins: Readonly<Record<keyof Secrets, SecretOrigin>> = {
  sealingKeys: { name: 'GATEWAY_SEALING_KEYS', reloadsWith: [] },
  servicePassword: { name: 'GATEWAY_SERVICE_PASSWORD', reloadsWith: ['service_user'] },
  sentinelPassword: { name: 'REDIS_SENTINEL_PASSWORD', reloadsWith: null },
  auditStreamToken: { name: 'AUDIT_STREAM_TOKEN', reloadsWith: null },
  traceHeaders: { name: 'OTEL_EXPORTER_OTLP_HEADERS', reloadsWith: null },
  registryCredentials: {
    name: 'lite.k3s.registry_credentials',
    reloadsWith: ['lite.k3s.registries', 'lite.k3s.registry_credentials'],
  },
};

export interface RegistryCredential {
  /** Host of the mirror, with its port as in the endpoint. */
  host: string;
  username: string;
  /** One line of text. */
  password: string;
}

const KEY_BYTES = 32;
/** Without a dot, which follows the id in a sealed text. */
const KEY_ID = /^[\w-]{1,32}$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads the secrets from the environment, and adds their problems to `problems`. A problem identifies an
 * invalid key by its position and contains no part of it, because the text may be secret.
 */
export function readSecrets(
  environment: Environment,
  hasServiceUser: boolean,
  problems: string[],
): Omit<Secrets, 'registryCredentials'> {
  const servicePassword = variable(environment, 'GATEWAY_SERVICE_PASSWORD') ?? null;
  if (hasServiceUser && servicePassword === null) {
    problems.push('GATEWAY_SERVICE_PASSWORD must be set if "service_user" is set');
  }
  const sentinelPassword = variable(environment, 'REDIS_SENTINEL_PASSWORD') ?? null;
  const auditStreamToken = variable(environment, 'AUDIT_STREAM_TOKEN') ?? null;
  const traceHeaders = variable(environment, 'OTEL_EXPORTER_OTLP_HEADERS') ?? null;
  const sealingKeys = readSealingKeys(environment, problems);
  return { sealingKeys, servicePassword, sentinelPassword, auditStreamToken, traceHeaders };
}

function readSealingKeys(environment: Environment, problems: string[]): Secrets['sealingKeys'] {
  const text = variable(environment, 'GATEWAY_SEALING_KEYS');
  if (text === undefined) {
    problems.push('GATEWAY_SEALING_KEYS must be set, as id:key with a key of 32 bytes in base64');
    return [];
  }
  return parseSealingKeys(text, 'GATEWAY_SEALING_KEYS', problems);
}

/** Parses `id:key[,id:key...]`. Problems begin with `name`. */
export function parseSealingKeys(text: string, name: string, problems: string[]): Secrets['sealingKeys'] {
  const keys: Secrets['sealingKeys'] = [];
  for (const [at, entry] of text.split(',').entries()) {
    const [id = '', encoded = '', ...rest] = entry.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    const addProblem = (what: string) => problems.push(`${name}: entry ${at + 1} ${what}`);
    if (!KEY_ID.test(id) || !BASE64.test(encoded) || rest.length > 0) {
      addProblem('must be id:key, the id of letters, digits, _ and -, the key in base64');
    } else if (key.length !== KEY_BYTES) {
      addProblem(`must have a key of ${KEY_BYTES} bytes, not ${key.length}`);
    } else if (keys.some((other) => other.id === id)) {
      addProblem('has the id of an earlier one');
    } else {
      keys.push({ id, key });
    }
  }
  return keys;
}
