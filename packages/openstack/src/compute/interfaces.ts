import { item, key, listOf, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const interfaceRecord = declareRecord('compute', 'interface', {
  port_id: key(),
  net_id: text(),
  mac_addr: text(),
  port_state: text(),
  fixed_ips: listOf(item({ ip_address: key(), subnet_id: text() })),
  tag: textOrNull(),
});

type InterfaceRecord = RecordOf<typeof interfaceRecord>;

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
      interfaceRecord,
    );
  }

  create(serverId: string, attachment: { net_id: string } | { port_id: string }): Promise<InterfaceRecord> {
    return this.#compute.postRecord(
      'interfaces.create',
      path`/servers/${serverId}/os-interface`,
      'interfaceAttachment',
      interfaceRecord,
      { interfaceAttachment: attachment },
    );
  }

  remove(serverId: string, portId: string): Promise<void> {
    return this.#compute.remove('interfaces.remove', path`/servers/${serverId}/os-interface/${portId}`);
  }
}
