import type { NetworkRecord } from './networks.ts';

type Shareable = Pick<NetworkRecord, 'project_id' | 'shared' | 'router:external'>;

/**
 * Whether members of a project may see a network: its own, and those that are shared or external. Administrators' tokens
 * reach the networks of all projects, so every use of a network's id checks this.
 */
export function isVisibleTo(network: Shareable, projectId: string): boolean {
  return network.project_id === projectId || network.shared || network['router:external'];
}
