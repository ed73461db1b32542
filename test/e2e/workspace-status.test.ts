import assert from 'node:assert/strict';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { type GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

interface Row {
  id: string;
  workspace: { status: string; stage: string | null; message: string; checked_at: string | null } | null;
}

const libraries = [{ id: 'arrays', name: 'Arrays', version: '1', packages: ['numpy'] }];
const config = {
  libraries,
  file_storage: { share_proto: 'NFS', share_type: { nfs: 'default' } },
  instances: { upper_volume_size_gb: 2, dynamic_share_size_gb: 3 },
};
const layered = { libraries: ['arrays'], strategy: 'dynamic' as const };

for (const [how, env] of [
  ['by its reports', {}],
  ['from its console log', { GATEWAY_PUBLIC_URL: '' }],
] as const) {
  describe(`the workspace of an instance, known ${how}`, function () {
    this.timeout(120_000);
    const isReporting = how === 'by its reports';
    let simulated: SimulatedStack;
    let gateway: GatewayClient;

    before(async () => {
      simulated = await SimulatedStack.start({ config, env });
      ({ gateway } = simulated);
    });

    afterEach(async () => {
      await simulated.control.set({ guest: { workspaceOutcome: 'succeeds' } });
      await simulated.restore();
    });
    after(() => simulated?.stop());

    async function create(more: object): Promise<string> {
      const stream = await gateway.createInstance({ ...simulated.request, ...more });
      const last = (await messagesOf(stream)).at(-1);
      assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
      return last.instance_id ?? '';
    }

    const detailOf = (id: string) => gateway.read<Row>(`/api/instances/${id}`);

    it('is pending while the instance sets it up', async () => {
      await simulated.control.set({ guest: { workspaceOutcome: 'silent' } });

      const id = await create(layered);

      const { workspace } = await detailOf(id);
      assert.equal(workspace?.status, 'pending');
    });

    if (isReporting) {
      it('is ready in list and detail, and follows a restart', async () => {
        const id = await create(layered);
        const inList = async () => {
          const rows = await gateway.read<Row[]>('/api/instances');
          return rows.find((row) => row.id === id)?.workspace;
        };
        const ready = await eventually(async () => {
          const workspace = await inList();
          return workspace?.status === 'ready' ? workspace : undefined;
        });
        assert.deepEqual((await detailOf(id)).workspace, ready);

        await simulated.control.set({ guest: { workspaceOutcome: 'fails' } });
        await gateway.request('POST', `/api/instances/${id}/stop`);
        await eventually(async () => {
          const answer = await gateway.request('POST', `/api/instances/${id}/start`);
          return answer.status < 300;
        });

        await eventually(async () => (await inList())?.status === 'failed');
      });
    } else {
      it('is ready in list and detail once its detail was read', async () => {
        // At most one read a minute: the first must find the line.
        const id = await create(layered);
        await eventually(async () => {
          const { log } = await gateway.read<{ log: string }>(`/api/instances/${id}/log`);
          return log.includes('gateway first boot: ready');
        });

        assert.equal((await detailOf(id)).workspace?.status, 'ready');
        const rows = await gateway.read<Row[]>('/api/instances?refresh=true');
        assert.equal(rows.find((row) => row.id === id)?.workspace?.status, 'ready');
        const data = readFirstBootData((await simulated.control.userData(id)).toString('base64'));
        assert.deepEqual(
          [...data.files.keys()].filter((path) => path.includes('report-')),
          [],
          'no secret without a URL to report to',
        );
      });
    }

    if (isReporting) {
      it('is failed with the stage and what to do', async () => {
        await simulated.control.set({ guest: { workspaceOutcome: 'fails' } });

        const id = await create(layered);

        const failed = await eventually(async () => {
          const { workspace } = await detailOf(id);
          return workspace?.status === 'failed' ? workspace : undefined;
        });
        assert.equal(failed.stage, 'layers');
        assert.match(failed.message, /could not be mounted\. Please check/);
      });

      it('is removed with the instance, and a plain instance has none', async () => {
        const plainId = await create({});
        assert.equal((await detailOf(plainId)).workspace, null);
        const id = await create(layered);
        const data = readFirstBootData((await simulated.control.userData(id)).toString('base64'));
        const token = data.files.get('/etc/gateway/first-boot/report-token')?.trim() ?? '';
        assert.match(token, /^[\w-]+\.[\w-]+\.[0-9a-f]{64}$/);
        await eventually(async () => (await detailOf(id)).workspace?.status === 'ready');

        await simulated.restore();

        const body = { token, boot: 'b', sequence: 1, stage: 'done', result: 'ready' };
        const answer = await gateway.request('POST', '/api/instances/first-boot/callback', body);
        assert.equal(answer.status, 403, answer.text);
      });
    }
  });
}
