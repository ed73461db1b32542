import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ForwardingServer } from '../support/doubles/forwarding-server.ts';
import { eventually } from '../support/eventually.ts';
import { readCluster } from '../support/lite/clusters.ts';
import { LiteProject } from '../support/lite/lite-project.ts';
import { createServiceLoadBalancer } from '../support/lite/service-load-balancer.ts';

const TIMEOUT_MS = 240_000;

interface Job {
  status: string;
  leftovers: { type: string; id: string }[];
}

/** Octavia's answer to a user without a role that its policy requires. */
const REFUSAL = {
  faultcode: 'Client',
  faultstring: 'Policy does not allow this request to be performed.',
  debuginfo: null,
};

/** Between the gateway and one service of the cloud: refuses requests as the policy of the service does. */
class RefusingService extends ForwardingServer {
  /** Refuses all requests while true; passes them on otherwise. */
  isRefusing = false;
  /** The number of refused requests. */
  refused = 0;

  static start(): Promise<RefusingService> {
    return new RefusingService().listen();
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.isRefusing) {
      this.refused += 1;
      request.resume();
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(REFUSAL));
      return;
    }
    this.pass(request, response, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
  }
}

describe('a lite cluster whose remover has no role for load balancers', function () {
  this.timeout(900_000);
  let project: LiteProject;
  let balancers: RefusingService;

  before(async () => {
    balancers = await RefusingService.start();
    project = await LiteProject.start({
      own: true,
      config: {
        identity: { endpoints: { load_balancer: balancers.url } },
        jobs: { sweep_seconds: 1 },
        time_limits: { undo_seconds: 10 },
        lite: { plugins: { cloud_controller_enabled: true } },
      },
    });
    balancers.passTo(project.cloud.endpointOf('load-balancer'));
  });

  after(async () => {
    if (balancers !== undefined) balancers.isRefusing = false;
    await project?.stop();
    await balancers?.stop();
  });

  it('loses its machines; its load balancer is named, and goes later', async () => {
    const { cloud, colleague, mine, subnetId } = project;
    const cluster = await project.createActive({ agent_count: 1 });
    const balancerId = await createServiceLoadBalancer(cloud, { clusterName: cluster.name, subnetId });
    balancers.isRefusing = true;

    const answer = await mine.request('DELETE', `/api/lite/clusters/${cluster.id}`);

    assert.equal(answer.status, 204, answer.text);
    const reason = async () => (await readCluster(colleague, cluster.id)).status_reason;
    await eventually(async () => {
      assert.match(
        (await reason()) ?? '',
        /Load balancers could not be searched for yet: Policy does not allow/,
      );
      return true;
    }, TIMEOUT_MS);
    await eventually(async () => {
      const { loadbalancers, servers, volumes } = await project.remains();
      assert.deepEqual([loadbalancers, servers, volumes], [[balancerId], [], []]);
      return true;
    }, TIMEOUT_MS);
    await eventually(async () => {
      const { items } = await colleague.read<{ items: Job[] }>('/api/jobs?type=lite.delete');
      const [job] = items;
      const left = job?.leftovers.find(({ type }) => type === 'load_balancer');
      return job?.status === 'completed' && left?.id === '';
    }, TIMEOUT_MS);
    assert.ok(balancers.refused > 0);
    assert.match((await reason()) ?? '', /Load balancers could not/);

    balancers.isRefusing = false;

    await eventually(async () => {
      assert.equal(await reason(), null);
      return true;
    }, TIMEOUT_MS);
    await project.hasOnly();
  });
});
