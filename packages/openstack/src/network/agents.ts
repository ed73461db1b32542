import { flag, key, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/** A process of the network service on a host. */
const agentRecord = declareRecord('network', 'agent', {
  id: key(),
  binary: text(),
  host: text(),
  agent_type: text(),
  availability_zone: textOrNull(),
  alive: flag(false),
  admin_state_up: flag(true),
  heartbeat_timestamp: textOrNull(),
});

export type AgentRecord = RecordOf<typeof agentRecord>;

/** For administrators. */
export class Agents {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  list(): Promise<AgentRecord[]> {
    return this.#network.list('agents.list', '/agents', 'agents', agentRecord);
  }
}
