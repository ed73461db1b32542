import { purgeProjectSteps } from '../../../apps/worker/src/sagas/purge-project/index.ts';
import { CloudClient } from '../../support/clients/cloud-client.ts';
import { eventually } from '../../support/eventually.ts';
import { serviceLogin } from '../../support/stacks/test-stack.ts';
import type { Kind, StepEntry } from '../kind.ts';
import type { Rig } from '../rig.ts';

const taken: Record<string, StepEntry> = {
  look: [{ service: 'identity', operation: 'projects.get', nth: 2, isRead: true }],
  disable: [{ service: 'identity', operation: 'projects.update' }],
  plan: [{ service: 'network', operation: 'routers.list', isRead: true }],
  // The plan reads the list as well.
  'revoke-access': [{ service: 'shared-file-system', operation: 'shares.list_detail', nth: 2, isRead: true }],
  'remove-volume': [{ service: 'block-storage', operation: 'volumes.delete' }],
  'remove-network': [{ service: 'network', operation: 'networks.delete' }],
  check: [{ service: 'network', operation: 'routers.list', nth: 2, isRead: true }],
  'remove-project': [{ service: 'identity', operation: 'projects.delete' }],
};

/**
 * The purge of a project with a volume and a network. Afterwards either nothing of it exists, or the job has
 * failed, the project is enabled, and what remains is what the last event says.
 */
export const purgeProject: Kind = {
  name: 'purge project',
  jobType: 'project.purge',
  steps: purgeProjectSteps.map(({ name }) => name),
  entries: Object.fromEntries(purgeProjectSteps.map(({ name }) => [name, taken[name] ?? 'not taken'])),
  lists: [
    { service: 'block-storage', operation: 'volumes.list_detail', meanwhile: 'fails' },
    // The request reads the list before the job, to refuse networks that the configuration names.
    { service: 'network', operation: 'networks.list', nth: 2, meanwhile: 'fails' },
  ],
  completed: { volumes: -1, networks: -1 },
  whenFailed: async () => null,
  runsSlowFaults: true,
  isCancellable: false,
  user: 'admin',
  async prepare(rig) {
    const { service: cloud, stack } = rig;
    const name = `purged-${crypto.randomUUID()}`;
    const { project } = await cloud.call<{ project: { id: string } }>('identity', 'POST', '/projects', {
      project: { name },
    });
    const { roles } = await cloud.call<{ roles: { id: string }[] }>('identity', 'GET', '/roles?name=member');
    await cloud.call(
      'identity',
      'PUT',
      `/projects/${project.id}/users/${cloud.userId}/roles/${roles[0]?.id}`,
    );
    const inside = await CloudClient.logIn(stack.identityUrl ?? '', {
      ...serviceLogin,
      projectName: name,
    });
    await inside.call('network', 'POST', '/v2.0/networks', { network: { name: 'purged' } });
    const { volume } = await inside.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name: 'purged', size: 1 },
    });
    await eventually(async () => {
      const found = await inside.call<{ volume: { status: string } }>(
        'volumev3',
        'GET',
        `/volumes/${volume.id}`,
      );
      return found.volume.status === 'available';
    });
    return project.id;
  },
  async start(rig, projectId, requestId) {
    return rig.startJob(requestId, 'POST', `/api/admin/projects/${projectId}/purge`);
  },
  async inspect(rig, projectId, isCompleted) {
    const path = `/api/admin/projects/${projectId}/purge`;
    const { body, status } = await rig.gateway().request<Preview>('GET', path);
    if (isCompleted) return status === 404 ? [] : ['the project exists'];
    const problems = body.enabled ? [] : ['the project is disabled'];
    await removeRest(rig, projectId);
    return problems;
  },
};

interface Preview {
  enabled: boolean;
}

/** For the next case. */
async function removeRest(rig: Rig, projectId: string): Promise<void> {
  await eventually(async () => {
    const { status } = await rig.gateway().request('POST', `/api/admin/projects/${projectId}/purge`);
    return status === 404;
  });
}
