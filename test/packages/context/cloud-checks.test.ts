import assert from 'node:assert/strict';
import { CloudChecks } from '@gateway/context';
import type { Identity } from '@gateway/openstack';
import { createMetrics, type LogInOutcome } from '@gateway/platform';
import { identityConfig } from '../openstack/cloud.ts';

const config = {
  identity: identityConfig,
  serviceUser: {
    username: 'gateway',
    userDomain: 'Default',
    projectName: 'service',
    projectDomain: 'Default',
    checkSeconds: 120,
  },
};

/** The checks of a process, with what it logs. */
function newChecks() {
  const lines: string[] = [];
  const write = (level: string) => (message: string) => {
    lines.push(`${level} ${message.split(/[:"]/)[0]?.trim()}`);
  };
  const logger = { error: write('error'), warn: write('warn'), info: write('info') };
  const metrics = createMetrics({ processMetrics: false });
  const checks = new CloudChecks({ config, logger: logger as never, metrics });
  const gauges = async () =>
    (await metrics.metricsText()).body.match(/^gateway_(?:service_user_(?!logins)|region_)\w+ \d$/gm);
  return { checks, lines, gauges };
}

function logsIn(checks: CloudChecks, outcome: LogInOutcome, roles: string[] = [], service = 'compute'): void {
  const identity = { roles, endpoints: { [service]: 'http://cloud' } } as unknown as Identity;
  checks.loggedIn(outcome, outcome === 'succeeded' ? identity : null);
}

describe('the checks of the settings of the cloud', () => {
  it('have no samples before the identity service has answered', async () => {
    const { checks, gauges, lines } = newChecks();

    logsIn(checks, 'failed');

    assert.deepEqual([checks.serviceUser, checks.region], ['unknown', 'unknown']);
    assert.deepEqual([await gauges(), lines], [null, []]);
  });

  it('log each change of the service user once', async () => {
    const { checks, gauges, lines } = newChecks();

    for (const outcome of ['refused', 'refused', 'failed'] as const) logsIn(checks, outcome);
    assert.deepEqual(await gauges(), ['gateway_service_user_works 0']);
    logsIn(checks, 'succeeded', ['member']);
    logsIn(checks, 'succeeded', ['admin', 'member']);

    assert.deepEqual(lines, [
      'error The identity service refuses the service user',
      'warn The service user does not have the role',
      'info The service user works again',
    ]);
    assert.deepEqual(await gauges(), [
      'gateway_service_user_works 1',
      'gateway_service_user_is_administrator 1',
      'gateway_region_in_catalog 1',
    ]);
  });

  it('miss the region if the catalog has only the identity service', () => {
    const { checks, lines } = newChecks();

    logsIn(checks, 'succeeded', ['admin'], 'identity');

    assert.equal(checks.region, 'not_in_catalog');
    assert.deepEqual(lines, ['error The catalog of the cloud has no service with the interface']);
  });
});
