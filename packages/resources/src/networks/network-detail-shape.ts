import { listOf, type ShapeType, shape } from '@gateway/core/shapes';
import { networkFields } from './network-shape.ts';
import { routerShape } from './router-shape.ts';
import { subnetDetailShape } from './subnet-shape.ts';

export const networkDetailShape = shape('NetworkDetail', {
  ...networkFields,
  subnet_details: listOf(subnetDetailShape),
  routers: listOf(routerShape).describe(
    "The project's routers with an interface or their gateway in the network.",
  ),
});

export type NetworkDetail = ShapeType<typeof networkDetailShape>;
