import type { FileStorageDefaults } from '@gateway/config';
import { type ShareProtocol, toServiceProtocol } from '@gateway/libraries';
import type { ShareCreate } from '@gateway/openstack';

/** The configured type and network of shares that the gateway creates. */
export function shareDefaults(
  { shareType, shareNetworkId }: FileStorageDefaults,
  protocol: ShareProtocol,
): Pick<ShareCreate, 'share_proto' | 'share_type' | 'share_network_id'> {
  const type = shareType[protocol === 'NFS' ? 'nfs' : 'nativefs'];
  return {
    share_proto: toServiceProtocol(protocol),
    ...(type !== null && { share_type: type }),
    ...(shareNetworkId !== null && { share_network_id: shareNetworkId }),
  };
}
