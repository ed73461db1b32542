export { type ClusterFacts, checkCluster } from './check-cluster.ts';
export type { BearerToken, ClientCertificate, ClusterConnection, ClusterCredentials } from './connection.ts';
export { type Evictions, KubernetesApi } from './kubernetes-api.ts';
export { isMissing, KubernetesError, type KubernetesErrorKind } from './kubernetes-error.ts';
export type { NodeFacts } from './nodes.ts';
