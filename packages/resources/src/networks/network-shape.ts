import { flag, id, idOrEmpty, listOf, nonEmptyText, type ShapeType, shape, text } from '@gateway/core/shapes';

/** A network as all endpoints show it. */
export const networkFields = {
  id: id('network'),
  name: text('inside'),
  status: nonEmptyText('ACTIVE'),
  admin_state_up: flag().describe(
    'False while it is switched off: it carries nothing then, whatever its status.',
  ),
  /** Also of subnets that members of the project cannot read. */
  subnets: listOf(id('subnet')).describe('Ids.'),
  is_external: flag(false),
  is_shared: flag(false),
  project_id: idOrEmpty('project').describe('The owner.'),
  /** Null for the network of another project. */
  project_name: text('demo').nullable(),
};

export const networkShape = shape('Network', networkFields);

export type Network = ShapeType<typeof networkShape>;
