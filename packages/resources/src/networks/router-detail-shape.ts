import { id, idOrEmpty, listOf, part, type ShapeType, shape, text } from '@gateway/core/shapes';
import { routerFields } from './router-shape.ts';
import { shownRoutes } from './shown-addresses.ts';

/** An address of a port. A port with two has two entries. */
const routerInterface = part({
  id: id('interface').describe("The port's."),
  subnet_id: idOrEmpty('subnet'),
  /** Empty if members of the project cannot read the subnet. */
  subnet_name: text('inside'),
  network_id: idOrEmpty('network'),
  network_name: text('inside').nullable(),
  ip_address: text('10.0.0.1'),
});

export const routerDetailShape = shape('RouterDetail', {
  ...routerFields,
  routes: shownRoutes().describe('Static routes.'),
  interfaces: listOf(routerInterface),
});

export type RouterDetail = ShapeType<typeof routerDetailShape>;

export type RouterInterface = ShapeType<typeof routerInterface>;

export const newInterfaceShape = shape('NewRouterInterface', {
  ...routerInterface.shape,
  port_id: id('port'),
});

/** An interface that was just added. */
export type NewRouterInterface = ShapeType<typeof newInterfaceShape>;
