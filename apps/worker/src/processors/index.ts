import type { JobType } from '@gateway/jobs';
import type { Processor } from '../jobs/job-run.ts';
import { instanceCreation } from './instance-create.ts';
import { instanceDeletion } from './instance-delete.ts';
import { libraryBuild } from './library-build.ts';
import { sessionPrefill } from './session-prefill.ts';

const processors: { [T in JobType]: Processor<T> } = {
  'instance.create': instanceCreation,
  'instance.delete': instanceDeletion,
  'library.build': libraryBuild,
  'session.prefill': sessionPrefill,
};

/**
 * What runs the jobs of a type; one without a processor does not compile. The catalog ties a job's type to its
 * payload, a queue can not tell that to the compiler.
 */
export function processorOf(type: JobType): Processor<JobType> {
  return processors[type] as Processor<JobType>;
}
