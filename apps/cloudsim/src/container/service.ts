import { isObject } from '../common/json.ts';
import { forbidden, notFound } from '../common/service-error.ts';
import { containerInfraFormat, detailFreeFormat } from '../http/error-formats.ts';
import { accepted, noContent, ok, operation, type Reply } from '../http/operation.ts';
import { pageOf } from '../http/page.ts';
import type { Service } from '../http/service.ts';
import type { ContainerCall, ContainerCloud } from './cloud.ts';
import {
  createContainer,
  deleteContainer,
  findContainer,
  logOf,
  presentContainer,
  startAction,
} from './containers.ts';

/**
 * Oldest first. Administrators list all projects on request, which the link to the next page does not
 * repeat. Every full page has such a link.
 */
function listContainers(call: ContainerCall): Reply {
  const { caller, cloud, query } = call;
  const everywhere = caller.isAdmin && ['1', 'true'].includes(query.get('all_projects') ?? '');
  const visible = [...cloud.container.containers.values()].filter(
    ({ projectId }) => everywhere || projectId === caller.projectId,
  );
  const { maxPageLength } = cloud.settings;
  const limit = Math.min(Number(query.get('limit') ?? maxPageLength), maxPageLength);
  const { items } = pageOf(
    visible,
    ({ id }) => id,
    query.get('marker'),
    limit,
    (marker) => notFound(`Container ${marker} could not be found.`),
  );
  const marker = items.length === limit ? items.at(-1)?.id : undefined;
  const link = `${call.base}/containers?sort_key=id&sort_dir=asc&limit=${limit}&marker=${marker}`;
  return ok({
    containers: items.map((container) => presentContainer(cloud, caller, container)),
    next: marker === undefined ? null : link,
  });
}

function listAgents({ caller, cloud }: ContainerCall): Reply {
  if (!caller.isAdmin) throw forbidden('Policy does not allow zun-service:get_all to be performed.');
  const updated_at = `${new Date(cloud.clock.now()).toISOString().slice(0, 19)}+00:00`;
  const agent = {
    id: 1,
    host: 'compute-1',
    binary: 'zun-compute',
    availability_zone: 'nova',
    state: 'up',
    report_count: 1,
    disabled: false,
    disabled_reason: null,
    forced_down: false,
    last_seen_up: updated_at,
    created_at: updated_at,
    updated_at,
  };
  return ok({ services: [agent] });
}

function actionOperation(action: 'start' | 'stop' | 'reboot') {
  return operation<ContainerCloud>(
    `containers.${action}`,
    `POST /containers/:id/${action}`,
    ({ caller, cloud, params }) => {
      startAction(cloud, caller, params.id ?? '', action);
      return accepted();
    },
  );
}

export const containerService: Service<ContainerCloud> = {
  name: 'container',
  prefix: '/container/v1',
  errors: containerInfraFormat,
  unrouted: detailFreeFormat,
  malformed: 'The body is not JSON.',
  requestIdHeaders: ['X-Openstack-Request-Id'],
  operations: [
    operation('containers.list', 'GET /containers', listContainers),
    operation('containers.create', 'POST /containers', ({ body, caller, cloud }) =>
      accepted(presentContainer(cloud, caller, createContainer(cloud, caller, isObject(body) ? body : {}))),
    ),
    operation('containers.get', 'GET /containers/:id', ({ caller, cloud, params }) =>
      ok(presentContainer(cloud, caller, findContainer(cloud, caller, params.id ?? ''))),
    ),
    operation('containers.log', 'GET /containers/:id/logs', ({ caller, cloud, params, query }) =>
      ok(JSON.stringify(logOf(cloud, caller, params.id ?? '', query.get('tail') ?? 'all'))),
    ),
    operation('containers.delete', 'DELETE /containers/:id', ({ caller, cloud, params, query }) => {
      const isSet = (name: string) => query.get(name)?.toLowerCase() === 'true';
      deleteContainer(cloud, caller, params.id ?? '', { force: isSet('force'), stop: isSet('stop') });
      return noContent();
    }),
    operation('services.list', 'GET /services', listAgents),
    actionOperation('start'),
    actionOperation('stop'),
    actionOperation('reboot'),
  ],
};
