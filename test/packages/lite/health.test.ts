import assert from 'node:assert/strict';
import {
  type CheckedLiteCluster,
  type ClusterFacts,
  judgeHealth,
  type NodeFacts,
  unknownHealth,
} from '@gateway/lite';

const CLUSTER: CheckedLiteCluster = {
  id: 'c1',
  name: 'lab',
  reachability: 'floating_ip',
  plugins: [],
  agentNodes: [],
};
const CHECKED_AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** `S` is a control node, `a` an agent; after `!` they are not ready: `S a !a`. */
function nodes(text: string): NodeFacts[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word, at) => {
      const ready = !word.startsWith('!');
      const role = word.endsWith('S') ? 'server' : 'agent';
      const conditions = ready ? [] : ['NotReady'];
      const rest = {
        kubeletVersion: 'v1.36.1+k3s1',
        allocatableGpus: role === 'agent' ? 2 : 0,
        unschedulable: false,
        cordonedBy: null,
        uninitializedSince: null,
      };
      return { name: `node-${at}`, role, ready, conditions, ...rest };
    });
}

function statusOf(text: string, change: Partial<ClusterFacts> = {}): string {
  const facts = {
    reachable: true,
    healthzOk: true,
    nodes: nodes(text),
    workloads: null,
    problem: null,
    isCertificateExpired: false,
    ...change,
  };
  return judgeHealth(CLUSTER, facts, CHECKED_AT).status;
}

describe('the health of a lite cluster', () => {
  const judged: [string, string][] = [
    ['S', 'HEALTHY'],
    ['S a a a', 'HEALTHY'],
    ['S !a', 'DEGRADED'],
    ['S a !a !a', 'DEGRADED'],
    ['S a !a !a !a', 'UNHEALTHY'],
    ['S !a !a', 'UNHEALTHY'],
    ['!S', 'UNHEALTHY'],
    ['!S a a a a', 'UNHEALTHY'],
    ['a a', 'UNHEALTHY'],
    ['', 'UNHEALTHY'],
  ];
  for (const [text, status] of judged) {
    it(`is ${status} with the nodes «${text}»`, () => assert.equal(statusOf(text), status));
  }

  it('is UNHEALTHY if the server reports so, whatever its nodes', () => {
    assert.equal(statusOf('S a', { healthzOk: false }), 'UNHEALTHY');
  });

  it('is UNREACHABLE when there was no TLS answer', () => {
    assert.equal(statusOf('', { reachable: false, healthzOk: false }), 'UNREACHABLE');
  });

  it('has the shape of the interface', () => {
    const facts = {
      reachable: true,
      healthzOk: true,
      nodes: nodes('S !a'),
      workloads: null,
      problem: null,
      isCertificateExpired: false,
    };

    const certificateExpiresAt = Date.parse('2027-01-02T03:04:05Z');

    assert.deepEqual(judgeHealth({ ...CLUSTER, certificateExpiresAt }, facts, CHECKED_AT), {
      cluster_id: 'c1',
      cluster_name: 'lab',
      status: 'DEGRADED',
      api_server_reachable: true,
      healthz_ok: true,
      nodes: [
        {
          name: 'node-0',
          role: 'server',
          ready: true,
          conditions: [],
          kubelet_version: 'v1.36.1+k3s1',
          allocatable_gpus: 0,
        },
        {
          name: 'node-1',
          role: 'agent',
          ready: false,
          conditions: ['NotReady'],
          kubelet_version: 'v1.36.1+k3s1',
          allocatable_gpus: 2,
        },
      ],
      plugins: [],
      checked_at: '2026-01-02T03:04:05Z',
      certificate_expires_at: '2027-01-02T03:04:05Z',
      reachability: 'floating_ip',
    });
  });

  it('names a node that no cloud controller has initialised, and stays HEALTHY', () => {
    const conditionsAfter = (minutes: number) => {
      const uninitializedSince = CHECKED_AT - minutes * 60_000;
      const facts = {
        reachable: true,
        healthzOk: true,
        nodes: nodes('S a').map((node) => ({ ...node, uninitializedSince })),
        workloads: null,
        problem: null,
        isCertificateExpired: false,
      };
      const { status, nodes: judged } = judgeHealth(CLUSTER, facts, CHECKED_AT);
      return [status, ...judged.map(({ conditions }) => conditions)];
    };

    assert.deepEqual(conditionsAfter(9), ['HEALTHY', [], []]);
    assert.deepEqual(conditionsAfter(11), ['HEALTHY', ['NotInitialized'], ['NotInitialized']]);
  });

  it('counts agents that have no node, unless no node could be read', () => {
    const healthWith = (text: string) => {
      const facts = {
        reachable: true,
        healthzOk: true,
        nodes: nodes(text),
        workloads: null,
        problem: null,
        isCertificateExpired: false,
      };
      const { status, nodes: judged } = judgeHealth(
        { ...CLUSTER, agentNodes: ['node-1', 'node-2'] },
        facts,
        CHECKED_AT,
      );
      return [status, ...judged.map(({ name, conditions }) => [name, ...conditions].join(' '))];
    };

    assert.deepEqual(healthWith('S a a'), ['HEALTHY', 'node-0', 'node-1', 'node-2']);
    assert.deepEqual(healthWith('S a'), ['DEGRADED', 'node-0', 'node-1', 'node-2 NotRegistered']);
    assert.deepEqual(healthWith(''), ['UNHEALTHY']);
  });

  it('is UNKNOWN without a result', () => {
    assert.deepEqual(unknownHealth({ ...CLUSTER, reachability: 'none' }), {
      cluster_id: 'c1',
      cluster_name: 'lab',
      status: 'UNKNOWN',
      api_server_reachable: false,
      healthz_ok: false,
      nodes: [],
      plugins: [],
      checked_at: null,
      certificate_expires_at: null,
      reachability: 'none',
    });
  });

  it('evaluates all nodes, and stores a limited number', () => {
    const facts = {
      reachable: true,
      healthzOk: true,
      workloads: null,
      problem: null,
      isCertificateExpired: false,
    };
    const many = nodes(`S ${'a '.repeat(150)}${'!a '.repeat(10)}`);

    const health = judgeHealth(CLUSTER, { ...facts, nodes: many }, CHECKED_AT);

    assert.deepEqual([health.status, health.nodes.length], ['DEGRADED', 100]);
  });
});
