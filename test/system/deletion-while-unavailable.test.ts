import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

interface Job {
  id: string;
  type: string;
  state: string;
  message: string;
}

describe('the deletion of an instance while a service is unavailable', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        jobs: { poll_interval_ms: 50, sweep_seconds: 1 },
        time_limits: { job_accept_seconds: 1, step_retry_seconds: 0 },
      },
    });
  });
  afterEach(() => simulated?.restore());
  after(() => simulated?.stop());

  async function createInstance(): Promise<string> {
    const { gateway, request } = simulated;
    const last = (await gateway.messagesOfCreation(request)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    return last.instance_id ?? '';
  }

  for (const [service, title] of [
    ['block-storage', 'block storage'],
    ['network', 'network'],
  ] as const) {
    it(`waits for ${title}, says so, and then completes`, async () => {
      const { control, gateway } = simulated;
      const id = await createInstance();
      const path = `/api/instances/${id}`;
      await control.addFault({ service, status: 503, times: 0 });

      const first = await gateway.request<{ detail: string; job_id: string }>('DELETE', path);
      const second = await gateway.request<{ job_id: string }>('DELETE', path);

      const jobId = first.body.job_id;
      assert.deepEqual([first.status, second.status, second.body.job_id], [504, 504, jobId]);
      const waits = new RegExp(`waits for the ${title} service`);
      assert.match(first.body.detail, waits);
      const listed = await eventually(async () => {
        const { items } = await gateway.read<{ items: Job[] }>('/api/jobs');
        const job = items.find((one) => one.id === jobId);
        return job !== undefined && waits.test(job.message) ? job : undefined;
      });
      assert.equal(listed.type, 'instance.delete');
      const instances = await gateway.read<{ id: string }[]>('/api/instances?refresh=true');
      assert.ok(instances.some((instance) => instance.id === id));

      await control.clear();

      await eventually(async () => {
        const { state } = await gateway.read<Job>(`/api/jobs/${jobId}`);
        return state === 'completed';
      });
      assert.deepEqual(await control.inventory(), simulated.baseline);
    });
  }
});
