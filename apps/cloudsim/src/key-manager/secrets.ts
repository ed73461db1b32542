import { newUuid } from '../common/ids.ts';
import { type JsonObject, numberAt, stringAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import type { KeyManagerCloud } from './cloud.ts';
import type { Secret } from './state.ts';

const TYPES = ['symmetric', 'public', 'private', 'passphrase', 'certificate', 'opaque'];
const BINARY = 'application/octet-stream';
const TEXT = 'text/plain';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Stores a secret whose payload is in the create request. */
export function createSecret(cloud: KeyManagerCloud, caller: Caller, input: JsonObject): Secret {
  const type = stringAt(input, 'secret_type') ?? 'opaque';
  if (!TYPES.includes(type)) throw invalid('secret_type', `'${type}' is not one of [${TYPES.join(', ')}]`);
  const bitLength = numberAt(input, 'bit_length') ?? null;
  if (bitLength !== null && bitLength < 1) throw invalid('bit_length', `${bitLength} is less than 1`);
  const secret: Secret = {
    id: newUuid(),
    projectId: caller.projectId,
    creatorId: caller.userId,
    name: stringAt(input, 'name') ?? null,
    type,
    algorithm: stringAt(input, 'algorithm') ?? null,
    bitLength,
    mode: stringAt(input, 'mode') ?? null,
    contentType: contentTypeOf(input),
    createdMs: cloud.clock.now(),
  };
  cloud.keyManager.secrets.set(secret.id, secret);
  return secret;
}

function contentTypeOf(input: JsonObject): string {
  const payload = stringAt(input, 'payload');
  const contentType = stringAt(input, 'payload_content_type') ?? '';
  if (payload === undefined || payload === '') throw invalid('payload', 'a payload is expected');
  if (contentType !== BINARY && contentType !== TEXT)
    throw invalid('payload_content_type', `payload_content_type is not one of ${TEXT}, ${BINARY}`);
  if (contentType === BINARY && stringAt(input, 'payload_content_encoding') !== 'base64')
    throw invalid('payload_content_encoding', 'payload_content_encoding must be specified');
  if (contentType === BINARY && !BASE64.test(payload)) throw badRequest('Unable to decode request data.');
  return contentType;
}

function invalid(property: string, reason: string): Error {
  return badRequest(
    `Provided object does not match schema 'Secret': ${reason}. Invalid property: '${property}'`,
  );
}

/** The secrets of the caller's project, oldest first. */
export function secretsOf({ keyManager }: KeyManagerCloud, caller: Caller): Secret[] {
  return [...keyManager.secrets.values()].filter(({ projectId }) => projectId === caller.projectId);
}

export function findSecret(cloud: KeyManagerCloud, caller: Caller, id: string): Secret {
  const found = secretsOf(cloud, caller).find((secret) => secret.id === id);
  if (found === undefined) throw notFound('Secret not found.');
  return found;
}

export function presentSecret(secret: Secret, base: string): object {
  const created = new Date(secret.createdMs).toISOString().slice(0, 19);
  return {
    created,
    updated: created,
    status: 'ACTIVE',
    name: secret.name,
    secret_type: secret.type,
    expiration: null,
    algorithm: secret.algorithm,
    bit_length: secret.bitLength,
    mode: secret.mode,
    creator_id: secret.creatorId,
    content_types: { default: secret.contentType },
    secret_ref: refOf(secret, base),
  };
}

/** The URL of a secret. The service uses it as the secret's id. */
export function refOf({ id }: Secret, base: string): string {
  return `${base}/secrets/${id}`;
}
