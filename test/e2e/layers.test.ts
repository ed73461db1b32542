import assert from 'node:assert/strict';
import { shareMounts } from '../../apps/cloudsim/src/guest/mounts.ts';
import { planIn } from '../../apps/cloudsim/src/guest/plan.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { GatewayClient, type InstanceRequest } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Prepared,
  prepareHugeFlavor,
  preparePrebuiltShare,
} from '../support/projects/prepared-cloud.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import {
  exportPathOf,
  type LayerRecords,
  layerRecords,
  type RuleRecord,
  rulesOf,
  shareRecord,
} from '../support/subjects/layer-records.ts';

const BASE = { id: 'layers-base', version: '1' };
const TOP = { id: 'layers-top', version: '2' };
const libraries = [
  { ...BASE, name: 'Below', packages: ['wheel'], depends_on: [] },
  { ...TOP, name: 'Above', packages: ['numpy'], depends_on: [BASE.id] },
];

/** Defined with the simulated cloud. */
const QUICK = { CLOUDSIM_DELAY_SCALE: '0.1' };

const PROTOCOLS = [
  { proto: 'CEPHFS', configured: 'NATIVEFS', shareType: 'cephfs', accessType: 'cephx' },
  { proto: 'NFS', configured: 'NFS', shareType: 'default', accessType: 'ip' },
] as const;

