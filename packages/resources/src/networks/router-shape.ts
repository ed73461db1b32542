import {
  flag,
  id,
  idOrEmpty,
  listOf,
  namesBeside,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';

export const routerFields = {
  id: id('router'),
  name: text('way-out'),
  status: nonEmptyText('ACTIVE'),
  admin_state_up: flag().describe(
    'False while it is switched off: it forwards nothing then, whatever its status.',
  ),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  external_gateway_network_id: id('external_gateway_network').nullable(),
  external_gateway_network_name: text('public').nullable(),
};

/** A router as lists show it, also the lists of other resources. */
export const routerShape = shape('Router', {
  ...routerFields,
  connected_subnet_ids: listOf(id('connected_subnet')),
  /** Null for a subnet that members of the project cannot read. */
  connected_subnet_names: namesBeside('inside'),
});

export type Router = ShapeType<typeof routerShape>;
