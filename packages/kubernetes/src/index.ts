export { type ClusterFacts, checkCluster, type WorkloadQuery } from './check-cluster.ts';
export type { ClientCertificate, ClusterConnection, ClusterCredentials } from './connection.ts';
export { KubernetesApi } from './kubernetes-api.ts';
export { KubernetesError } from './kubernetes-error.ts';
export type { NodeFacts } from './nodes.ts';
export type { PodStatusObject } from './objects.ts';
export { compareProblems, type PodProblem, podProblemOf } from './pod-problem.ts';
export type { SecretValues } from './secrets.ts';
export { isAvailable, type WorkloadFacts, type WorkloadKind } from './workloads.ts';
