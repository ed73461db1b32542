import { flag, id, idOrEmpty, nonEmptyText, type ShapeType, shape, text } from '@gateway/core/shapes';

export const dnsNetworkShape = shape('DnsNetwork', {
  id: id('dns_network'),
  name: text('inside'),
  dns_domain: nonEmptyText('inside.example.org.').describe('The zone of the names, which ends with a dot.'),
  is_external: flag(false),
  is_shared: flag(false),
  project_id: idOrEmpty('project').describe('The owner.'),
  /** Null for the network of another project. */
  project_name: text('demo').nullable(),
});

/** A network whose addresses can have names in the DNS. */
export type DnsNetwork = ShapeType<typeof dnsNetworkShape>;
