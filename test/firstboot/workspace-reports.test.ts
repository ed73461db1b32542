import assert from 'node:assert/strict';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { eventually } from '../support/eventually.ts';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { type CreatedInstance, Site } from './site.ts';

const LIBRARY = 'addressed-library';
const REBOOTED = 2;

interface Workspace {
  status: string;
  stage: string | null;
  message: string;
  checked_at: string | null;
}

describeOnMachine('the workspace of a booted machine in the api', () => {
  let site: Site;
  let shareOption: string[];

  before(async () => {
    site = await Site.start([{ id: LIBRARY }]);
    // The booted machine reports, not that of the simulated cloud.
    await site.control.set({ guest: { workspaceOutcome: 'silent' } });
    await site.prebuiltShare(LIBRARY, 'NFS', '10.0.2.2:/export');
    shareOption = ['--nfs-export', site.folder(libraryFiles)];
  });

  after(() => site?.stop());

  const create = (name: string) => site.createInstance({ name, libraries: [LIBRARY] });

  function boot(name: string, instance: CreatedInstance, options: string[], check = 'mounted') {
    const { serialOption, userData } = instance;
    return bootMachine({
      name,
      userData,
      checks: [check],
      env: { EXPECT_REASON: 'Connection refused' },
      options: [...serialOption, ...options],
    });
  }

  async function workspaceOf({ id }: CreatedInstance): Promise<Workspace> {
    const { workspace } = await site.gateway.read<{ workspace: Workspace }>(`/api/instances/${id}`);
    return workspace;
  }

  async function report(token: string): Promise<number> {
    const body = { token, boot: 'another', sequence: 1, stage: 'done', result: 'ready', reason: '' };
    const { status } = await site.gateway.request('POST', '/api/instances/first-boot/callback', body);
    return status;
  }

  function tokenOf({ userData }: CreatedInstance): string {
    const { files } = readFirstBootData(userData.toString('base64'));
    return files.get('/etc/gateway/first-boot/report-token')?.trim() ?? '';
  }

  it('is ready after each boot, and refuses all secrets but the current', async () => {
    const instance = await create('reports');
    const other = await create('other');
    const booted = boot('reports', instance, [...shareOption, ...site.gatewayOption, '--reboot']);
    const reports = new Set<string>();
    let isRunning = true;
    const watched = eventually(async () => {
      const { checked_at, status } = await workspaceOf(instance);
      if (status === 'ready' && checked_at !== null) reports.add(checked_at);
      return isRunning ? undefined : true;
    }, 1_800_000);

    const machine = await booted.finally(() => {
      isRunning = false;
    });
    await watched;

    assertChecks(machine, ['cloud-init-done', 'overlay', 'share-readable'], [1, REBOOTED]);
    assert.ok(reports.size >= REBOOTED, `ready at ${[...reports].join(', ')}`);
    const [used, unused] = [tokenOf(instance), tokenOf(other)];
    assert.equal(await report(used), 403, 'the secret of the first boot is used');
    const withSecretOf = `${used.slice(0, used.lastIndexOf('.'))}${unused.slice(unused.lastIndexOf('.'))}`;
    assert.equal(await report(withSecretOf), 403, "another machine's secret");
    assert.equal(await report(unused), 200);
  });

  it('is failed with its stage if a share cannot be mounted', async () => {
    const instance = await create('no-share');

    const machine = await boot('reports-no-share', instance, site.gatewayOption, 'no-share');

    assertChecks(machine, ['cloud-init-error', 'status-failed', 'ssh-answers']);
    const { message, stage, status } = await workspaceOf(instance);
    assert.deepEqual([status, stage], ['failed', 'layers'], message);
  });

  it('comes from the console log if the machine cannot report', async () => {
    const instance = await create('unreachable');
    const machine: Machine = await boot('reports-nothing', instance, shareOption);
    assert.equal((await workspaceOf(instance)).status, 'pending');

    await site.control.addFault({
      service: 'compute',
      method: 'POST',
      operation: 'servers.os-getConsoleOutput',
      status: 200,
      body: { output: machine.console },
      times: 0,
    });

    const { status } = await eventually(async () => {
      const workspace = await workspaceOf(instance);
      return workspace.status === 'pending' ? undefined : workspace;
    }, 90_000);
    assert.equal(status, 'ready');
  });
});
