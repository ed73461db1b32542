import {
  flag,
  id,
  idOrEmpty,
  listOf,
  nonEmptyText,
  number,
  part,
  type ShapeType,
  shape,
  text,
  textOf,
  timestamp,
} from '@gateway/core/shapes';
import type { ServiceName } from '@gateway/platform';

const processes = (example?: readonly object[]) =>
  listOf(
    part({
      id: idOrEmpty('service').nullable().describe('Null where the service has none.'),
      binary: text('nova-compute'),
      host: text('compute-1'),
      status: nonEmptyText('enabled').describe('`enabled` or `disabled`.'),
      state: nonEmptyText('up').describe('`up` or `down`.'),
      zone: text('nova').nullable(),
      updated_at: timestamp().nullable(),
      disabled_reason: text().nullable(),
    }),
    example,
  );

const agent = part({
  id: id('network'),
  binary: text('neutron-dhcp-agent'),
  host: text('network-1'),
  agent_type: text('DHCP agent'),
  availability_zone: text('nova').nullable(),
  alive: flag(),
  admin_state_up: flag(),
  updated_at: timestamp().nullable(),
});

const catalogEntry = part({
  service_id: id('service'),
  name: text('nova'),
  service: nonEmptyText('compute').describe('Its type.'),
  region: text('RegionOne'),
  endpoints: part({
    public: text('https://compute.example.org/v2.1').nullable(),
    internal: text().nullable(),
    admin: text().nullable(),
  }),
});

const capacity = (example: number) =>
  number(example).nullable().describe('GB; -1 without a limit, null if unknown.');

const storagePool = part({
  name: text('ceph'),
  volume_backend_name: text('ceph'),
  driver_version: text('3.0.0'),
  storage_protocol: text('ceph'),
  vendor_name: text('Open Source'),
  total_capacity_gb: capacity(2048),
  free_capacity_gb: capacity(1536),
  allocated_capacity_gb: capacity(512),
});

export const serviceStatusShape = shape('ServiceStatus', {
  compute: processes(),
  block_storage: processes([{ binary: 'cinder-volume' }]),
  network: listOf(agent),
  shared_file_system: processes([{ binary: 'manila-share' }]),
  orchestration: processes([]),
  container: processes([]),
  container_infra: processes([]),
  endpoints: listOf(catalogEntry),
  storage_pools: listOf(storagePool),
  unavailable: listOf(textOf<ServiceName>(), []).describe(
    'The services that are unavailable at the moment, whose lists are empty.',
  ),
});

/** A list is empty while its service is unavailable, or if the cloud does not have it. */
export type ServiceStatus = ShapeType<typeof serviceStatusShape>;
