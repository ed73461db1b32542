export interface Container {
  id: string;
  name: string;
  projectId: string;
  userId: string;
  image: string;
  command: string[] | null;
  cpu: number | null;
  memoryMb: number | null;
  status: string;
  statusReason: string | null;
  /** The container's port, while it has one. */
  portId: string | null;
  host: string | null;
}

export interface ContainerState {
  containers: Map<string, Container>;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const containerKinds = { containers: 'containers' } as const;

export function emptyContainer(): ContainerState {
  return { containers: new Map() };
}