for (const { proto, configured, shareType, accessType } of PROTOCOLS) {
  describe(`the services' records of an instance with libraries on ${proto}`, function () {
    this.timeout(300_000);
    let stack: Stack;
    let gateway: GatewayClient;
    let cloud: CloudClient;
    let admin: CloudClient;
    let shares: Prepared[];
    let hugeFlavor: Prepared;
    let request: InstanceRequest;
    let baseline: Records;
    /** The instance of the current test, until the test has deleted it. */
    let made: string | null = null;

    /**
     * All resources that an instance can leave behind: those of its project, and the
     * rules of prebuilt shares.
     */
    interface Records extends ResourceIds {
      prebuilt: object[];
    }

    before(async () => {
      stack = await startTestStack({
        cloudsimEnv: QUICK,
        config: {
          libraries,
          file_storage: { share_proto: configured, share_type: { nativefs: 'cephfs', nfs: 'default' } },
          instances: { upper_volume_size_gb: 2, dynamic_share_size_gb: 3 },
        },
      });
      const identityUrl = stack.identityUrl ?? '';
      admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
      cloud = await CloudClient.logIn(identityUrl, testLogin('demo'));
      const kinds = [BASE, TOP].map((library) => ({ library, protocol: proto, shareType }));
      shares = await Promise.all(kinds.map((kind) => preparePrebuiltShare(admin, kind)));
      hugeFlavor = await prepareHugeFlavor(admin);
      gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
      request = await gateway.smallInstanceRequest('e2e-layers');
      baseline = await records();
    });

    after(async () => {
      for (const share of shares ?? []) await share.remove();
      await hugeFlavor?.remove();
      await stack?.stop();
    });

    afterEach(async () => {
      if (made !== null) await remove(made);
    });

    it('have a read-only rule on each mounted prebuilt share', async () => {
      const known = await create({ libraries: [TOP.id] });
      const jobId = known.server.metadata.gateway_job_id ?? '';

      const [below, above] = shares.map((share) => share.id);
      assertFacts(known, { strategy: 'prebuilt', shareIds: [below, above] });
      const rules = await Promise.all(shares.map((share) => onlyRule(share.id)));
      for (const rule of rules) {
        assert.equal(rule.access_level, 'ro');
        assertOwn(rule, known, jobId);
      }
      const mounts = shareMounts(known.firstBoot).map((mount) => JSON.stringify(mount));
      const expected = await Promise.all(
        shares.map(async (share, index) =>
          JSON.stringify(await mountOf(share.id, rules[index] as RuleRecord, false)),
        ),
      );
      assert.deepEqual(mounts, expected, 'the lowest layer first');
      assert.deepEqual(planIn(known.firstBoot)?.all('install'), [], 'nothing is installed');

      await remove(known.server.id);
      await eventually(async () => {
        assert.deepEqual(await records(), baseline);
        return true;
      });
    });

    it('have an own share, which only the instance may write', async () => {
      const known = await create({ libraries: [TOP.id], strategy: 'dynamic' });
      const jobId = known.server.metadata.gateway_job_id ?? '';

      const shareId = known.server.metadata.overlay_share_ids ?? '';
      assertFacts(known, { strategy: 'dynamic', shareIds: [shareId] });
      const share = await shareRecord(admin, shareId);
      assert.deepEqual(share.metadata, {
        overlay_type: 'dynamic',
        overlay_instance: jobId,
        overlay_libraries: `${BASE.id},${TOP.id}`,
      });
      assert.deepEqual(
        [share.size, share.share_proto, share.is_public, share.project_id, share.status],
        [3, proto, false, cloud.projectId, 'available'],
      );
      assert.ok(share.name.includes(jobId));
      const rule = await onlyRule(shareId);
      assert.equal(rule.access_level, 'rw');
      assertOwn(rule, known, jobId);
      const mounts = shareMounts(known.firstBoot);
      for (const mount of mounts) assert.deepEqual(mount, await mountOf(shareId, rule, mount.writable));
      assert.deepEqual(mounts.map(({ writable }) => writable).sort(), [false, true]);
      const plan = planIn(known.firstBoot);
      assert.deepEqual(plan?.all('package_1'), ['wheel', 'numpy']);

      await remove(known.server.id);
      await eventually(async () => {
        assert.deepEqual(await records(), baseline);
        return true;
      });
    });

    for (const strategy of ['prebuilt', 'dynamic'] as const) {
      it(`stay with ${strategy} libraries when a copy of its server is deleted`, async () => {
        const { server } = await create({ libraries: [TOP.id], strategy });
        const before = await records();
        const copy = await cloud.call<{ server: { id: string } }>('compute', 'POST', '/servers', {
          server: {
            name: 'e2e-layers-copy',
            flavorRef: request.flavor_id,
            imageRef: request.image_id,
            networks: 'none',
            metadata: server.metadata,
          },
        });

        const { status, text } = await gateway.request('DELETE', `/api/instances/${copy.server.id}`);

        assert.equal(status, 204, text);
        await eventually(async () => {
          const { count } = await gateway.read<{ count: number }>(
            `/api/jobs?type=instance.delete&resource_id=${copy.server.id}&status=completed`,
          );
          return count === 1;
        }, 60_000);
        assert.deepEqual(await records(), before);
      });

      it(`have nothing for a ${strategy} library whose server could not be placed`, async () => {
        const failed = (
          await gateway.messagesOfCreation({
            ...request,
            flavor_id: hugeFlavor.id,
            libraries: [TOP.id],
            strategy,
          })
        ).at(-1);

        assert.deepEqual([failed?.step, failed?.code], ['FAILED', 'no_valid_host']);
        assert.deepEqual(await records(), baseline);
      });
    }

    async function create(more: object): Promise<LayerRecords> {
      const last = (await gateway.messagesOfCreation({ ...request, ...more })).at(-1);
      assert.equal(last?.step, 'COMPLETED', last?.error ?? 'the stream ended early');
      made = last.instance_id ?? '';
      return layerRecords(admin, cloud, made);
    }

    /** Checks the server's metadata, and the volumes that it names. */
    function assertFacts(
      { server, volumes, firstBoot }: LayerRecords,
      { strategy, shareIds }: { strategy: string; shareIds: (string | undefined)[] },
    ): void {
      const { gateway_job_id: jobId = '', overlay_upper_volume_id: upperId, ...facts } = server.metadata;
      assert.deepEqual(facts, {
        overlay_libraries: `${BASE.id},${TOP.id}`,
        overlay_strategy: strategy,
        overlay_share_ids: shareIds.join(','),
      });
      assert.deepEqual(
        server['os-extended-volumes:volumes_attached'].map(
          ({ delete_on_termination }) => delete_on_termination,
        ),
        [true, true],
      );
      for (const volume of volumes) {
        assert.equal(volume.metadata.gateway_job_id, jobId);
        assert.ok(volume.name.includes(jobId));
        assert.equal(volume.status, 'in-use');
      }
      const upper = volumes.find(({ id }) => id === upperId);
      assert.equal(upper?.size, 2);
      // The hypervisor chooses the names of disks.
      assert.match(upper.attachments[0]?.device ?? '', /^\/dev\/[a-z]+b$/, 'the second disk');
      assert.equal(planIn(firstBoot)?.get('upper_volume_id'), upperId);
    }

    async function onlyRule(shareId: string): Promise<RuleRecord> {
      const [rule, ...others] = await rulesOf(admin, shareId);
      assert.deepEqual(others, []);
      assert.ok(rule);
      return rule;
    }

    /** Checks that the rule allows only this instance. */
    function assertOwn(rule: RuleRecord, { ports }: LayerRecords, jobId: string): void {
      assert.deepEqual([rule.state, rule.access_type], ['active', accessType]);
      assert.equal(rule.metadata.gateway_job_id, jobId);
      const [port] = ports;
      assert.equal(ports.length, 1);
      if (proto === 'NFS') {
        assert.equal(rule.access_to, port?.fixed_ips[0]?.ip_address);
        assert.ok(port?.description.includes(jobId), 'its port was made before it');
        assert.equal(rule.access_key, null);
      } else {
        assert.equal(rule.access_to, `gateway-${cloud.projectId}-${jobId}`);
        assert.equal(port?.description, '');
        assert.ok(rule.access_key);
      }
    }

    async function mountOf(shareId: string, rule: RuleRecord, writable: boolean): Promise<object> {
      const client = proto === 'NFS' ? null : { name: rule.access_to, key: rule.access_key };
      return { exportPath: await exportPathOf(admin, shareId), client, writable };
    }

    async function records(): Promise<Records> {
      const prebuilt = shares.map(async ({ id }) => ({
        share: await shareRecord(admin, id),
        rules: await rulesOf(admin, id),
      }));
      return { ...(await cloud.resourceIds()), prebuilt: await Promise.all(prebuilt) };
    }

    async function remove(id: string): Promise<void> {
      made = null;
      const answer = await gateway.request('DELETE', `/api/instances/${id}`);
      assert.equal(answer.status, 204, answer.text);
    }
  });
}
