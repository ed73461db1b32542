import type { ServiceName } from '@gateway/platform';
import type { CloudOverview, CloudTopology, MonitoringSummary, ProjectUsage } from '@gateway/resources';
import Joi from 'joi';
import { listOf, nullableText, part, shape, text } from '../../http/schemas/fields.ts';
import { floatingIpShape } from '../../http/schemas/floating-ip.ts';
import { networkFields, subnetShape } from '../../http/schemas/network.ts';
import { routerShape } from '../../http/schemas/router.ts';
import { topologyInstanceFields } from '../../http/schemas/topology.ts';

const count = () => Joi.number().integer();
const optionalCount = () => count().allow(null);

const instanceStats = part<NonNullable<CloudOverview['instance_stats']>>({
  total: count(),
  active: count(),
  shutoff: count(),
  error: count(),
  other: count(),
});

const unavailable = listOf(Joi.string<ServiceName>()).description(
  'The services that are unavailable at the moment, whose figures are null.',
);

const usedOf = (amount: () => Joi.NumberSchema) =>
  part<CloudOverview['ram_gb']>({ total: amount(), used: amount() });

export const cloudOverviewShape = shape<CloudOverview>('CloudOverview', {
  hypervisor_count: optionalCount(),
  running_vms: optionalCount(),
  gpu_instances: optionalCount(),
  containers_count: optionalCount(),
  file_storage_count: optionalCount(),
  instance_stats: instanceStats.allow(null),
  vcpus: part<CloudOverview['vcpus']>({
    total: count(),
    allowed: optionalCount().description('With the allocation ratios, and without what is reserved.'),
    used: count(),
  }).allow(null),
  ram_gb: usedOf(() => Joi.number()).allow(null),
  disk_gb: usedOf(count).allow(null).description('Of the hosts. A storage that hosts share counts once.'),
  unavailable,
});

const quotaPart = () =>
  part<ProjectUsage['cpu']>({ used: optionalCount(), quota: optionalCount().description('-1: unlimited.') });

export const projectUsageShape = shape<ProjectUsage>('ProjectUsage', {
  project_id: text(),
  project_name: text(),
  cpu: quotaPart(),
  ram_mb: quotaPart(),
  instances: quotaPart(),
  disk_gb: quotaPart().description('Of volumes, and of snapshots if block storage counts them.'),
  gpu_instances: optionalCount(),
});

export const monitoringSummaryShape = shape<MonitoringSummary>('MonitoringSummary', {
  compute: part<MonitoringSummary['compute']>({
    hypervisors_total: count(),
    hypervisors_up: count(),
    vcpus_total: count(),
    vcpus_used: count(),
    memory_total_mb: count(),
    memory_used_mb: count(),
    running_vms: count(),
    instance_stats: instanceStats,
    gpu_instances: count(),
  }).allow(null),
  storage: part({
    volume_count: optionalCount(),
    volume_by_status: Joi.object().pattern(Joi.string(), count()).allow(null),
    total_gb: optionalCount(),
    file_storage_count: optionalCount(),
  }),
  network: part<MonitoringSummary['network']>({
    network_count: count(),
    router_count: count(),
    router_active: count(),
    floating_ip_count: count(),
    floating_ip_active: count(),
    port_count: count(),
  }).allow(null),
  containers: part({ container_count: optionalCount(), lite_count: optionalCount() }),
  unavailable,
});

export const cloudTopologyShape = shape<CloudTopology>(
  'CloudTopology',
  {
    networks: listOf(part({ ...networkFields, subnet_details: listOf(subnetShape) })),
    routers: listOf(routerShape),
    instances: listOf(part({ ...topologyInstanceFields, project_id: text(), project_name: nullableText() })),
    floating_ips: listOf(floatingIpShape),
  },
  () => ({ networks: [{ status: 'ACTIVE', name: 'inside' }], instances: [{ status: 'ACTIVE' }] }),
);
