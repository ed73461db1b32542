import { idOrEmpty, listOf, part, shapeLike, text } from '@gateway/core/shapes';
import type { CloudTopology } from '@gateway/resources';
import Joi from 'joi';

import { floatingIpShape } from '../../http/schemas/floating-ip.ts';
import { networkFields, subnetShape } from '../../http/schemas/network.ts';
import { routerShape } from '../../http/schemas/router.ts';
import { topologyInstanceFields } from '../../http/schemas/topology.ts';

const _count = () => Joi.number().integer();

export const cloudTopologyShape = shapeLike<CloudTopology>('CloudTopology', {
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
