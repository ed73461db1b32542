import { denied, owns } from '../http/policy.ts';
import type { SharedFileSystemCall } from './cloud.ts';
import { NOT_THERE } from './refusals.ts';
import { findShare } from './shares.ts';
import type { Share } from './state.ts';

/** The share in the path of the call, if the caller may read it. */
export function shareOf(call: SharedFileSystemCall, message = NOT_THERE): Share {
  return findShare(call.cloud, call.caller, call.params.id ?? '', message);
}

/**
 * A share that the caller may change. All projects can see a public share, but only its own
 * project may change it.
 */
export function ownShare(call: SharedFileSystemCall, rule: string): Share {
  const share = shareOf(call);
  if (!owns(call.caller, share.projectId)) throw denied(`share:${rule}`);
  return share;
}
