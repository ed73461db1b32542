import { idOrEmpty, listOf, part, shapeLike, text } from '@gateway/core/shapes';
import type { CloudTopology } from '@gateway/resources';
import {
  floatingIpShape,
  networkFields,
  routerShape,
  subnetShape,
  topologyInstanceFields,
} from '@gateway/resources/shapes';
import Joi from 'joi';

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
