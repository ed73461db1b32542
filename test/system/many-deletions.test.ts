import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

/** More than three times as many as one worker runs at once. */
const COUNT = 30;

describe('deletions of many instances at once', function () {
  this.timeout(300_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({ own: true });
  });

  after(() => simulated?.stop());

  afterEach(async () => {
    await simulated.control.set({ keepsDeletedVolumes: false });
    await simulated.restore();
  });

  it('are all accepted while volumes take their time, and leave nothing', async () => {
    const { baseline, control, gateway, request } = simulated;
    const created = await Promise.all(
      Array.from({ length: COUNT }, () => gateway.messagesOfCreation(request)),
    );
    const ids = created.map((messages) => messages.at(-1)?.instance_id);
    assert.equal(new Set(ids).size, COUNT);
    await control.set({ keepsDeletedVolumes: true });

    const answers = await Promise.all(ids.map((id) => gateway.request('DELETE', `/api/instances/${id}`)));

    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      Array.from({ length: COUNT }, () => [204, '']),
    );
    const count = async (status: string) =>
      (await gateway.read<{ count: number }>(`/api/jobs?type=instance.delete&status=${status}&limit=100`))
        .count;
    assert.equal(await count('completed'), 0);
    await control.set({ keepsDeletedVolumes: false });
    await eventually(async () => {
      assert.equal(await count('completed'), COUNT);
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    });
  });
});
