import { idOrEmpty, listOf, part, type ShapeType, shape, text } from '@gateway/core/shapes';
import { floatingIpShape } from './floating-ip-shape.ts';
import { networkFields } from './network-shape.ts';
import { routerShape } from './router-shape.ts';
import { subnetShape } from './subnet-shape.ts';
import { topologyInstanceFields } from './topology-shape.ts';

export const cloudTopologyShape = shape('CloudTopology', {
  networks: listOf(part({ ...networkFields, subnet_details: listOf(subnetShape) })),
  routers: listOf(routerShape),
  instances: listOf(
    part({
      ...topologyInstanceFields,
      project_id: idOrEmpty('project'),
      project_name: text('demo').nullable(),
    }),
  ),
  floating_ips: listOf(floatingIpShape),
});

export type CloudTopology = ShapeType<typeof cloudTopologyShape>;
