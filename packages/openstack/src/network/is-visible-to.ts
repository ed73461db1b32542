import type { NetworkRecord } from './networks.ts';

type Shareable = Pick<NetworkRecord, 'project_id' | 'shared' | 'router:external'>;

/**
 * Whether members of a project may see a network: its own networks, and shared and external networks.
 * An administrator's token grants access to the networks of all projects, so every use of a network
 * id requires this check.
 */
export function isVisibleTo(network: Shareable, projectId: string): boolean {
  return network.project_id === projectId || network.shared || network['router:external'];
}
