import assert from 'node:assert/strict';
import {
  type ClusterFacts,
  judgeHealth,
  type PluginHealth,
  type PluginKey,
  type PodStatusObject,
  pluginStatusAfter,
  pluginWorkloads,
  podProblemOf,
  type WorkloadFacts,
} from '@gateway/lite';

const CHECKED_AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const MINUTE_MS = 60_000;
const [deployment, daemonSet, snapshotController] = pluginWorkloads('block_csi');
const image = 'registry.example/csi:v1';

interface Found {
  workloads?: Partial<WorkloadFacts>[];
  /** Of the first workload. */
  pods?: { status: PodStatusObject; node?: string; ageMs?: number }[];
  nodes?: { name: string; ready: boolean }[];
}

function minutesAgo(minutes: number): string {
  return new Date(CHECKED_AT - minutes * MINUTE_MS).toISOString();
}

/** The health of block_csi, whose workloads are available unless a test changes them. */
function healthOf({ workloads = [], pods = [], nodes = [] }: Found, plugins: PluginKey[] = ['block_csi']) {
  const found = [deployment, daemonSet, snapshotController].map((workload, index) => ({
    kind: workload?.kind ?? 'Job',
    name: workload?.name ?? '',
    isCurrent: true,
    desired: 1,
    available: 1,
    problem: null,
    ...workloads[index],
  }));
  const facts: ClusterFacts = {
    reachable: true,
    healthzOk: true,
    nodes: nodes.map((node) => ({
      role: 'agent',
      conditions: [],
      kubeletVersion: '',
      allocatableGpus: 0,
      unschedulable: false,
      cordonedBy: null,
      uninitializedSince: null,
      ...node,
    })),
    workloads: {
      found,
      pods: pods.map(({ status, node = 'vm-server', ageMs = MINUTE_MS }) => ({
        app: deployment?.app ?? '',
        node,
        problem: podProblemOf(status, new Date(CHECKED_AT - ageMs).toISOString()),
      })),
    },
    problem: null,
    isCertificateExpired: false,
  };
  const lab = { id: 'c1', name: 'lab', reachability: 'fixed_ip', agentNodes: [] } as const;
  return judgeHealth({ ...lab, plugins }, facts, CHECKED_AT).plugins;
}

/** The health of block_csi while its Deployment has one pod with this status, which is not available. */
function healthWith(status: PodStatusObject, ageMs?: number): PluginHealth | undefined {
  return healthOf({ workloads: [{ available: 0 }], pods: [{ status, ...(ageMs && { ageMs }) }] })[0];
}

function waiting(reason: string, message = '', lastState = {}): PodStatusObject {
  const state = { waiting: { reason, message } };
  return {
    phase: 'Pending',
    containerStatuses: [{ name: 'driver', image, restartCount: 3, state, lastState }],
  };
}

function crashed(message: string): PodStatusObject {
  const terminated = { exitCode: 255, reason: 'Error', message, finishedAt: minutesAgo(1) };
  return waiting('CrashLoopBackOff', 'back-off 40s restarting failed container', { terminated });
}

