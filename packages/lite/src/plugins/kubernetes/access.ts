import { type KubernetesObject, namespace } from './object.ts';

export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

/**
 * A rule for resources of one API group. Verbs and resources are lists such as `get list` and `pods nodes`.
 */
export function rule(verbs: string, resources: string, apiGroup = ''): PolicyRule {
  return { apiGroups: [apiGroup], resources: resources.split(' '), verbs: verbs.split(' ') };
}

/** A service account, its cluster role and their binding, all with the same name. */
export function accountWithRules(name: string, rules: PolicyRule[]): KubernetesObject[] {
  return [
    serviceAccount(name),
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
    clusterRoleBinding(name, name, { kind: 'ServiceAccount', name, namespace }),
  ];
}

export function serviceAccount(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
}

export function clusterRoleBinding(
  name: string,
  role: string,
  subject: Record<string, string>,
): KubernetesObject {
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [subject],
  };
}

const apiVersion = 'rbac.authorization.k8s.io/v1';
