import type { FileStorageDefaults } from '@gateway/platform';
import { type ShareProtocol, toServiceProtocol } from './share-protocol.ts';

/** The default fields of a new share, with the field names of the service. */
interface ShareDefaults {
  share_proto: string;
  share_type?: string;
  share_network_id?: string;
}

/** The configured type and network of shares with this protocol. */
export function shareDefaults(
  { shareType, shareNetworkId }: FileStorageDefaults,
  protocol: ShareProtocol,
): ShareDefaults {
  const type = shareType[protocol === 'NFS' ? 'nfs' : 'nativefs'];
  return {
    share_proto: toServiceProtocol(protocol),
    ...(type !== null && { share_type: type }),
    ...(shareNetworkId !== null && { share_network_id: shareNetworkId }),
  };
}
