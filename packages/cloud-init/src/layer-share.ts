import { upstreamFailed } from '@gateway/core';
import type { GuestFile } from './guest-file.ts';
import { mountUnit } from './mount-unit.ts';
import { planDir, secretFile } from './plan-file.ts';

/** A share, as the shared file system service tells of it. */
export interface LayerShare {
  protocol: 'NATIVEFS' | 'NFS';
  exportLocation: string;
  /** The identity to mount as; null for NFS, which knows only addresses. */
  accessTo: string | null;
  accessKey: string | null;
}

export interface ShareMount {
  where: string;
  description: string;
  readOnly: boolean;
  /** Names the file with the share's key. */
  secretName: string;
}

/** Mount options have no quoting: what these do not match could add options, or lines, of its own. */
const exportPattern = /^[\w.~:/,@%+=[\]-]+$/;
const identityPattern = /^[\w.@-]+$/;

export function mountType({ protocol }: LayerShare): 'nfs' | 'ceph' {
  return protocol === 'NFS' ? 'nfs' : 'ceph';
}

/** @throws 502 when what the shared file system service reported can not be mounted */
export function shareUnit(share: LayerShare, mount: ShareMount): GuestFile {
  if (!exportPattern.test(share.exportLocation)) {
    throw upstreamFailed('The shared file system service named an export location that can not be mounted.');
  }
  return mountUnit({
    where: mount.where,
    description: mount.description,
    what: share.exportLocation,
    type: mountType(share),
    network: true,
    options: [mount.readOnly ? 'ro' : 'rw', ...shareOptions(share, mount.secretName)],
  });
}

/** The share's key, for root alone; nothing for a share without one. */
export function shareSecret({ accessKey }: LayerShare, secretName: string): GuestFile[] {
  return accessKey === null ? [] : [secretFile(secretName, accessKey)];
}

function shareOptions(share: LayerShare, secretName: string): string[] {
  const always = ['_netdev', 'nodev', 'nosuid'];
  // retry=0: one try per call, since the script tries again by itself.
  if (share.protocol === 'NFS') return ['hard', 'retry=0', ...always];
  if (share.accessTo === null || share.accessKey === null || !identityPattern.test(share.accessTo)) {
    throw upstreamFailed(
      'The shared file system service gave no identity that its share can be mounted with.',
    );
  }
  return [`name=${share.accessTo}`, `secretfile=${planDir}/${secretName}`, ...always];
}
