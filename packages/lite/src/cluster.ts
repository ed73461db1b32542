import { fromStored, storedForms, toStored } from '@gateway/core';
import type { KeptStorage } from './claim-storage.ts';
import type { PluginKey } from './plugin-keys.ts';

export const LITE_CLUSTER_STATUSES = ['CREATING', 'ACTIVE', 'ERROR', 'DELETED'] as const;
export type LiteClusterStatus = (typeof LITE_CLUSTER_STATUSES)[number];
export type PluginStatus = Partial<Record<PluginKey, 'deployed' | 'failed'>>;
/** Why plugins have failed, in words. */
export type PluginMessages = Partial<Record<PluginKey, string>>;

/** An agent of a cluster: a node that runs pods. */
export interface LiteClusterAgent {
  /** Part of its node name. Never assigned to another agent while its node object may exist. */
  number: number;
  vmId: string;
  volumeId: string;
}

/** A lite cluster. Times are in milliseconds since the epoch. */
export interface LiteCluster {
  id: string;
  projectId: string;
  /** The user who created it. */
  userId: string;
  name: string;
  status: LiteClusterStatus;
  /**
   * For users: why the last job of the cluster failed, or what a deletion left; null without problems.
   * `describeStatus` adds the problems that hold at the moment.
   */
  statusReason: string | null;
  /** Whether the identity service rejects the plugins' credential. */
  isCredentialLost: boolean;
  /** Whether the gateway could not reach the API server at the creation, and has not since. */
  isNeverReached: boolean;
  networkId: string | null;
  keyName: string | null;
  agentFlavorId: string | null;
  /**
   * The job that creates the cluster. Its mark is on the cluster's security group, port,
   * floating IP and volumes.
   */
  creationJobId: string;
  serverVmId: string | null;
  /** The address of the API server from outside the cluster; null before it is known. */
  serverIp: string | null;
  /** Whether `serverIp` is a floating IP. */
  hasFloatingIp: boolean;
  /** The control node's address in its own network, which agents use to join. */
  fixedIp: string | null;
  securityGroupId: string | null;
  /** In ascending order of their numbers. */
  agents: LiteClusterAgent[];
  /** Numbers without an agent in the cluster, whose node objects may exist. */
  heldNumbers: number[];
  k3sVersion: string | null;
  /** An upgrade that has begun and was not completed; null without one. */
  upgrade: { version: string } | null;
  /** Arguments of `k3s agent` for the plugins. */
  agentArguments: string[];
  /** In the order of their installation. */
  plugins: PluginKey[];
  pluginStatus: PluginStatus | null;
  /** Of the plugins that have failed. */
  pluginMessages: PluginMessages | null;
  /** The application credential of the plugins, and its owner; null without one. */
  credential: { id: string; userId: string } | null;
  /** The secret of the key manager that encrypts the cluster's secrets; null without one. */
  keyId: string | null;
  /** The storage that a deleted cluster left behind; null before it has been counted. */
  keptStorage: KeptStorage | null;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
}

/** The fields that a request determines. */
export type NewLiteCluster = Pick<
  LiteCluster,
  | 'id'
  | 'projectId'
  | 'userId'
  | 'name'
  | 'keyName'
  | 'networkId'
  | 'agentFlavorId'
  | 'creationJobId'
  | 'plugins'
> & { createdAt: number };

export type LiteClusterChange = Partial<
  Omit<LiteCluster, 'id' | 'projectId' | 'userId' | 'name' | 'creationJobId' | 'createdAt' | 'updatedAt'>
>;

/** Secrets of a cluster. They are encrypted in the store, and destroyed with the cluster. */
export interface LiteClusterSecrets {
  /** The configuration file for users, as YAML. */
  kubeconfig: string;
  /** The token with which agents join. */
  nodeToken: string;
  /** The secret of the application credential. */
  credentialSecret: string;
  /** That of the application credential with which a job replaces it. */
  nextCredentialSecret: string;
}

const INITIAL = {
  status: 'CREATING',
  statusReason: null,
  isCredentialLost: false,
  isNeverReached: false,
  serverVmId: null,
  serverIp: null,
  hasFloatingIp: false,
  fixedIp: null,
  securityGroupId: null,
  agents: [],
  heldNumbers: [],
  agentArguments: [],
  k3sVersion: null,
  upgrade: null,
  pluginStatus: null,
  pluginMessages: null,
  credential: null,
  keyId: null,
  keptStorage: null,
  deletedAt: null,
} as const;

/** The fields of a new record, with values in JSON. */
export function newRecord(cluster: NewLiteCluster): Record<string, string> {
  return toFields(
    toStored(storedForms.liteCluster, { ...INITIAL, ...cluster, updatedAt: cluster.createdAt }),
  );
}

export function toFields(values: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
}

/** Null for the hash of a missing record. */
export function fromFields(hash: Record<string, string>): LiteCluster | null {
  if (hash.id === undefined) return null;
  const values = Object.entries(hash).filter(([key]) => !key.startsWith(SECRET_PREFIX));
  const stored: unknown = Object.fromEntries(values.map(([key, value]) => [key, JSON.parse(value)]));
  return fromStored(storedForms.liteCluster, stored as LiteCluster);
}

/** Prefix of the fields with encrypted secrets, and with hashes of secrets. */
export const SECRET_PREFIX = 'secret:';

/** Binds a secret to its cluster: it cannot be decrypted as another cluster's. */
export function secretPurpose(clusterId: string, name: string): string {
  return `lite-cluster:${clusterId}:${name}`;
}
