import type { Owner } from '../resources/owner.ts';
import type { CreateInstanceContext } from './saga.ts';

/** An instance belongs to the caller who requested it. */
export const instanceOwner: Owner<CreateInstanceContext> = {
  client: async (context) => context.owner(),
  removal: async (context) => context,
  mark: async (context) => context,
};
