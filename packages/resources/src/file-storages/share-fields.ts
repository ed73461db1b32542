import { invalidInput } from '@gateway/core';
import type { ShareSource } from '@gateway/jobs';
import { type ShareProtocol, toServiceProtocol } from '@gateway/libraries';
import type { BoundClient, ShareCreate } from '@gateway/openstack';
import type { FileStorageDefaults } from '@gateway/platform';

/** Protocol, type, network and source of a new share, in the fields of the service. */
export type ShareFields = Pick<
  ShareCreate,
  'share_proto' | 'share_type' | 'share_network_id' | 'snapshot_id'
>;

interface WantedShare {
  protocol: ShareProtocol;
  /** Id or name; null or absent for the configured one of the protocol. */
  shareType?: string | null;
  /** Null or absent for the configured one. */
  shareNetworkId?: string | null;
  /** Null or absent for an empty share. */
  source?: ShareSource | null;
}

type ShareTypesReader = Pick<BoundClient, 'sharedFileSystem'>;

/**
 * What is not asked for comes from the source or, without one, from the settings.
 *
 * @throws 400 if the share type has no share servers, and a network is asked for
 */
export async function shareFields(
  client: ShareTypesReader,
  defaults: FileStorageDefaults,
  { protocol, shareNetworkId, shareType, source }: WantedShare,
): Promise<ShareFields> {
  const asked = {
    ...(shareType && { share_type: shareType }),
    ...(shareNetworkId && { share_network_id: shareNetworkId }),
  };
  if (source) return { ...source, ...asked };
  const configured = defaults.shareType[protocol === 'NFS' ? 'nfs' : 'nativefs'];
  const type = shareType ?? configured;
  if (shareNetworkId && !(await mayHaveNetwork(client, type))) {
    throw invalidInput('The shares of this type have no share network.', {
      errors: [{ field: 'body.share_network_id', message: 'must be absent for this share type' }],
    });
  }
  const networkId = shareNetworkId ?? (await defaultShareNetwork(client, defaults, type));
  return {
    share_proto: toServiceProtocol(protocol),
    ...(type !== null && { share_type: type }),
    ...(networkId !== null && { share_network_id: networkId }),
  };
}

/**
 * The configured network; null for a type whose shares have none.
 *
 * @param type id or name; null for the default of the service
 */
export async function defaultShareNetwork(
  client: ShareTypesReader,
  { shareNetworkId }: FileStorageDefaults,
  type: string | null,
): Promise<string | null> {
  if (shareNetworkId === null) return null;
  return (await mayHaveNetwork(client, type)) ? shareNetworkId : null;
}

/** The service accepts a network for a type without share servers, and then fails to create the share. */
async function mayHaveNetwork({ sharedFileSystem }: ShareTypesReader, type: string | null): Promise<boolean> {
  const types = await sharedFileSystem.shareTypes.list();
  const found = types.find(({ id, is_default, name }) =>
    type === null ? is_default : id === type || name === type,
  );
  return !NO.test(found?.required_extra_specs.driver_handles_share_servers ?? '');
}

/** How administrators write it. */
const NO = /^(false|f|no|n|off|0)$/i;
