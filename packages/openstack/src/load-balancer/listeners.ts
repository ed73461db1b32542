import { Collection } from '../collection.ts';
import { extensionList, integerOr, key, listOf, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { commonFields, LBAAS, reference } from './record.ts';

export const listenerRecord = declareRecord('loadBalancer', 'listener', {
  ...commonFields,
  protocol: text(),
  protocol_port: integerOr(0),
  default_pool_id: textOrNull(),
  /** The URL of a certificate in the key manager; null unless the protocol is `TERMINATED_HTTPS`. */
  default_tls_container_ref: textOrNull(),
  /** The only networks that may connect; null for all. */
  allowed_cidrs: extensionList(key()),
  /** Always one entry. */
  loadbalancers: listOf(reference),
});

export type ListenerRecord = RecordOf<typeof listenerRecord>;

interface ListenerCreate {
  loadbalancer_id: string;
  protocol: string;
  protocol_port: number;
  name?: string;
  default_pool_id?: string;
  default_tls_container_ref?: string;
}

interface ListenerUpdate extends Pick<ListenerCreate, 'name' | 'default_tls_container_ref'> {
  /** Null for none. */
  default_pool_id?: string | null;
}

type ListenerQuery = { loadbalancer_id?: string };

export class Listeners extends Collection<ListenerRecord, ListenerCreate, ListenerUpdate, ListenerQuery> {
  constructor(service: ServiceClient) {
    super(service, 'listeners', 'listener', 'listeners', LBAAS, listenerRecord);
  }
}
