import type { ServiceName } from '@gateway/platform';
import type { ServiceStatus } from '@gateway/resources';
import Joi from 'joi';
import { listOf, nullableText, part, shape, text, timestamp } from '../../http/schemas/fields.ts';

const processes = () =>
  listOf(
    part<ServiceStatus['compute'][number]>({
      id: nullableText().description('Null where the service has none.'),
      binary: text(),
      host: text(),
      status: Joi.string().description('`enabled` or `disabled`.'),
      state: Joi.string().description('`up` or `down`.'),
      zone: nullableText(),
      updated_at: timestamp().allow(null),
      disabled_reason: nullableText(),
    }),
  );

const agent = part<ServiceStatus['network'][number]>({
  id: Joi.string(),
  binary: text(),
  host: text(),
  agent_type: text(),
  availability_zone: nullableText(),
  alive: Joi.boolean(),
  admin_state_up: Joi.boolean(),
  updated_at: timestamp().allow(null),
});

const catalogEntry = part<ServiceStatus['endpoints'][number]>({
  service_id: Joi.string(),
  name: text(),
  service: Joi.string().description('Its type.'),
  region: text(),
  endpoints: part({ public: nullableText(), internal: nullableText(), admin: nullableText() }),
});

const capacity = () => Joi.number().allow(null).description('GB; -1 without a limit, null if unknown.');

const storagePool = part<ServiceStatus['storage_pools'][number]>({
  name: text(),
  volume_backend_name: text(),
  driver_version: text(),
  storage_protocol: text(),
  vendor_name: text(),
  total_capacity_gb: capacity(),
  free_capacity_gb: capacity(),
  allocated_capacity_gb: capacity(),
});

export const serviceStatusShape = shape<ServiceStatus>(
  'ServiceStatus',
  {
    compute: processes(),
    block_storage: processes(),
    network: listOf(agent),
    shared_file_system: processes(),
    orchestration: processes(),
    container: processes(),
    container_infra: processes(),
    endpoints: listOf(catalogEntry),
    storage_pools: listOf(storagePool),
    unavailable: listOf(Joi.string<ServiceName>()).description(
      'The services that are unavailable at the moment, whose lists are empty.',
    ),
  },
  () => ({
    compute: [{ status: 'enabled' }],
    block_storage: [{ binary: 'cinder-volume', status: 'enabled' }],
    network: [{ binary: 'neutron-dhcp-agent', agent_type: 'DHCP agent', host: 'network-1' }],
    shared_file_system: [{ binary: 'manila-share', status: 'enabled' }],
    orchestration: [],
    container: [],
    container_infra: [],
    endpoints: [{ name: 'nova' }],
    storage_pools: [{ name: 'ceph', vendor_name: 'Open Source' }],
  }),
);
