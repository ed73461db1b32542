import type { JsonObject } from '../../common/json.ts';
import { NODES, objectKey, putObject, timestamp } from './objects.ts';
import type { KubernetesCluster, KubernetesObject } from './state.ts';

export interface NewNode {
  name: string;
  /** The address that the node reports, such as `10.0.0.11`. */
  address: string;
  /** Identifies the machine behind the name, such as the id of its server; empty by default. */
  machineId?: string;
  /** Whether it is a control node; false by default. */
  isControl?: boolean;
  /** In addition to those that k3s itself gives. */
  labels?: Record<string, string>;
}

const CAPACITY = { cpu: '2', memory: '4026968Ki', pods: '110' };
/** The label that selects the nodes of the device plugin, which then offers GPUs. */
const GPU_LABEL = 'nvidia.com/gpu.present';
const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/**
 * Registers a node as k3s does. The node is ready at once. A node that registers again stays cordoned.
 * Returns false if another machine has registered under the name and its object still exists.
 */
export function registerNode(cluster: KubernetesCluster, node: NewNode): boolean {
  const { name, address, machineId = '', isControl = false, labels = {} } = node;
  const registered = nodeOf(cluster, name);
  if (registered !== undefined)
    return machineIdOf(registered) === machineId && setNodeReady(cluster, name, true);
  const roles: Record<string, string> = isControl ? { 'node-role.kubernetes.io/control-plane': 'true' } : {};
  const gpus: Record<string, string> = labels[GPU_LABEL] === 'true' ? { 'nvidia.com/gpu': '1' } : {};
  putObject(cluster, NODES, {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/instance-type': 'k3s',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'k3s',
        ...roles,
        ...labels,
      },
    },
    spec: { podCIDR: '10.42.0.0/24', providerID: `k3s://${name}` },
    status: {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      capacity: { ...CAPACITY, ...gpus },
      allocatable: { ...CAPACITY, ...gpus },
      conditions: conditions(true),
      nodeInfo: {
        kubeletVersion: cluster.version,
        kubeProxyVersion: '',
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'Ubuntu 24.04.3 LTS',
        kernelVersion: '6.8.0-79-generic',
        containerRuntimeVersion: 'containerd://2.1.4-k3s1',
        machineID: machineId,
        systemUUID: '',
        bootID: '',
      },
    },
  });
  return true;
}

/**
 * Sets a node's state as the node controller does when its kubelet stops or resumes reporting. Returns
 * false without the node.
 */
export function setNodeReady(cluster: KubernetesCluster, name: string, isReady: boolean): boolean {
  const node = nodeOf(cluster, name);
  if (node === undefined) return false;
  cluster.revision += 1;
  node.metadata.resourceVersion = String(cluster.revision);
  node.status = { ...node.status, conditions: conditions(isReady) };
  const taints = ['NoSchedule', 'NoExecute'].map((effect) => ({ key: UNREACHABLE, effect }));
  node.spec = { ...node.spec, taints: isReady ? [] : taints };
  return true;
}

export function unregisterNode(cluster: KubernetesCluster, name: string): boolean {
  return cluster.objects.delete(objectKey(NODES, undefined, name));
}

function nodeOf(cluster: KubernetesCluster, name: string): KubernetesObject | undefined {
  return cluster.objects.get(objectKey(NODES, undefined, name));
}

function machineIdOf({ status }: KubernetesObject): string {
  return (status?.nodeInfo as { machineID?: string } | undefined)?.machineID ?? '';
}

function conditions(isReady: boolean): JsonObject[] {
  const at = { lastHeartbeatTime: timestamp(), lastTransitionTime: timestamp() };
  const silent = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
  const pressures = PRESSURES.map((type) => ({
    type,
    status: isReady ? 'False' : 'Unknown',
    ...(isReady ? { reason: `KubeletHasNo${type}`, message: `kubelet has no ${type}` } : silent),
    ...at,
  }));
  const ready = isReady
    ? { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
    : { status: 'Unknown', ...silent };
  return [...pressures, { type: 'Ready', ...ready, ...at }];
}
