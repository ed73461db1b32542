import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { newUuid } from '../common/ids.ts';
import { type JsonObject, objectAt, stringAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { exactMicroseconds } from '../common/timestamps.ts';
import type { SharedFileSystemCloud } from './cloud.ts';
import { validMetadata } from './metadata.ts';
import type { AccessRule, Share } from './state.ts';

const RULE_MS = 300;
const TYPE_FOR: Record<string, string> = { NFS: 'ip', CIFS: 'user', CEPHFS: 'cephx' };

export function rulesOf(cloud: SharedFileSystemCloud, shareId: string): AccessRule[] {
  const rules: AccessRule[] = [];
  for (const rule of cloud.sharedFileSystem.rules.values()) if (rule.shareId === shareId) rules.push(rule);
  return rules;
}

export function allowAccess(cloud: SharedFileSystemCloud, share: Share, input: JsonObject): AccessRule {
  const type = stringAt(input, 'access_type') ?? '';
  const to = stringAt(input, 'access_to') ?? '';
  const level = stringAt(input, 'access_level') ?? 'rw';
  checkAccessFields(type, to, level);
  const metadata = validMetadata(objectAt(input, 'metadata'));
  if (share.status !== 'available')
    throw badRequest(
      'New access rules cannot be applied while the share or any of its replicas or migration copies lacks a valid host or is in an invalid state.',
    );
  if (rulesOf(cloud, share.id).some((rule) => rule.type === type && isSame(type, rule.to, to)))
    throw badRequest(`Share access ${type}:${to} exists.`);
  const rule: AccessRule = {
    id: newUuid(),
    shareId: share.id,
    type,
    to,
    level,
    state: 'queued_to_apply',
    key: null,
    metadata,
    createdMs: cloud.clock.now(),
    updatedMs: null,
  };
  cloud.sharedFileSystem.rules.set(rule.id, rule);
  cloud.schedule.after(RULE_MS, applyRule, share, rule);
  return rule;
}

/** An address with the prefix length of a single address equals the address without it. */
function isSame(type: string, one: string, other: string): boolean {
  const bare = (to: string) => (type === 'ip' ? to.replace(to.includes(':') ? /\/128$/ : /\/32$/, '') : to);
  return bare(one) === bare(other);
}

function checkAccessFields(type: string, to: string, level: string): void {
  if (type === 'ip') {
    const [address = '', width] = to.split('/');
    const bits = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0 || (width !== undefined && !(Number(width) >= 0 && Number(width) <= bits)))
      throw badRequest(`'${to}' does not appear to be an IPv4 or IPv6 network`);
    if (isIP(address) === 4 && hostBits(address, Number(width ?? bits)) !== 0)
      throw badRequest(`${to} has host bits set`);
  } else if (type === 'cephx') {
    if (!/^[ -~]+$/.test(to) || to.includes('.'))
      throw badRequest(
        'Invalid or empty cephx ID: Ceph IDs may only contain characters other than the period.',
      );
  } else if (type !== 'user' && type !== 'cert') {
    throw badRequest("Only 'ip', 'user', 'cert' or 'cephx' access types are supported.");
  }
  if (level !== 'rw' && level !== 'ro')
    throw badRequest(`Invalid access rule: Invalid share access level: ${level}.`);
}

/** The part of an IPv4 address behind a prefix of this length. */
function hostBits(address: string, width: number): number {
  const value = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  return value % 2 ** (32 - width);
}

/** A rule fails when its type does not fit the protocol, and for the reserved Ceph identity `admin`. */
export function applyRule(cloud: SharedFileSystemCloud, share: Share, rule: AccessRule): void {
  if (rule.state !== 'queued_to_apply') return;
  const good = TYPE_FOR[share.protocol] === rule.type && !(rule.type === 'cephx' && rule.to === 'admin');
  rule.state = good ? 'active' : 'error';
  if (!good || rule.type !== 'cephx') return;
  rule.key = newCephKey(cloud.clock.now());
  rule.updatedMs = cloud.clock.now();
}

/** A key in the Ceph format: type, creation time, length, secret. */
function newCephKey(nowMs: number): string {
  const SECRET_BYTES = 16;
  const head = Buffer.alloc(12);
  head.writeUInt16LE(1, 0);
  head.writeUInt32LE(Math.floor(nowMs / 1000), 2);
  head.writeUInt32LE((nowMs % 1000) * 1_000_000, 6);
  head.writeUInt16LE(SECRET_BYTES, 10);
  return Buffer.concat([head, randomBytes(SECRET_BYTES)]).toString('base64');
}

export function denyAccess(cloud: SharedFileSystemCloud, share: Share, input: JsonObject): void {
  const rule = cloud.sharedFileSystem.rules.get(stringAt(input, 'access_id') ?? '');
  if (rule === undefined || rule.shareId !== share.id) throw notFound('Resource could not be found.');
  rule.state = 'queued_to_deny';
  cloud.schedule.after(RULE_MS, finishRuleRemoval, rule.id);
}

export function finishRuleRemoval(cloud: SharedFileSystemCloud, ruleId: string): void {
  cloud.sharedFileSystem.rules.delete(ruleId);
}

export function presentRule(rule: AccessRule, withShare: boolean): object {
  return {
    id: rule.id,
    ...(withShare ? { share_id: rule.shareId } : {}),
    access_level: rule.level,
    access_to: rule.to,
    access_type: rule.type,
    state: rule.state,
    access_key: rule.key,
    created_at: exactMicroseconds(rule.createdMs),
    updated_at: rule.updatedMs === null ? null : exactMicroseconds(rule.updatedMs),
    metadata: rule.metadata,
  };
}
