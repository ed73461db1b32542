import { id, listOf, nonEmptyText, part, type ShapeType, shape, text } from '@gateway/core/shapes';
import { addressesShape } from '../instances/addresses-shape.ts';
import { floatingIpShape } from './floating-ip-shape.ts';
import { networkFields } from './network-shape.ts';
import { routerShape } from './router-shape.ts';
import { subnetShape } from './subnet-shape.ts';

/** An instance in a topology. */
export const topologyInstanceFields = {
  id: id('instance'),
  name: text('web-1'),
  status: nonEmptyText('ACTIVE'),
  task_state: text().nullable(),
  /** Sorted. Names of networks need not be unique. */
  network_ids: listOf(id('network')),
  network_names: listOf(text('inside')),
  ip_addresses: addressesShape,
};

export const topologyShape = shape('Topology', {
  networks: listOf(
    part({
      ...networkFields,
      subnet_details: listOf(subnetShape).describe(
        'Empty for a network of another project that is only external.',
      ),
    }),
  ),
  routers: listOf(routerShape),
  instances: listOf(part(topologyInstanceFields)),
  floating_ips: listOf(floatingIpShape),
});

export type Topology = ShapeType<typeof topologyShape>;

export type TopologyInstance = Topology['instances'][number];
