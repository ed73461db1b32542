import { upstreamFailed } from '@gateway/core';
import type { GuestFile } from './guest-file.ts';
import { mountUnit } from './mount-unit.ts';
import { planDir, secretFile } from './plan-file.ts';

/** The fields that a machine needs to mount a share. */
export interface LayerShare {
  protocol: 'NATIVEFS' | 'NFS';
  exportLocation: string;
  /** The client name; null for NFS, which grants access by address. */
  accessTo: string | null;
  accessKey: string | null;
  /** The name of the Ceph file system; absent for the default one. */
  fileSystem?: string | undefined;
}

interface ShareMount {
  where: string;
  description: string;
  readOnly: boolean;
  /** The name of the file that contains the share's key. */
  secretName: string;
}

/** Mount options cannot be quoted: other characters could add options or lines. */
const EXPORT_PATTERN = /^[\w.~:/,@%+=[\]-]+$/;
const IDENTITY_PATTERN = /^[\w.@-]+$/;

export function mountType({ protocol }: LayerShare): 'nfs' | 'ceph' {
  return protocol === 'NFS' ? 'nfs' : 'ceph';
}

/**
 * @throws 502 if the machine cannot mount the share
 */
export function shareUnit(share: LayerShare, mount: ShareMount): GuestFile {
  if (!EXPORT_PATTERN.test(share.exportLocation)) {
    throw upstreamFailed(
      'The shared file system service reported an export location that cannot be mounted.',
    );
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

/**
 * The file that starts the negotiation of NFS versions with 4.1; none without NFS. With 4.2, Linux 6.6 and
 * later read with READ_PLUS, and nfs-ganesha before 6.2, also as part of Ceph, answers it with wrong content
 * (nfs-ganesha issue 1188). A mount option would exclude servers that have only version 3. nfs-utils 2.6 use
 * only the last of several sections for mount points, so that the file is for all mounts of the machine.
 * nfs-utils before 2.5 do not read it, but come with kernels before 6.6. A mount option takes precedence.
 */
export function nfsVersionFile(shares: readonly LayerShare[]): GuestFile[] {
  if (shares.every(({ protocol }) => protocol !== 'NFS')) return [];
  return [
    {
      path: '/etc/nfsmount.conf.d/gateway.conf',
      permissions: '0644',
      content: '[ NFSMount_Global_Options ]\nDefaultvers=4.1\n',
    },
  ];
}

/** The file with the share's key, which only root can read. Returns none for a share without a key. */
export function shareSecret({ accessKey }: LayerShare, secretName: string): GuestFile[] {
  return accessKey === null ? [] : [secretFile(secretName, accessKey)];
}

function shareOptions(share: LayerShare, secretName: string): string[] {
  const commonOptions = ['_netdev', 'nodev', 'nosuid'];
  // retry=0: one attempt per call, because the script retries.
  if (share.protocol === 'NFS') return ['hard', 'retry=0', ...commonOptions];
  if (share.accessTo === null || share.accessKey === null || !IDENTITY_PATTERN.test(share.accessTo)) {
    throw upstreamFailed('The shared file system service reported no identity to mount the share with.');
  }
  return [
    `name=${share.accessTo}`,
    `secretfile=${planDir}/${secretName}`,
    ...fileSystemOption(share),
    ...commonOptions,
  ];
}

/** `fs` is a newer name of the same option. */
function fileSystemOption({ fileSystem }: LayerShare): string[] {
  if (fileSystem === undefined) return [];
  if (!IDENTITY_PATTERN.test(fileSystem)) {
    throw upstreamFailed('The shared file system service reported a file system that cannot be mounted.');
  }
  return [`mds_namespace=${fileSystem}`];
}
