import assert from 'node:assert/strict';
import type { InstanceDetail, Volume } from '@gateway/resources';
import { InstanceStack } from '../support/stacks/instance-stack.ts';

describe('an instance with a long name', function () {
  this.timeout(300_000);
  let instances: InstanceStack;

  before(async () => {
    instances = await InstanceStack.start();
  });

  after(() => instances?.stop());

  it('gives its volumes the beginning of the name', async () => {
    const start = `${'n'.repeat(199)}漢`;
    const id = await instances.create({ name: `${start}${'n'.repeat(55)}` });

    const { body } = await instances.ask<InstanceDetail>('GET', id);
    const volumes = await instances.gateway.read<Volume[]>('/api/volumes');
    await instances.delete(id);

    const own = volumes.filter((volume) => body.volume_ids.includes(volume.id));
    assert.deepEqual(
      own.map(({ name }) => name.slice(0, name.indexOf('-'))),
      [start],
    );
  });
});
