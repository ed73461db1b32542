import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack } from '../support/stacks/test-stack.ts';
import { ServiceUser } from '../support/subjects/service-user.ts';

interface Health {
  status: string;
  service_user?: string;
  region?: string;
}

async function deepHealth({ url }: Stack): Promise<Health> {
  return (await (await fetch(`${url}/api/health?deep=true`)).json()) as Health;
}

/** The alerts ten minutes later, if nothing else changes. */
async function alertsOf(stack: Stack): Promise<string[]> {
  return alertsFiring([{ atMinutes: 0, targets: await scrape(stack) }], 10);
}

/** Waits until each process has logged a line that begins so. */
async function saidByAll({ apis, workers }: Stack, sentence: string): Promise<void> {
  await eventually(async () => {
    for (const { logs, name } of [...apis, ...workers])
      assert.ok(
        logs().some((line) => line.includes(`"${sentence}`)),
        name,
      );
    return true;
  });
}

describe('a night with a service user that does not work', function () {
  this.timeout(180_000);
  let stack: Stack;
  afterEach(() => stack?.stop());

  it('is said if the password was never right', async () => {
    stack = await startTestStack({ own: true, env: { GATEWAY_SERVICE_PASSWORD: 'wrong' } });

    await saidByAll(stack, 'The identity service refuses the service user');

    const { service_user: serviceUser, status } = await deepHealth(stack);
    assert.deepEqual([status, serviceUser], ['degraded', 'refused']);
    // The tasks that need the service user are overdue as well.
    assert.ok((await alertsOf(stack)).includes('GatewayServiceUserRefused'));
  });

  it('is said while it lacks the role of administrators', async () => {
    stack = await startTestStack({ own: true, config: { service_user: { check_seconds: 1 } } });
    const serviceUser = await ServiceUser.find(stack.identityUrl ?? '');
    await eventually(async () => (await deepHealth(stack)).service_user === 'ok');
    assert.deepEqual(await alertsOf(stack), []);

    await serviceUser.addRole('member');
    await serviceUser.removeRole('admin');

    await saidByAll(stack, 'The service user does not have the role');
    assert.equal((await deepHealth(stack)).service_user, 'not_administrator');
    assert.deepEqual(await alertsOf(stack), ['GatewayServiceUserNotAdministrator']);

    await serviceUser.addRole('admin');
    await saidByAll(stack, 'The service user works again');
    assert.deepEqual(await alertsOf(stack), []);
  });
});

describe('a night with a region that the catalog does not have', function () {
  this.timeout(180_000);
  let stack: Stack;
  after(() => stack?.stop());

  it('is said by log, health and alert', async () => {
    stack = await startTestStack({ own: true, env: { OS_REGION_NAME: 'RegionOen' } });

    await saidByAll(stack, 'The catalog of the cloud has no service');

    const { region, status } = await deepHealth(stack);
    assert.deepEqual([status, region], ['degraded', 'not_in_catalog']);
    assert.deepEqual(await alertsOf(stack), ['GatewayRegionUnknown']);
  });
});
