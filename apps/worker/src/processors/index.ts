import type { JobType } from '@gateway/jobs';
import type { Processor } from '../job-run.ts';
import { processInstanceCreate } from './instance-create.ts';
import { processInstanceDelete } from './instance-delete.ts';
import { processSessionPrefill } from './session-prefill.ts';

/** What runs the jobs of each type; one without a processor does not compile. */
export const processors: { [T in JobType]: Processor<T> } = {
  'instance.create': processInstanceCreate,
  'instance.delete': processInstanceDelete,
  'session.prefill': processSessionPrefill,
};
