import { trimEndChars } from '@gateway/core';

/** Node names are host names of at most 63 characters. The longest suffix is `-agent-` and a number. */
const MAX_BASE_LENGTH = 52;
const KEPT_LENGTH = 45;
const ID_LENGTH = 6;

export interface NamedLiteCluster {
  id: string;
  name: string;
}

/** The name of the control node, in Kubernetes and in the compute service. */
export function serverNodeName(cluster: NamedLiteCluster): string {
  return `${nodeBase(cluster)}-server`;
}

/** The name of an agent, in Kubernetes and in the compute service. Numbers begin with 1. */
export function agentNodeName(cluster: NamedLiteCluster, number: number): string {
  return `${nodeBase(cluster)}-agent-${number}`;
}

/**
 * A regular expression, in the compute service's notation, for the names of all nodes
 * that a cluster may have.
 */
export function nodeNamePattern(cluster: NamedLiteCluster): string {
  return `^${nodeBase(cluster)}-(server|agent-[0-9]+)$`;
}

/** The name of the security group of a cluster. */
export function securityGroupName({ id, name }: NamedLiteCluster): string {
  return `k3s-${name}-${id.slice(0, 8)}`;
}

/** The name of the application credential of a cluster's plugins; credential names are unique per user. */
export function credentialName({ id, name }: NamedLiteCluster): string {
  return `lite-${name}-${id}`;
}

/** The name of the credential with which a job replaces that of the plugins. */
export function nextCredentialName(cluster: NamedLiteCluster, jobId: string): string {
  return `${credentialName(cluster)}-${jobId}`;
}

/** The name of the credential with which a job creates the credential of a cluster. */
export function credentialMakerName(cluster: NamedLiteCluster, jobId: string): string {
  return `${nextCredentialName(cluster, jobId)}-creation`;
}

/** Whether an application credential of this name creates that of a cluster. */
export function isCredentialMakerName(name: string): boolean {
  return /^lite-.+-creation$/.test(name);
}

/** The name in the key manager of the key that encrypts the secrets of a cluster. */
export function encryptionKeyName({ id, name }: NamedLiteCluster): string {
  return `lite-${name}-${id}`;
}

/**
 * The prefix of the names of all nodes, unless it is too long. Clusters of one project
 * have different prefixes.
 */
export function nodeNameOf(clusterName: string): string {
  return trimEndChars(clusterName.toLowerCase().replaceAll('_', '-'), '-');
}

/** Host names contain no underscores and no capital letters. */
function nodeBase({ id, name }: NamedLiteCluster): string {
  const base = nodeNameOf(name);
  if (base.length <= MAX_BASE_LENGTH) return base;
  return `${base.slice(0, KEPT_LENGTH)}-${id.slice(0, ID_LENGTH)}`;
}
