import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import { type PluginKey, requireFreeBalancerNames } from '@gateway/lite';
import { UpstreamError } from '@gateway/openstack';

function upstreamError(status: number): UpstreamError {
  return new UpstreamError(status, 'code', 'The service says no.', {
    service: 'loadBalancer',
    operation: 'loadbalancers.list',
    upstreamStatus: status,
    upstreamMessage: null,
    upstreamRequestId: null,
  });
}

interface Rows {
  /** The names of load balancers, in the project unless they begin with another one and a slash. */
  names?: string[];
  fails?: Error;
  plugins?: PluginKey[];
}

/** Checks the name `web` in a project with these load balancers. */
async function check({ names = [], fails, plugins = ['cloud_controller'] }: Rows): Promise<void> {
  const list = async () => {
    if (fails !== undefined) throw fails;
    return names.map((full) => {
      const [name, project_id = 'p1'] = full.split('/').toReversed();
      return { id: `id of ${name}`, name, project_id };
    });
  };
  const client = { loadBalancer: { loadBalancers: { list } } };
  type Search = Parameters<typeof requireFreeBalancerNames>[0];
  await requireFreeBalancerNames({
    client: client as unknown as Search['client'],
    projectId: 'p1',
    cluster: { name: 'web', plugins },
  });
}

const OTHER = 'kube_ingress_web_default_shop';

describe('the name of a new lite cluster', () => {
  it('is taken by a cluster with load balancers, whoever has made it', async () => {
    await assert.rejects(check({ names: ['web', OTHER] }), {
      status: 409,
      message: `The project has a load balancer "${OTHER}" (id of ${OTHER}) of another Kubernetes cluster that is named "web".`,
    });
    await check({ names: ['web', 'kube_service_web_b_default_shop', `p2/${OTHER}`] });
  });

  it('counts only with plugins that create load balancers', async () => {
    await check({ names: [OTHER], plugins: ['block_csi'] });
    await assert.rejects(check({ names: [OTHER], plugins: ['lb_ingress'] }), { status: 409 });
  });

  it('is free without the service, and without the right to list', async () => {
    await check({ fails: new GatewayError(503, 'upstream_unavailable', 'The cloud has no such service.') });
    await check({ fails: upstreamError(403) });
    await assert.rejects(check({ fails: upstreamError(503) }), { status: 503 });
  });
});
