import { isObject, numberAt, stringAt } from '../common/json.ts';
import { forbidden, notFound } from '../common/service-error.ts';
import { containerInfraFormat, detailFreeFormat } from '../http/error-formats.ts';
import { accepted, created, noContent, ok, operation, type Reply } from '../http/operation.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import { owns } from '../http/policy.ts';
import type { Service } from '../http/service.ts';
import type { ContainerInfraCall, ContainerInfraCloud } from './cloud.ts';
import { createCluster, deleteCluster, findCluster, presentCluster } from './clusters.ts';
import { listTemplates } from './templates.ts';

const MAX_LIMIT = 1000;

/** Oldest first. Administrators list all projects. */
function listClusters(call: ContainerInfraCall): Reply {
  const { caller, cloud, query } = call;
  const visible = [...cloud.containerInfra.clusters.values()].filter(({ projectId }) =>
    owns(caller, projectId),
  );
  const limit = Math.min(Number(query.get('limit') ?? MAX_LIMIT), MAX_LIMIT);
  const { items, more } = pageOf(
    visible,
    ({ id }) => id,
    query.get('marker'),
    limit,
    (marker) => notFound(`Cluster ${marker} could not be found.`, 'client'),
  );
  const next = `${call.base}/clusters/detail?${nextQuery(query, items.at(-1)?.id ?? '')}`;
  return ok({ clusters: items.map((cluster) => presentCluster(cloud, cluster)), ...(more && { next }) });
}

function setQuota({ body, caller, cloud }: ContainerInfraCall): Reply {
  if (!caller.isAdmin) throw forbidden('Policy does not allow quota:create to be performed.', 'client');
  const input = isObject(body) ? body : {};
  const projectId = stringAt(input, 'project_id') ?? '';
  cloud.containerInfra.quotas.set(projectId, numberAt(input, 'hard_limit') ?? 0);
  return created(input);
}

function listConductors({ caller, cloud }: ContainerInfraCall): Reply {
  if (!caller.isAdmin)
    throw forbidden('Policy does not allow magnum-service:get_all to be performed.', 'client');
  const updated_at = `${new Date(cloud.clock.now()).toISOString().slice(0, 19)}+00:00`;
  const conductor = {
    id: 1,
    host: 'containers-1',
    binary: 'magnum-conductor',
    state: 'up',
    report_count: 1,
    disabled: false,
    disabled_reason: null,
    created_at: updated_at,
    updated_at,
  };
  return ok({ mservices: [conductor] });
}

export const containerInfraService: Service<ContainerInfraCloud> = {
  name: 'container-infra',
  prefix: '/container-infra/v1',
  errors: containerInfraFormat,
  unrouted: detailFreeFormat,
  malformed: 'Unknown attribute: the body is not JSON.',
  requestIdHeaders: ['X-Openstack-Request-Id'],
  operations: [
    operation('clusters.list', 'GET /clusters', listClusters),
    operation('clusters.list_detail', 'GET /clusters/detail', listClusters),
    operation('clusters.create', 'POST /clusters', ({ body, caller, cloud }) =>
      accepted({ uuid: createCluster(cloud, caller, isObject(body) ? body : {}).id }),
    ),
    operation('clusters.get', 'GET /clusters/:id', ({ caller, cloud, params }) =>
      ok(presentCluster(cloud, findCluster(cloud, caller, params.id ?? ''))),
    ),
    operation('clusters.delete', 'DELETE /clusters/:id', ({ caller, cloud, params }) => {
      deleteCluster(cloud, caller, params.id ?? '');
      return noContent();
    }),
    operation('templates.list', 'GET /clustertemplates', listTemplates),
    operation('templates.list_detail', 'GET /clustertemplates/detail', listTemplates),
    operation('quotas.create', 'POST /quotas', setQuota),
    operation('services.list', 'GET /mservices', listConductors),
  ],
};
