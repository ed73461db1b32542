import type { Step } from '@gateway/saga';
import type { DeleteInstanceContext, DeleteInstanceState } from './saga.ts';
import { deleteBelongings } from './steps/belongings.ts';
import { lookUpBelongings } from './steps/look-up.ts';
import { deleteServer } from './steps/server.ts';

/**
 * The deletion of an instance. A refused delete fails it with nothing changed; once the compute service has
 * taken it there is no way back, only on.
 */
export const deleteInstanceSteps: readonly Step<DeleteInstanceContext, DeleteInstanceState>[] = [
  lookUpBelongings,
  deleteServer,
  deleteBelongings,
];
