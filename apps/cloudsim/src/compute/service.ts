import { faultFormat, webobFormat } from '../http/error-formats.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import type { Service } from '../http/service.ts';
import { accountingOperations } from './accounting.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { flavorOperations } from './flavor-routes.ts';
import { hostOperations } from './hosts.ts';
import { interfaceOperations } from './interfaces.ts';
import { keyPairOperations } from './key-pairs.ts';
import { migrationOperations } from './migration-records.ts';
import { serverGroupOperations } from './server-groups.ts';
import { metadataOperations } from './server-metadata.ts';
import { serverOperations } from './server-routes.ts';
import { usageOperations } from './usage.ts';
import { volumeAttachmentOperations } from './volume-attachments.ts';

export function computeVersion(base: string): object {
  return {
    id: 'v2.1',
    status: 'CURRENT',
    version: '2.93',
    min_version: '2.1',
    updated: '2013-07-23T11:33:21Z',
    links: [{ rel: 'self', href: `${base}/` }],
  };
}

function getVersion(call: ComputeCall): Reply {
  return ok({ version: computeVersion(call.base) });
}

export const computeService: Service<ComputeCloud> = {
  name: 'compute',
  prefix: '/compute/v2.1',
  errors: faultFormat,
  unrouted: webobFormat,
  malformed: 'Malformed request body',
  microversions: { name: 'compute', header: 'x-openstack-nova-api-version', major: 2, min: 1, max: 93 },
  requestIdHeaders: ['X-Openstack-Request-Id', 'X-Compute-Request-Id'],
  headers: (minor) => ({
    'OpenStack-API-Version': `compute 2.${minor}`,
    'X-OpenStack-Nova-API-Version': `2.${minor}`,
    Vary: 'OpenStack-API-Version, X-OpenStack-Nova-API-Version',
  }),
  operations: [
    operation('versions.get', 'GET /', getVersion, { isPublic: true }),
    ...serverOperations,
    ...metadataOperations,
    ...volumeAttachmentOperations,
    ...interfaceOperations,
    ...serverGroupOperations,
    ...flavorOperations,
    ...keyPairOperations,
    ...accountingOperations,
    ...usageOperations,
    ...hostOperations,
    ...migrationOperations,
  ],
};
