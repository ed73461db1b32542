import assert from 'node:assert/strict';
import { InstanceStack } from '../support/stacks/instance-stack.ts';

/** More than the default quota and more than three times what one worker runs at once. */
const COUNT = 30;

describe('deletions of instances by any cloud', function () {
  this.timeout(1_200_000);
  let instances: InstanceStack;

  before(async () => {
    instances = await InstanceStack.start();
    const { admin, project } = instances;
    const unlimited = { instances: -1, cores: -1, ram: -1 };
    await admin.call('compute', 'PUT', `/os-quota-sets/${project.id}`, { quota_set: unlimited });
    await admin.call('volumev3', 'PUT', `/os-quota-sets/${project.id}`, {
      quota_set: { volumes: -1, gigabytes: -1 },
    });
  });

  after(() => instances?.stop());

  it('are accepted at once, and leave nothing', async () => {
    const ids = await Promise.all(Array.from({ length: COUNT }, () => instances.create()));

    const answers = await Promise.all(ids.map((id) => instances.ask('DELETE', id)));

    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      Array.from({ length: COUNT }, () => [204, '']),
    );
    // The end of the suite checks what is left.
  });
});
