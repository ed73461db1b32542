/** The protocol of a share, in the interface's vendor-neutral names. */
export type ShareProtocol = 'NATIVEFS' | 'NFS';

/** The name of the protocol in the shared file system service. */
export function toServiceProtocol(protocol: ShareProtocol): string {
  return protocol === 'NATIVEFS' ? 'CEPHFS' : 'NFS';
}

/** Null for a protocol that layers do not support. */
export function fromServiceProtocol(protocol: string): ShareProtocol | null {
  if (protocol.toUpperCase() === 'CEPHFS') return 'NATIVEFS';
  return protocol.toUpperCase() === 'NFS' ? 'NFS' : null;
}