describe('the health of a plugin', () => {
  it('is available with all its workloads', () => {
    assert.deepEqual(healthOf({}), [{ name: 'block_csi', status: 'available', message: null }]);
  });

  it('is that of its worst workload', () => {
    const [plugin] = healthOf({ workloads: [{ available: 0 }, { name: 'renamed' }] });

    assert.equal(plugin?.status, 'missing');
    assert.equal(plugin?.message, `${daemonSet?.name}: there is no DaemonSet of this name.`);
  });

  it('includes the snapshot controller', () => {
    const [plugin] = healthOf({ workloads: [{}, {}, { available: 0 }] });
    assert.deepEqual(
      [plugin?.status, plugin?.message],
      ['progressing', 'snapshot-controller: 0 of 1 pods are available.'],
    );

    const [without] = healthOf({ workloads: [{}, {}, { name: 'of another cluster' }] });
    assert.equal(without?.status, 'missing');
  });

  it('is progressing before all pods of the current version are available', () => {
    for (const change of [{ desired: 3, available: 2 }, { isCurrent: false }]) {
      assert.equal(healthOf({ workloads: [change] })[0]?.status, 'progressing');
    }
    const [plugin] = healthOf({ workloads: [{ desired: 3, available: 2 }] });
    assert.equal(plugin?.message, `${deployment?.name}: 2 of 3 pods are available.`);
  });

  it('names an image that cannot be pulled', () => {
    const message = 'failed to resolve reference: registry.example/csi:v1: not found';
    const plugin = healthWith(waiting('ImagePullBackOff', message));

    assert.equal(plugin?.status, 'failed');
    assert.equal(plugin.message, `${deployment?.name}: the image ${image} cannot be pulled: ${message}.`);
  });

  it('names a program that crashes, with its last error', () => {
    const log = [
      'I0102 03:04:04.000001       1 main.go:10] starting',
      'E0102 03:04:05.000001       1 main.go:20] an earlier error',
      'F0102 03:04:05.000002       1 main.go:30] the cloud configuration has no region',
      'goroutine 1 [running]:',
      'main.main()',
    ].join('\n');
    const plugin = healthWith(crashed(log));

    assert.equal(plugin?.status, 'failed');
    assert.match(
      plugin.message ?? '',
      /: the program driver crashes \(exit code 255\): the cloud configuration has no region\.$/,
    );
  });

  it('says that the cloud refuses a program', () => {
    const log =
      'F0102 03:04:05.000002       1 main.go:30] Cloud provider could not be initialized: Expected HTTP response ' +
      'code [200 203 300] when accessing [GET https://network.example:9696/v2.0/ports], but got 401 instead: {}';
    const plugin = healthWith(crashed(log));

    assert.match(
      plugin?.message ?? '',
      /: the cloud refuses the program driver: GET \/v2\.0\/ports is answered 401\.$/,
    );
  });

  it('shows neither secrets nor hosts of services', () => {
    const plugin = healthWith(crashed('panic: https://identity.example:5000/v3 rejects password=hunter22'));

    assert.doesNotMatch(plugin?.message ?? '', /hunter22|identity\.example/);
    assert.match(plugin?.message ?? '', /\/v3 rejects/);
  });

  it('says why no node takes a pod', () => {
    const message = '0/1 nodes are available: 1 Insufficient memory.';
    const plugin = healthWith({
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    });

    assert.equal(plugin?.status, 'failed');
    assert.match(
      plugin.message ?? '',
      /: no node takes a pod: 0\/1 nodes are available: 1 Insufficient memory\.$/,
    );
  });

  it('fails when a pod takes too long to start', () => {
    assert.equal(healthWith(waiting('ContainerCreating'))?.status, 'progressing');
    assert.equal(healthWith(waiting('ContainerCreating'), 11 * MINUTE_MS)?.status, 'failed');
  });

  it('does not count as available while a program keeps crashing', () => {
    const crash = (minutes: number, restartCount: number): PodStatusObject => ({
      phase: 'Running',
      containerStatuses: [
        {
          name: 'driver',
          image,
          restartCount,
          state: {},
          lastState: { terminated: { exitCode: 1, message: 'no leader', finishedAt: minutesAgo(minutes) } },
        },
      ],
    });

    const [plugin] = healthOf({ pods: [{ status: crash(2, 3) }] });
    assert.equal(plugin?.status, 'progressing');
    assert.match(plugin?.message ?? '', /has crashed, and runs again \(exit code 1\): no leader\.$/);
    // A program that waits for another one may end once, and an old crash is over.
    assert.equal(healthOf({ pods: [{ status: crash(2, 1) }] })[0]?.status, 'available');
    assert.equal(healthOf({ pods: [{ status: crash(30, 3) }] })[0]?.status, 'available');
  });

  it('does not fail because of a node that is not ready', () => {
    const pods = [{ status: waiting('ContainerCreating'), node: 'vm-agent-1', ageMs: 60 * MINUTE_MS }];
    const nodes = [{ name: 'vm-agent-1', ready: false }];
    const [plugin] = healthOf({ workloads: [{ desired: 2, available: 1 }], pods, nodes });

    assert.equal(plugin?.status, 'progressing');
  });

  it('is available without nodes that its only program is for', () => {
    const [gpu] = pluginWorkloads('gpu');
    const found = (change: Partial<WorkloadFacts>) =>
      healthOf({ workloads: [{ kind: 'DaemonSet', name: gpu?.name ?? '', ...change }] }, ['gpu'])[0];

    assert.equal(found({ desired: 0, available: 0 })?.status, 'available');
    assert.equal(found({ desired: 0, available: 0, isCurrent: false })?.status, 'progressing');
    assert.equal(found({ desired: 2, available: 1 })?.status, 'progressing');
    assert.equal(found({ desired: 2, available: 2 })?.status, 'available');
    const problem = 'no runtime class';
    assert.equal(found({ desired: 0, available: 0, problem })?.status, 'failed');
  });

  it('fails when its controller creates no pods', () => {
    const [refused] = healthOf({ workloads: [{ available: 0, problem: 'exceeded quota: pods' }] });
    assert.match(refused?.message ?? '', /: its pods cannot be created: exceeded quota: pods\.$/);
    const [nowhere] = healthOf({ workloads: [{}, { desired: 0, available: 0 }] });
    assert.deepEqual(
      [nowhere?.status, nowhere?.message],
      ['failed', `${daemonSet?.name}: it runs on no node.`],
    );
  });
});

describe('the plugins in the record of a cluster', () => {
  const plugin = (status: PluginHealth['status'], message: string | null = null): PluginHealth => ({
    name: 'block_csi',
    status,
    message,
  });

  it('follow the latest check', () => {
    const before = {
      pluginStatus: { block_csi: 'deployed', file_csi: 'deployed' },
      pluginMessages: {},
    } as const;

    const failed = pluginStatusAfter(before, [plugin('failed', 'why')]);
    assert.deepEqual(failed, {
      pluginStatus: { block_csi: 'failed', file_csi: 'deployed' },
      pluginMessages: { block_csi: 'why' },
    });
    assert.ok(failed);
    assert.deepEqual(pluginStatusAfter(failed, [plugin('available')]), before);
    assert.deepEqual(pluginStatusAfter(before, [plugin('missing', 'gone')])?.pluginMessages, {
      block_csi: 'gone',
    });
  });

  it('do not change without a result, or while a plugin is progressing', () => {
    const before = { pluginStatus: { block_csi: 'failed' }, pluginMessages: { block_csi: 'why' } } as const;

    for (const plugins of [[], [plugin('progressing', '0 of 1')], [plugin('failed', 'why')]]) {
      assert.equal(pluginStatusAfter(before, plugins), null);
    }
  });
});
