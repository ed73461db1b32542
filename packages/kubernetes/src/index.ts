export { type ClusterFacts, checkCluster } from './check-cluster.ts';
export type { ClientCertificate, ClusterConnection, ClusterCredentials } from './connection.ts';
export { KubernetesApi } from './kubernetes-api.ts';
export { KubernetesError } from './kubernetes-error.ts';
export type { NodeFacts } from './nodes.ts';
