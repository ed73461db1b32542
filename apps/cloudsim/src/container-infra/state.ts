export interface ClusterTemplate {
  id: string;
  name: string;
  /** The version of the orchestrator. */
  version: string;
  projectId: string;
  userId: string;
  isPublic: boolean;
  /** Offered to administrators only. */
  isHidden: boolean;
  createdMs: number;
}

export interface Cluster {
  id: string;
  name: string;
  projectId: string;
  userId: string;
  templateId: string;
  status: string;
  masterCount: number;
  nodeCount: number;
  keyPair: string | null;
  labels: Record<string, string>;
  stackId: string | null;
  createdMs: number;
  updatedMs: number | null;
}

export interface ContainerInfraState {
  templates: Map<string, ClusterTemplate>;
  clusters: Map<string, Cluster>;
  /** Clusters per project, where it differs from the default. */
  quotas: Map<string, number>;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const containerInfraKinds = { templates: null, clusters: 'clusters' } as const;

export function emptyContainerInfra(): ContainerInfraState {
  return { templates: new Map(), clusters: new Map(), quotas: new Map() };
}
