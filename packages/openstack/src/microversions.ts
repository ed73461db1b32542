import type { ServiceName } from '@gateway/platform';

/** The version of the requests to a service. */
interface Microversion {
  header: string;
  /** Of the version in the header. */
  prefix: string;
  version: string;
  /** An older version that some requests have. */
  oldest?: string;
  /** What needs the version, for operators. */
  reason: string;
}

/** Pinned per service to the lowest version with every field that is used, so that older clouds work too. */
export const MICROVERSIONS: Partial<Record<ServiceName, Microversion>> = {
  compute: {
    header: 'openstack-api-version',
    prefix: 'compute ',
    version: '2.79',
    reason:
      '`delete_on_termination` of attachments; `extra_specs` of flavors (2.61), the flavor in a server (2.47), named consoles (2.6)',
  },
  blockStorage: {
    header: 'openstack-api-version',
    prefix: 'volume ',
    version: '3.59',
    reason: 'transfers (3.55), volumes from backups (3.47), `metadata` of backups (3.43)',
  },
  sharedFileSystem: {
    header: 'x-openstack-manila-api-version',
    prefix: '',
    version: '2.46',
    oldest: '2.8',
    reason:
      '`is_default` of share types; access rules of their own (2.45), `count` of a list (2.42), `access_key` (2.21); export locations in a list (2.8)',
  },
  placement: {
    header: 'openstack-api-version',
    prefix: 'placement ',
    version: '1.29',
    reason: 'whole trees in the summaries of candidates',
  },
  container: {
    header: 'openstack-api-version',
    prefix: 'container ',
    version: '1.12',
    reason: '`stop` before a deletion',
  },
};
