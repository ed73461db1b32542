import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { Creations } from '../support/load/creations.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis/redis-cluster.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import {
  type AutoBackup,
  autoBackupPath,
  dueInHours,
  setUpAutoBackup,
} from '../support/subjects/auto-backups.ts';

const CREATIONS = 3;
const SCOPE_SWITCHES = 5;

describe('a gateway on a Redis Cluster', function () {
  this.timeout(120_000);
  let cluster: RedisCluster;
  let stack: Stack;
  let gateway: GatewayClient;
  let creations: Creations;

  before(async () => {
    cluster = await startRedisCluster();
    stack = await startTestStack({
      identityUrl: undefined,
      cloudsim: true,
      workers: 2,
      redisUrl: 'redis://by.nodes',
      config: {
        redis: { cluster_nodes: cluster.nodes.slice(0, 2), wait_for_replicas: 1 },
        jobs: { lock_seconds: 5 },
        rate_limits: { scope_switch: SCOPE_SWITCHES },
      },
    });
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    creations = await Creations.prepare(gateway, new CloudsimControl(stack.cloudsim?.url ?? ''));
  });

  after(async () => {
    await stack?.stop();
    await cluster?.stop();
  });

  it('stores sessions, cached lists and counters', async () => {
    assert.equal((await gateway.request('GET', '/api/auth/session-info')).status, 200);
    assert.equal((await gateway.request('POST', '/api/auth/extend-session')).status, 200);

    const [first, second] = [
      await gateway.request('GET', '/api/images'),
      await gateway.request('GET', '/api/images'),
    ];
    assert.equal(first.headers.get('etag'), second.headers.get('etag'));
    // In the first scrape, counters are 0.
    await gateway.request('GET', '/api/metrics');
    const metrics = (await gateway.request('GET', '/api/metrics')).text;
    assert.match(
      metrics,
      /gateway_cache_reads_total\{[^}]*list="images"[^}]*outcome="process_hit"[^}]*\} [1-9]/,
    );

    const statuses: number[] = [];
    for (let request = 0; request <= SCOPE_SWITCHES; request += 1) {
      const { status } = await gateway.request('POST', '/api/auth/token', { project_id: gateway.projectId });
      statuses.push(status);
    }
    assert.deepEqual(statuses, [...Array(SCOPE_SWITCHES).fill(200), 429]);
  });

  it('reports its servers, and the load of the workers', async () => {
    await eventually(async () => {
      const { text } = await gateway.request('GET', '/api/metrics');
      assert.match(text, /^gateway_queue_workers\{queue="provisioning"[^}]*\} 2$/m);
      assert.match(text, /^gateway_redis_up\{connection="store"[^}]*\} 1$/m);
      assert.match(text, /^gateway_redis_memory_used_bytes\{connection="store"[^}]*\} [1-9]\d{5,}$/m);
      return true;
    });
  });

  it('stores, lists and removes auto backups', async () => {
    const { body: volume } = await gateway.request<{ id: string }>('POST', '/api/volumes', {
      name: 'backed-up',
      size_gb: 1,
    });
    const first = await setUpAutoBackup(gateway, volume.id);
    const second = await setUpAutoBackup(gateway, volume.id, { schedule: dueInHours(11) });
    const listed = await gateway.request<AutoBackup[]>('POST', '/api/volumes/backups/auto-backup/configs');
    const removed = await gateway.request('DELETE', autoBackupPath(volume.id));

    assert.equal(second.id, first.id);
    assert.deepEqual(listed.body, [second]);
    assert.equal(removed.status, 204);
    assert.equal((await gateway.request('GET', autoBackupPath(volume.id))).status, 404);
    await eventually(async () => {
      const { status } = await gateway.request('DELETE', `/api/volumes/${volume.id}`);
      return [204, 404].includes(status);
    });
  });

  it('cancels a creation, and rolls back', async () => {
    const jobId = await creations.start();
    await creations.waitUntilStarted(2);

    const answer = await gateway.request('POST', `/api/jobs/${jobId}/cancel`);

    assert.ok(answer.status < 300, answer.text);
    await eventually(async () => {
      const { status } = await gateway.read<{ status: string }>(`/api/jobs/${jobId}`);
      assert.equal(status, 'cancelled');
      return true;
    });
    await creations.remove();
  });

  it("completes each creation once, although the jobs' node is killed", async () => {
    for (let started = 0; started < CREATIONS; started += 1) await creations.start();
    await creations.waitUntilStarted(3);

    await cluster.jobsPrimary.kill('SIGKILL');
    await creations.start();

    const instances = await creations.assertCompleted();
    const listed = await gateway.read<{ id: string }[]>('/api/instances');
    assert.ok(instances.every((id) => listed.some((instance) => instance.id === id)));
    await creations.remove();
  });
});
