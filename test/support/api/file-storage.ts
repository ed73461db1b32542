import type { AccessRuleRecord, ShareRecord } from '@gateway/openstack';
import { fixtureBody } from '../doubles/upstream.ts';
import type { FakeCloud } from './fake-cloud.ts';

export const share = fixtureBody<ShareRecord>('shared-file-system/share', 'share');
export const [rule] = fixtureBody<[AccessRuleRecord]>('shared-file-system/access-rules', 'access_list');

/** The share in the gateway, and in the service. */
export const SHARE_PATH = `/api/file-storage/${share.id}`;
export const SHARE_CALL = `/v2/shares/${share.id}`;

/** The metadata of a share that holds a library. */
export const prebuilt = {
  overlay_type: 'prebuilt',
  overlay_library: 'numpy-stack',
  overlay_version: '2.2',
};

/** Declares a call for the share. */
export function answersShare(
  cloud: FakeCloud,
  differences: { [Field in keyof ShareRecord]?: unknown } = {},
): void {
  cloud.reply('shared-file-system/share', { body: { share: { ...share, ...differences } } });
}

/** A response with which the service refuses what its policy or the state of the share forbids. */
export function forbidden(message: string) {
  return { status: 403, body: { forbidden: { code: 403, message } } };
}
