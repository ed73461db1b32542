import type { FirstBootOwner, FirstBootState } from '@gateway/libraries';
import type { AppContext } from '../context.ts';

/**
 * Counts the result of a boot, and logs a failure.
 *
 * @param reason as the machine has reported it, on one line
 */
export function recordFirstBoot(
  { logger, metrics }: Pick<AppContext, 'logger' | 'metrics'>,
  { jobId, projectId }: FirstBootOwner,
  { result, stage }: Pick<FirstBootState, 'result' | 'stage'>,
  reason = '',
): void {
  if (result === 'running') return;
  metrics.firstBootEnded({ result, stage });
  if (result === 'ready') return;
  logger.warn('The first boot of an instance failed', {
    job_id: jobId,
    project_id: projectId,
    stage,
    reason,
  });
}
