import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

interface InterfaceRecord {
  port_id: string;
  net_id: string;
  mac_addr: string;
  port_state: string;
  fixed_ips: { subnet_id: string; ip_address: string }[];
  tag: string | null;
}

/** The network interfaces of a server. */
export class Interfaces {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  list(serverId: string): Promise<InterfaceRecord[]> {
    return this.#compute.list(
      'interfaces.list',
      path`/servers/${serverId}/os-interface`,
      'interfaceAttachments',
    );
  }

  create(serverId: string, attachment: { net_id: string } | { port_id: string }): Promise<InterfaceRecord> {
    return this.#compute.postRecord<InterfaceRecord>(
      'interfaces.create',
      path`/servers/${serverId}/os-interface`,
      'interfaceAttachment',
      { interfaceAttachment: attachment },
    );
  }

  remove(serverId: string, portId: string): Promise<void> {
    return this.#compute.remove('interfaces.remove', path`/servers/${serverId}/os-interface/${portId}`);
  }
}
