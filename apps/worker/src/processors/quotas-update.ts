import type { QuotaMessage } from '@gateway/jobs';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import {
  type UpdateQuotasContext,
  type UpdateQuotasState,
  updateQuotasSteps,
} from '../sagas/update-quotas/index.ts';

/** Uses the rights of the administrator who sent the request. */
export const quotaUpdate = sagaProcessor<'quotas.update', UpdateQuotasContext, UpdateQuotasState>(
  ({ credentials, logger, payload }) => ({
    steps: updateQuotasSteps,
    context: { input: payload, logger, owner: () => credentials.owner },
    message: (update, _state, failure): QuotaMessage =>
      jobMessage(update, failure, { quota_project_id: payload.quotaProjectId }),
    completed: 'The quotas are changed.',
    writes: { resource: 'quota', as: 'updated' },
    alsoWrites: async () => ({ projectId: payload.quotaProjectId, resources: ['quota'] }),
  }),
);
