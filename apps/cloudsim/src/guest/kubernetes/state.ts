import type { CertifiedKey } from './authority.ts';

/** The Kubernetes clusters that run inside servers. */
export interface KubernetesState {
  /** By the id that their creator chose. */
  clusters: Map<string, KubernetesCluster>;
}

export function emptyKubernetes(): KubernetesState {
  return { clusters: new Map() };
}

/** The part of a cluster that outlasts its processes. */
export interface KubernetesCluster {
  id: string;
  /** In the loopback network. */
  address: string;
  port: number;
  /** Such as `v1.36.1+k3s1`. */
  version: string;
  serverAuthority: CertifiedKey;
  clientAuthority: CertifiedKey;
  server: CertifiedKey;
  admin: CertifiedKey;
  /** Bearer tokens. */
  tokens: { admin: string; withoutRights: string };
  /** The token with which agents join. */
  nodeToken: string;
  /** By collection, namespace and name, see `objectKey`. */
  objects: Map<string, KubernetesObject>;
  /** The number of changes so far. */
  revision: number;
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMetadata;
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  /** Of a secret. */
  data?: Record<string, string>;
  /** Of a storage class. */
  parameters?: Record<string, string>;
}

export interface ObjectMetadata {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
  generation: number;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
}
