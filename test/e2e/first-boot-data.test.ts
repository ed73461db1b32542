import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FirstBootData, readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { createAuthority } from '../../apps/cloudsim/src/guest/kubernetes/authority.ts';
import { planIn } from '../../apps/cloudsim/src/guest/plan.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { buildOf, endedBuild, startBuild } from '../support/subjects/builds.ts';

const certificate = `${(await createAuthority('test')).certificate}\n`;

const INDEX_URL = 'https://user:first-boot-password@mirror.example.org/simple/';
const ENVIRONMENT = '/etc/gateway/first-boot/environment';

/** A shell script that exceeds the maximum size of first-boot data even when compressed. */
const endless = Array.from({ length: 8 }, () => `: ${randomBytes(8_000).toString('hex')}`);

describe('first-boot data', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let admin: GatewayClient;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-authority-'));
    writeFileSync(join(folder, 'ca.pem'), certificate);
    simulated = await SimulatedStack.start({
      config: {
        public_endpoint: { ca_file: join(folder, 'ca.pem') },
        instances: { gpu_driver_packages: ['nvidia-driver-535'] },
        first_boot: { pip_index_url: INDEX_URL, ca_file: join(folder, 'ca.pem') },
        libraries: [
          {
            id: 'ubuntu-only',
            name: 'Ubuntu only',
            version: '1',
            packages: [],
            os_versions: ['ubuntu-22.04'],
          },
          { id: 'endless', name: 'Endless', version: '1', packages: [], build: { commands: endless } },
          {
            id: 'small',
            name: 'Small',
            version: '1',
            python_version: '3.11',
            build: { commands: ['true', 'false\n'] },
          },
        ],
      },
    });
    admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
  });

  afterEach(() => simulated.restore());
  after(async () => {
    await simulated?.stop();
    rmSync(folder, { recursive: true });
  });

  function read(userData: string): FirstBootData {
    return readFirstBootData(Buffer.from(userData).toString('base64'));
  }

  /** The first-boot data of an instance of this flavor. */
  async function dataOf(flavor: string) {
    const flavors = await admin.read<{ id: string; name: string }[]>('/api/flavors');
    const flavorId = flavors.find(({ name }) => name === flavor)?.id;
    const stream = await simulated.gateway.createInstance({ ...simulated.request, flavor_id: flavorId });
    const last = (await messagesOf(stream)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const userData = await simulated.control.userData(last.instance_id ?? '');
    return userData.toString();
  }

  it('makes an instance with a GPU install its driver, and no other', async () => {
    const planOf = async (flavor: string) => planIn(read(await dataOf(flavor)));

    assert.deepEqual((await planOf('g1.small'))?.all('gpu_package'), ['nvidia-driver-535']);
    assert.equal(await planOf('m1.tiny'), null);
  });

  it('makes an instance use the configured package sources', async () => {
    const data = await dataOf('g1.small');

    const environment = read(data).files.get(ENVIRONMENT);
    assert.equal(environment, `PIP_INDEX_URL=${INDEX_URL}\nGATEWAY_SYSTEM_CERTIFICATES=yes\n`);
    assert.match(data, /ca_certs:\n {2}trusted:\n/);
  });

  it('is not generated for an image that a library does not support', async () => {
    const answer = await simulated.gateway.request<{ detail: string }>('POST', '/api/instances', {
      ...simulated.request,
      libraries: ['ubuntu-only'],
    });

    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.detail, /ubuntu-only runs on ubuntu-22\.04, not on debian-12\.$/);
  });

  it('that would be too long fails a build before anything is created', async () => {
    const answer = await startBuild(admin, 'endless');

    assert.equal(answer.status, 400, answer.text);
    const made = (await simulated.control.calls()).filter(({ operation }) => operation === 'shares.create');
    assert.deepEqual(made, []);
  });

  it("contains the library's commands and the certificate authority of the callback URL", async () => {
    await simulated.control.set({ guest: { outcome: 'silent' } });
    const { body } = await startBuild(admin, 'small');
    const serverId = await eventually(async () => (await buildOf(admin, body.job_id)).server_id ?? undefined);

    const userData = await simulated.control.userData(serverId);

    const data = read(userData.toString());
    const written = (name: string) => data.files.get(`/etc/gateway/first-boot/${name}`);
    assert.deepEqual([written('commands/01'), written('commands/02')], ['true', 'false\n']);
    assert.equal(written('report-ca.pem'), certificate);
    assert.ok(data.files.get(ENVIRONMENT)?.startsWith(`PIP_INDEX_URL=${INDEX_URL}\n`));
    const plan = planIn(data);
    assert.deepEqual(
      ['python_version', 'report_url', 'time_limit'].map((name) => plan?.get(name)),
      ['3.11', `${simulated.stack.url}/api/file-storage/builds/callback`, '1800'],
    );
    await admin.request('POST', `/api/jobs/${body.job_id}/cancel`);
    await endedBuild(admin, body.job_id);
  });
});
