import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { Builder } from '../support/doubles/builder.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, prepareNetwork } from '../support/projects/prepared-cloud.ts';
import { isRealCloud, serviceLogin, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { type Build, buildOf, endedBuild, startBuild } from '../support/subjects/builds.ts';
import { rulesOf, shareRecord } from '../support/subjects/layer-records.ts';

const libraries = [
  { id: 'built-here', name: 'Built here', version: '1', packages: [], depends_on: [], size_gb: 1 },
  { id: 'on-top', name: 'On top', version: '1', packages: ['numpy'], depends_on: ['built-here'], size_gb: 1 },
];

const PROTOCOLS = [
  { proto: 'CEPHFS', configured: 'NATIVEFS', accessType: 'cephx' },
  { proto: 'NFS', configured: 'NFS', accessType: 'ip' },
] as const;

for (const { proto, configured, accessType } of PROTOCOLS) {
  describe(`the services' records of a build on ${proto}`, function () {
    this.timeout(300_000);
    let stack: Stack;
    let gateway: GatewayClient;
    let cloud: CloudClient;
    let network: Prepared;
    let baseline: ResourceIds;

    before(async () => {
      stack = await startTestStack({
        cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.1' },
        config: {
          libraries,
          builds: { image: 'debian-12', flavor: 'm1.tiny', network: 'build-records', boot_volume_size_gb: 1 },
          file_storage: { share_proto: configured, share_type: { nativefs: 'cephfs', nfs: 'default' } },
        },
      });
      // The test reports instead of the builder, in every cloud.
      if (!isRealCloud())
        await new CloudsimControl(stack.cloudsim?.url ?? '').set({ guest: { outcome: 'silent' } });
      cloud = await CloudClient.logIn(stack.identityUrl ?? '', serviceLogin);
      network = await prepareNetwork(cloud, 'build-records');
      gateway = await GatewayClient.logIn(stack.url, testLogin('admin'));
      baseline = await cloud.resourceIds();
    });

    after(async () => {
      await network?.remove();
      await stack?.stop();
    });

    /** Starts a build, and resolves once its builder runs. */
    async function startedBuild(
      libraryId = 'built-here',
    ): Promise<{ shareId: string; jobId: string; builder: Builder }> {
      const { status, text, body } = await startBuild(gateway, libraryId);
      assert.equal(status, 202, text);
      const serverId = await eventually(async () => {
        const job = await gateway.read<{ step: string; error: string | null }>(`/api/jobs/${body.job_id}`);
        assert.equal(job.error, null);
        return job.step === 'LIBRARY_INSTALLING'
          ? ((await buildOf(gateway, body.job_id)).server_id ?? undefined)
          : undefined;
      }, 120_000);
      const builder = await Builder.of(cloud, serverId);
      return { shareId: body.file_storage_id ?? '', jobId: body.job_id, builder };
    }

    function ended(jobId: string): Promise<Build> {
      return endedBuild(gateway, jobId, 180_000);
    }

    it('have a share that only the builder may write, until its end', async () => {
      const { shareId, jobId, builder } = await startedBuild();

      const building = await shareRecord(cloud, shareId);
      assert.deepEqual([building.share_proto, building.size, building.is_public], [proto, 1, false]);
      assert.equal(building.metadata.overlay_status, 'building');
      const [rule, ...others] = await rulesOf(cloud, shareId);
      assert.deepEqual(others, []);
      assert.deepEqual([rule?.access_type, rule?.access_level, rule?.state], [accessType, 'rw', 'active']);
      assert.equal(rule?.metadata.gateway_job_id, jobId);
      assert.deepEqual([builder.library, builder.version], ['built-here', '1']);

      assert.equal(await builder.report({ stage: 'packages' }), 200);
      assert.equal(await builder.succeeds(), 200);

      // No software inside shuts the machine down, so that the gateway deletes it after a timeout.
      assert.equal((await ended(jobId)).status, 'ready');
      const { metadata } = await shareRecord(cloud, shareId);
      assert.deepEqual(
        [metadata.overlay_type, metadata.overlay_library, metadata.overlay_version, metadata.overlay_status],
        ['prebuilt', 'built-here', '1', 'ready'],
      );
      assert.deepEqual(await rulesOf(cloud, shareId), []);
      // A busy compute service lists a server for a moment after its status has become DELETED.
      await eventually(async () => {
        const left = await cloud.resourceIds();
        assert.deepEqual(left, { ...baseline, shares: [...baseline.shares, shareId].sort() });
        return true;
      });
      await cloud.call('sharev2', 'DELETE', `/shares/${shareId}`);
      await untilUntouched();
    });

    it("have the packages in the share's metadata and dependents' builders", async () => {
      const packages = Array.from({ length: 80 }, (_, index) => `package-number-${100 + index}==1.${index}`);
      const base = await startedBuild();
      assert.equal(await base.builder.succeeds(['Zope.Interface==7.0', ...packages]), 200);
      assert.equal((await ended(base.jobId)).status, 'ready');

      const { metadata } = await shareRecord(cloud, base.shareId);

      const { overlay_packages: first = '', overlay_packages_2: second = '' } = metadata;
      assert.ok(first.length <= 1023 && second !== '');
      const recorded = [...packages, 'zope-interface==7.0'];
      assert.deepEqual(`${first},${second}`.split(','), recorded);
      const dependent = await startedBuild('on-top');
      assert.deepEqual(dependent.builder.constraints, recorded);
      await dependent.builder.fails('No space left on device');
      assert.equal((await ended(dependent.jobId)).status, 'error');
      await cloud.call('sharev2', 'DELETE', `/shares/${base.shareId}`);
      await untilUntouched();
    });

    it('are all removed when the builder fails', async () => {
      const { jobId, builder } = await startedBuild();

      const shown = '+ pip3 config set index-url https://user:hunter2@index.example.org\n';
      assert.equal(await builder.fails('No space left on device', shown), 200);

      const build = await ended(jobId);
      assert.deepEqual([build.status, build.server_id], ['error', null]);
      assert.match(build.message, /failed at stage packages: No space left on device\.$/);
      assert.match(
        build.log_tail ?? '',
        /index-url https:\/\/user:\[redacted\]@index\.example\.org\nNo space/,
      );
      await untilUntouched();
      assert.equal(await builder.report({ stage: 'packages' }), 403);
    });

    async function untilUntouched(): Promise<void> {
      await eventually(async () => {
        assert.deepEqual(await cloud.resourceIds(), baseline);
        return true;
      }, 60_000);
    }
  });
}
