/** How a share is spoken to, by the interface's neutral names. */
export type ShareProtocol = 'NATIVEFS' | 'NFS';

/** The shared file system service's own name of a protocol. */
export function toServiceProtocol(protocol: ShareProtocol): string {
  return protocol === 'NATIVEFS' ? 'CEPHFS' : 'NFS';
}

/** Null for a protocol that no layer can be made of. */
export function fromServiceProtocol(protocol: string): ShareProtocol | null {
  if (protocol.toUpperCase() === 'CEPHFS') return 'NATIVEFS';
  return protocol.toUpperCase() === 'NFS' ? 'NFS' : null;
}
