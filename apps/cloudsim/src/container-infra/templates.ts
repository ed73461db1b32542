import { notFound } from '../common/service-error.ts';
import { seconds } from '../common/timestamps.ts';
import { ok, type Reply } from '../http/operation.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import type { ContainerInfraCall } from './cloud.ts';
import type { ClusterTemplate } from './state.ts';

const MAX_LIMIT = 1000;

/** Administrators see the templates of all projects, and hidden ones. */
export function listTemplates(call: ContainerInfraCall): Reply {
  const { caller, cloud, query } = call;
  const visible = [...cloud.containerInfra.templates.values()].filter(
    ({ isHidden, isPublic, projectId }) =>
      caller.isAdmin || (!isHidden && (isPublic || projectId === caller.projectId)),
  );
  const limit = Math.min(Number(query.get('limit') ?? MAX_LIMIT), MAX_LIMIT);
  const { items, more } = pageOf(
    visible,
    ({ id }) => id,
    query.get('marker'),
    limit,
    (marker) => notFound(`ClusterTemplate ${marker} could not be found.`, 'client'),
  );
  const next = `${call.base}/clustertemplates/detail?${nextQuery(query, items.at(-1)?.id ?? '')}`;
  return ok({ clustertemplates: items.map(presentTemplate), ...(more && { next }) });
}

export function labelsOf({ version }: ClusterTemplate): Record<string, string> {
  return { kube_tag: version };
}

function presentTemplate(template: ClusterTemplate): object {
  const { createdMs, id, isHidden, isPublic, name, projectId, userId } = template;
  return {
    uuid: id,
    name,
    coe: 'kubernetes',
    image_id: 'fedora-coreos-37',
    flavor_id: 'm1.small',
    master_flavor_id: 'm1.small',
    keypair_id: null,
    external_network_id: 'public',
    network_driver: 'flannel',
    master_lb_enabled: false,
    floating_ip_enabled: true,
    docker_volume_size: 5,
    labels: labelsOf(template),
    tls_disabled: false,
    server_type: 'vm',
    public: isPublic,
    hidden: isHidden,
    project_id: projectId,
    user_id: userId,
    created_at: seconds(createdMs).replace('Z', '+00:00'),
    updated_at: null,
  };
}
