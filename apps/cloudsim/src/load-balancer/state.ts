/** The common fields of all records of the load balancer service. */
export interface LbRecord {
  id: string;
  name: string;
  projectId: string;
  /** Provisioning status. */
  status: string;
  operatingStatus: string;
  createdMs: number;
  updatedMs: number | null;
}

export interface LoadBalancer extends LbRecord {
  description: string;
  address: string;
  subnetId: string;
  networkId: string;
  portId: string;
}

export interface Listener extends LbRecord {
  loadBalancerId: string;
  protocol: string;
  port: number;
  defaultPoolId: string | null;
  /** The URL of a secret of the key manager. */
  certificateRef: string | null;
}

export interface Pool extends LbRecord {
  loadBalancerId: string;
  protocol: string;
  algorithm: string;
}

export interface Member extends LbRecord {
  poolId: string;
  address: string;
  port: number;
  weight: number;
  subnetId: string | null;
}

export interface HealthMonitor extends LbRecord {
  poolId: string;
  type: string;
  delay: number;
  timeout: number;
  maxRetries: number;
}

export interface LoadBalancerState {
  loadBalancers: Map<string, LoadBalancer>;
  listeners: Map<string, Listener>;
  pools: Map<string, Pool>;
  members: Map<string, Member>;
  monitors: Map<string, HealthMonitor>;
  /** Limits by project id; -1 is unlimited. */
  quotas: Map<string, Record<string, number>>;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const loadBalancerKinds = {
  loadBalancers: 'load_balancers',
  listeners: 'listeners',
  pools: 'pools',
  members: 'members',
  monitors: 'health_monitors',
} as const;

export function emptyLoadBalancer(): LoadBalancerState {
  return {
    loadBalancers: new Map(),
    listeners: new Map(),
    pools: new Map(),
    members: new Map(),
    monitors: new Map(),
    quotas: new Map(),
  };
}
