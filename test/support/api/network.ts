import type {
  FloatingIpRecord,
  NetworkRecord,
  PortRecord,
  RouterRecord,
  SubnetRecord,
} from '@gateway/openstack';
import { fixtureBody, type ReplyOptions } from '../doubles/upstream.ts';
import type { TestCaller } from './factories.ts';
import type { FakeCloud } from './fake-cloud.ts';
import { serviceCalls } from './service-calls.ts';

export const NETWORK_ID = '0a1b2c3d-0000-4000-8000-00000000000b';

/** The calls to the network service. */
export const { answers: networkAnswers, calls: networkCalls } = serviceCalls('network/network', '/v2.0');

/** A network of the caller's project, without subnets. */
export function networkOf(caller: TestCaller, differences: Partial<NetworkRecord> = {}): NetworkRecord {
  return {
    ...fixtureBody<NetworkRecord>('network/network', 'network'),
    id: NETWORK_ID,
    name: 'inside',
    project_id: caller.projectId,
    subnets: [],
    shared: false,
    'router:external': false,
    ...differences,
  };
}

export function subnetOf(caller: TestCaller, differences: Partial<SubnetRecord> = {}): SubnetRecord {
  const [recorded] = fixtureBody<SubnetRecord[]>('network/subnets', 'subnets');
  return {
    ...(recorded as SubnetRecord),
    id: 'subnet-1',
    name: 'inner',
    network_id: NETWORK_ID,
    cidr: '10.0.0.0/24',
    project_id: caller.projectId,
    ...differences,
  };
}

export function portOf(caller: TestCaller, differences: Partial<PortRecord> = {}): PortRecord {
  return {
    ...fixtureBody<PortRecord>('network/port', 'port'),
    id: 'port-1',
    name: '',
    network_id: NETWORK_ID,
    project_id: caller.projectId,
    ...differences,
  };
}

/** A router of the caller's project with a gateway to the network `external`. */
export function routerOf(caller: TestCaller, differences: Partial<RouterRecord> = {}): RouterRecord {
  return {
    ...fixtureBody<RouterRecord>('network/router', 'router'),
    id: 'router-1',
    name: 'way-out',
    project_id: caller.projectId,
    external_gateway_info: { network_id: 'external' },
    ...differences,
  };
}

/** A floating IP of the caller's project without a port. */
export function floatingIpOf(
  caller: TestCaller,
  differences: Partial<FloatingIpRecord> = {},
): FloatingIpRecord {
  return {
    ...fixtureBody<FloatingIpRecord>('network/floating-ip', 'floatingip'),
    id: 'fip-1',
    floating_ip_address: '203.0.113.9',
    fixed_ip_address: null,
    floating_network_id: 'external',
    port_id: null,
    port_details: null,
    port_forwardings: [],
    status: 'DOWN',
    project_id: caller.projectId,
    ...differences,
  };
}

/** Declares a call that the network service refuses. */
export function networkRefuses(
  cloud: FakeCloud,
  call: string,
  status: number,
  [type, message]: [type: string, message: string],
  options: ReplyOptions = {},
): void {
  networkAnswers(cloud, call, { NeutronError: { type, message, detail: '' } }, { status, ...options });
}
