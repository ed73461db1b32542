import { isIP } from 'node:net';
import { conflict, invalidInput } from '@gateway/core';
import { fromServiceProtocol, isReservedClientName } from '@gateway/libraries';
import type { ShareRecord } from '@gateway/openstack';
import type { AccessRuleBody } from './schemas.ts';

/** What the service accepts: printable ASCII without a period. */
const CLIENT_NAME = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * Checks a rule against the share's protocol.
 *
 * @throws 400 naming the field; 409 if the rule would let another client write into a layer of an instance
 */
export function checkAccessRule(
  share: ShareRecord,
  { access_to, access_level, access_type }: AccessRuleBody,
): void {
  const protocol = fromServiceProtocol(share.share_proto) ?? share.share_proto;
  if (access_type !== typeFor(protocol)) {
    throw invalid('access_type', `is not supported by a file storage with the protocol ${protocol}`);
  }
  if (access_type === 'ip' && !isNetwork(access_to)) {
    throw invalid('access_to', 'must be an address or a network in CIDR notation');
  }
  if (access_type === 'nativeauth') {
    if (!CLIENT_NAME.test(access_to) || access_to.includes('.')) {
      throw invalid('access_to', 'must be printable ASCII without periods and without blanks at either end');
    }
    if (isReservedClientName(access_to)) throw invalid('access_to', 'is reserved for the gateway');
  }
  if (access_level === 'rw' && share.metadata?.overlay_type === 'dynamic') {
    throw conflict(
      'protected',
      'The file storage is a layer of an instance, which no other client may change.',
    );
  }
}

function typeFor(protocol: string): string | null {
  if (protocol === 'NATIVEFS') return 'nativeauth';
  return protocol === 'NFS' ? 'ip' : null;
}

/** An IPv4 or IPv6 address, with or without the length of a prefix. */
function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128));
}

function invalid(field: keyof AccessRuleBody, message: string) {
  return invalidInput(`The access rule is not valid: ${field} ${message}.`, {
    errors: [{ field: `body.${field}`, message }],
  });
}
