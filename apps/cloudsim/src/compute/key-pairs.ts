import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { envelope, type JsonObject, pythonRepr, stringAt } from '../common/json.ts';
import { badRequest, conflict, forbidden, notFound } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import {
  accepted,
  created,
  noContent,
  type Operation,
  ok,
  operation,
  type Reply,
} from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { computeLimits } from './quotas.ts';
import { malformed } from './requests.ts';
import type { KeyPair } from './state.ts';

/** The owner of the key pairs: the caller, or for administrators the user in `user_id`. */
function ownerOf(call: ComputeCall, rule: string): string {
  const requested = call.query.get('user_id');
  if (requested === null || requested === call.caller.userId) return call.caller.userId;
  requireAdmin(call, `os_compute_api:os-keypairs:${rule}`);
  return requested;
}

function pairsOf(call: ComputeCall, userId: string): Map<string, KeyPair> {
  const { keyPairs } = call.cloud.compute;
  const pairs = keyPairs.get(userId) ?? new Map<string, KeyPair>();
  keyPairs.set(userId, pairs);
  return pairs;
}

function target(call: ComputeCall, rule: string): KeyPair {
  const userId = ownerOf(call, rule);
  const name = call.params.name ?? '';
  const pair = call.cloud.compute.keyPairs.get(userId)?.get(name);
  if (pair === undefined) throw notFound(`Keypair ${name} not found for user ${userId}`);
  return pair;
}

function present(pair: KeyPair, minor: number): object {
  const { name, publicKey, fingerprint, type } = pair;
  return { name, public_key: publicKey, fingerprint, ...(minor >= 2 ? { type } : {}) };
}

function list(call: ComputeCall): Reply {
  const pairs = call.cloud.compute.keyPairs.get(ownerOf(call, 'index'))?.values() ?? [];
  return ok({ keypairs: [...pairs].map((pair) => ({ keypair: present(pair, call.minor) })) });
}

function get(call: ComputeCall): Reply {
  const pair = target(call, 'show');
  return ok({
    keypair: {
      ...present(pair, call.minor),
      user_id: pair.userId,
      created_at: microseconds(pair.createdMs),
      deleted: false,
      deleted_at: null,
      id: pair.number,
      updated_at: null,
    },
  });
}

/**
 * Up to 2.91, a request without a public key generates a key pair. Only this response
 * contains its private key.
 */
function create(call: ComputeCall): Reply {
  const input = envelope(call.body, 'keypair', malformed);
  const name = stringAt(input, 'name');
  const givenKey = stringAt(input, 'public_key');
  if (name === undefined) throw missing(input, 'name');
  if (givenKey === undefined && call.minor >= 92) throw missing(input, 'public_key');
  requireSafe(name, call.minor);
  const userId = call.caller.userId;
  const pairs = pairsOf(call, userId);
  const limit = computeLimits(call.cloud.compute, call.caller.projectId).key_pairs ?? -1;
  if (limit >= 0 && pairs.size >= limit) throw forbidden('Quota exceeded, too many key pairs.');
  const generated = givenKey === undefined ? generate() : undefined;
  const publicKey = givenKey ?? generated?.publicKey ?? '';
  const fingerprint = fingerprintOf(publicKey);
  if (pairs.has(name)) throw conflict(`Key pair '${name}' already exists.`);
  const pair: KeyPair = {
    name,
    userId,
    type: stringAt(input, 'type') ?? 'ssh',
    publicKey,
    fingerprint,
    createdMs: call.cloud.clock.now(),
    number: ++call.cloud.compute.lastNumber,
  };
  pairs.set(name, pair);
  const body = {
    keypair: {
      ...present(pair, call.minor),
      user_id: userId,
      ...(generated === undefined ? {} : { private_key: generated.privateKey }),
    },
  };
  return call.minor >= 2 ? created(body) : ok(body);
}

const LETTERS_AND_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function requireSafe(name: string, minor: number): void {
  const expected = `${minor >= 92 ? '@.' : ''}_- ${LETTERS_AND_DIGITS}`;
  const isSafe = [...name].every((character) => expected.includes(character));
  if (isSafe && name.trim() === name) return;
  const must = isSafe
    ? 'printable characters. Can not start or end with whitespace.'
    : `Only expected characters: [${expected}]`;
  throw badRequest(`An invalid 'name' value was provided. The name must be: ${must}`);
}

function missing(input: JsonObject, key: string): Error {
  return badRequest(
    `Invalid input for field/attribute keypair. Value: ${pythonRepr(input)}. '${key}' is a required property`,
  );
}

function generate(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    publicKey: `${sshPublicKey(publicKey)} Generated-by-Nova`,
    privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}

/** An RSA key in the `authorized_keys` format: type, exponent and modulus, each preceded by its length. */
function sshPublicKey(key: KeyObject): string {
  const { e = '', n = '' } = key.export({ format: 'jwk' });
  const parts = [
    Buffer.from('ssh-rsa'),
    positive(Buffer.from(e, 'base64url')),
    positive(Buffer.from(n, 'base64url')),
  ];
  const blob = parts.flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  return `ssh-rsa ${Buffer.concat(blob).toString('base64')}`;
}

/** Prepends a zero byte when the first bit is set, because the number would be negative otherwise. */
function positive(number: Buffer): Buffer {
  return (number[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), number]) : number;
}

export function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(/\s+/)[1] ?? '', 'base64');
  if (!/^(ssh|ecdsa)-/.test(publicKey) || blob.length < 20)
    throw badRequest('Keypair data is invalid: failed to generate fingerprint');
  return createHash('md5')
    .update(blob)
    .digest('hex')
    .replace(/(..)(?=.)/g, '$1:');
}

function remove(call: ComputeCall): Reply {
  const pair = target(call, 'delete');
  pairsOf(call, pair.userId).delete(pair.name);
  return call.minor >= 2 ? noContent() : accepted();
}

export const keyPairOperations: Operation<ComputeCloud>[] = [
  operation('keypairs.list', 'GET /os-keypairs', list),
  operation('keypairs.create', 'POST /os-keypairs', create, { isOwn: true }),
  operation('keypairs.get', 'GET /os-keypairs/:name', get),
  operation('keypairs.delete', 'DELETE /os-keypairs/:name', remove, { isOwn: true }),
];
