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

export function emptyContainer(): ContainerState {
  return { containers: new Map() };
}
