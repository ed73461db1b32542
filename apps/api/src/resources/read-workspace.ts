import {
  consoleResultIn,
  type FirstBootOwner,
  type FirstBootState,
  type StoredFirstBootState,
} from '@gateway/libraries';
import { creationJobOf, type InstanceDetail, presentWorkspace, type Workspace } from '@gateway/resources';
import type { RequestContext } from '../pipeline/request-context.ts';
import { recordFirstBoot } from './record-first-boot.ts';

/**
 * The workspace of an instance, as the instance last reported it. If it reports nothing, its console log is
 * read, which takes a call to the compute service: at most once a minute for each instance.
 */
export async function readWorkspace(
  request: RequestContext,
  instance: InstanceDetail,
): Promise<Workspace | null> {
  const { clock, config, firstBoots } = request.app;
  const present = (state: FirstBootState | null) =>
    presentWorkspace(instance, state, { config, now: clock.now() });
  const jobId = creationJobOf(instance);
  if (jobId === null) return present(null);
  const owner = { projectId: instance.project_id, jobId };
  let state: StoredFirstBootState | null;
  try {
    state = (await firstBoots.read(owner.projectId, [jobId])).get(jobId) ?? null;
  } catch {
    // The store is unavailable.
    return present(null);
  }
  const workspace = present(state);
  const isSilent = workspace?.status === 'unknown' || (workspace?.status === 'pending' && state === null);
  if (instance.status !== 'ACTIVE' || !(isSilent || config.publicEndpoint.url === null)) return workspace;
  const found = await readConsole(request, instance.id, { owner, state });
  return found === null ? workspace : present(found);
}

/**
 * The result in the console log; null without one, or if another process reads the log. A log that cannot be
 * read does not fail the request.
 */
async function readConsole(
  { app, logger, openstack }: RequestContext,
  instanceId: string,
  { owner, state: before }: { owner: FirstBootOwner; state: StoredFirstBootState | null },
): Promise<FirstBootState | null> {
  try {
    if (!(await app.firstBoots.takeConsoleTurn(owner))) return null;
    const result = consoleResultIn(await openstack.compute.servers.consoleLog(instanceId));
    if (result === null) return null;
    const state = await app.firstBoots.keepConsoleResult(owner, before, result);
    const isNew = before?.result !== result.result || before.stage !== result.stage;
    if (state !== null && isNew) recordFirstBoot(app, owner, state);
    return state;
  } catch (error) {
    logger.debug('The console log of an instance could not be read', { error });
    return null;
  }
}
