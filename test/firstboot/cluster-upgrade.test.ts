import assert from 'node:assert/strict';
import { encodeUserData } from '@gateway/cloud-init';
import { type ControlNodePlan, controlNodeFirstBootData, nodeUpgradeCommand } from '@gateway/lite';
import { controlNode } from '../packages/cloud-init/plan.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { installerOfReleases, type NodeSource, nodeSource } from './node-source.ts';

const [OLD, NEW, BROKEN] = ['v1.35.4+k3s1', 'v1.36.1+k3s1', 'v1.37.0+k3s1'];
const [INTERRUPTED, CONTINUED, ROLLED_BACK] = [1, 2, 3];
const NODE = 'c1-server';
const REPORT_URL = 'http://10.0.2.2:8080/api/lite/callback';

function k3sOf(version: string): ControlNodePlan['k3s'] {
  return { ...controlNode().k3s, installerUrl: 'https://get.k3s.io', installerSha256: null, version };
}

/** The command of the pod, each word before a null character. Ten minutes for a start are too long here. */
function upgradeTo(version: string): string {
  const words = nodeUpgradeCommand({ jobId: version, role: 'server', nodeName: NODE, k3s: k3sOf(version) });
  assert.ok(words.some((word) => word.includes('start_limit=600')));
  return words.map((word) => `${word.replace('start_limit=600', 'start_limit=180')}\0`).join('');
}

// k3s is a stand-in; systemd, the disk and the power failures are real.
describeOnMachine('the upgrade of a control node', () => {
  let source: NodeSource;
  let machine: Machine;

  before(async () => {
    const files = { 'upgrade-new': upgradeTo(NEW), 'upgrade-broken': upgradeTo(BROKEN) };
    source = nodeSource({}, installerOfReleases({ slow: NEW, broken: BROKEN }), files);
    const { callback } = controlNode();
    const plan = controlNode({
      nodeName: NODE,
      k3s: k3sOf(OLD),
      callback: { ...callback, url: REPORT_URL, progressUrl: `${REPORT_URL}/progress` },
      renewal: { url: `${REPORT_URL}/kubeconfig`, token: `renewal.${'0'.repeat(64)}` },
    });
    machine = await bootMachine({
      name: 'control-node-upgrade',
      userData: Buffer.from(encodeUserData(controlNodeFirstBootData(plan), 'cluster'), 'base64'),
      checks: ['node-functions', 'upgrade'],
      env: { OLD, NEW, BROKEN },
      options: [...source.options, '--reset', '--reset'],
    });
  });
  after(() => source.remove());

  it('is interrupted by a power failure', () => {
    assertChecks(machine, ['installed', 'interrupted'], INTERRUPTED);
  });

  it('continues with the next boot, and keeps the copy from before', () => {
    assertChecks(machine, ['continued', 'upgraded', 'running', 'copy-is-older', 'service-ended'], CONTINUED);
  });

  it('does not begin again when its pod is repeated', () => {
    assertChecks(machine, ['repetition-succeeds'], CONTINUED);
    assertChecks(machine, ['not-repeated'], ROLLED_BACK);
  });

  it('puts release and database back if the new release does not start', () => {
    const keys = ['failure-ends', 'reason', 'release-put-back', 'database-put-back'];
    assertChecks(machine, [...keys, 'k3s-active', 'no-failed-unit'], ROLLED_BACK);
  });
});
