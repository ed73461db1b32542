import type { ServiceClient } from '../service.ts';

/** A process of the network service on a host. */
export interface AgentRecord {
  id: string;
  binary: string;
  host: string;
  agent_type: string;
  availability_zone: string | null;
  alive: boolean;
  admin_state_up: boolean;
  heartbeat_timestamp: string | null;
}

/** For administrators. */
export class Agents {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  list(): Promise<AgentRecord[]> {
    return this.#network.list('agents.list', '/agents', 'agents');
  }
}
