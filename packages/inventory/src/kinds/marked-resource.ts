import { CLUSTER_METADATA_KEY, JOB_METADATA_KEY } from '@gateway/core';

/** The owners in a mark. All are null for a resource that the gateway has not created. */
interface Mark {
  jobId: string | null;
  instanceId: string | null;
  clusterId: string | null;
}

/** The fields of a resource of any project that decide whether it is a leftover. */
export interface MarkedResource extends Mark {
  /** Its kind: the name in `kinds`. */
  type: string;
  id: string;
  name: string;
  projectId: string;
  createdAt: string | null;
  /** Why it is in use, as a sentence; null if its own record does not show it. */
  use: string | null;
  /** It belongs to its user once its job has completed. */
  isKept: boolean;
  /** Its mark was copied with the backup that its user has restored into it. */
  isRestored: boolean;
  /** The servers that a volume is attached to. */
  serverIds: readonly string[];
  /** For writes that require the revision that was read. */
  revision?: number | null;
}

export function hasMark({ jobId, instanceId, clusterId }: Mark): boolean {
  return jobId !== null || instanceId !== null || clusterId !== null;
}

type OptionalField = 'use' | 'isKept' | 'isRestored' | 'serverIds';

type Fields = Omit<MarkedResource, keyof Mark | 'type' | OptionalField> &
  Partial<Pick<MarkedResource, OptionalField>>;

export function marked(type: string, mark: Partial<Mark>, fields: Fields): MarkedResource {
  return {
    type,
    jobId: null,
    instanceId: null,
    clusterId: null,
    use: null,
    isKept: false,
    isRestored: false,
    serverIds: [],
    ...mark,
    ...fields,
  };
}

/** A resource whose metadata are not known, as those of a server whose cell is down, has no mark. */
export function markOfMetadata(metadata: Record<string, string> | null): Partial<Mark> {
  return {
    jobId: metadata?.[JOB_METADATA_KEY] ?? null,
    clusterId: metadata?.[CLUSTER_METADATA_KEY] ?? null,
  };
}
