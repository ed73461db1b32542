import { id, idOrEmpty, listOf, namesBeside, nonEmptyText, shapeLike, text } from '@gateway/core/shapes';
import type { Router } from '@gateway/resources';

/** A router as lists show it, also the lists of other resources. */
export const routerShape = shapeLike<Router>('Router', {
  id: id('router'),
  name: text('way-out'),
  status: nonEmptyText('ACTIVE'),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  external_gateway_network_id: id('external_gateway_network').nullable(),
  external_gateway_network_name: text('public').nullable(),
  connected_subnet_ids: listOf(id('connected_subnet')),
  connected_subnet_names: namesBeside('inside'),
});

export const routerRows = {
  filters: { network_id: ['external_gateway_network_id'], subnet_id: ['connected_subnet_ids'] },
} as const;
