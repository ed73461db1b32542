import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { parse } from 'yaml';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { ReportGate } from '../support/doubles/report-gate.ts';
import {
  type ClusterMessage,
  checkHealth,
  createCluster,
  deleteCluster,
  readCluster,
  scaleCluster,
} from '../support/lite/clusters.ts';
import { simulatedCloud, testLogin } from '../support/stacks/test-stack.ts';
import { WatchedStack } from '../support/stacks/watched-stack.ts';

const registryPassword = `registry-${randomUUID()}`;

interface Kubeconfig {
  users: { user: { 'client-key-data': string } }[];
}

describe('the secrets of a lite cluster', function () {
  this.timeout(180_000);
  let gate: ReportGate;
  let watched: WatchedStack;
  let control: CloudsimControl;
  let gateway: GatewayClient;

  before(async () => {
    gate = await ReportGate.start();
    watched = await WatchedStack.start({
      ...simulatedCloud,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
      env: { GATEWAY_PUBLIC_URL: gate.url, GATEWAY_REGISTRY_PASSWORD: registryPassword },
      config: {
        lite: {
          server_volume_size_gb: 1,
          agent_volume_size_gb: 1,
          k3s: {
            registries: [{ name: 'docker.io', endpoint: 'https://mirror.example.org' }],
            registry_credentials: [
              {
                host: 'mirror.example.org',
                username: 'nodes',
                password_variable: 'GATEWAY_REGISTRY_PASSWORD',
              },
            ],
          },
          plugins: {
            cloud_controller_enabled: true,
            block_csi_enabled: true,
            identity_auth_enabled: true,
            secrets_kms_enabled: true,
          },
        },
      },
    });
    const { stack } = watched;
    gate.passTo(() => stack.url);
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  });

  after(async () => {
    await watched?.stop();
    await gate?.stop();
  });

  /** The first-boot data of the nodes of the only cluster. */
  async function firstBootData(): Promise<string[]> {
    const ids = [...((await control.inventory()).get('servers') ?? [])];
    const data = await Promise.all(ids.map((id) => control.userData(id).catch(() => null)));
    return data.flatMap((one) => (one === null ? [] : [one.toString('base64')]));
  }

  function filesIn(userData: string): string {
    return [...readFirstBootData(userData).files.values()].join('\n');
  }

  it('appear nowhere in clear: not in Redis, logs, events, errors nor journals', async () => {
    const answers: string[] = [];
    const held = gate.hold();
    const creation = createCluster(gateway, { name: `e2e-${randomUUID().slice(0, 8)}`, agent_count: 1 });
    const report = await held;
    const [userData = ''] = await firstBootData();
    const files = filesIn(userData);
    for (const changes of [
      { kubeconfig: String(report.body.kubeconfig).replaceAll('Config', 'Other') },
      { server_ip: 'nowhere' },
      { token: `${report.body.token}x` },
    ]) {
      const refused = await report.deliver(changes);
      assert.ok([400, 403].includes(refused?.status ?? 0), refused?.text);
      answers.push(refused?.text ?? '');
    }
    report.answer(await report.deliver());

    const messages: ClusterMessage[] = await creation;
    assert.equal(messages.at(-1)?.step, 'completed', messages.at(-1)?.error ?? '');
    answers.push(JSON.stringify(messages));
    const id = messages[0]?.cluster_id ?? '';
    answers.push(JSON.stringify(await readCluster(gateway, id)));
    answers.push(JSON.stringify(await checkHealth(gateway, id)));
    answers.push((await scaleCluster(gateway, id, 2)).text);
    const ofNodes = (await firstBootData()).map(filesIn);
    assert.deepEqual([ofNodes.length, ofNodes.every((text) => text.includes(registryPassword))], [3, true]);
    const refused = report.deliver({ success: false, error: 'again' });
    answers.push((await refused)?.text ?? '');
    answers.push((await deleteCluster(gateway, id)).text);
    answers.push(JSON.stringify(await gateway.read('/api/jobs')));

    const [, credentialSecret = ''] =
      /^\s*application-credential-secret\s*=\s*"?([^"\n]+)/m.exec(files) ?? [];
    const { users } = parse(String(report.body.kubeconfig)) as Kubeconfig;
    const key = users[0]?.user['client-key-data'] ?? '';
    const pem = Buffer.from(key, 'base64').toString();
    assert.match(pem, /PRIVATE KEY/);
    const secrets = {
      'the secret of the credential': credentialSecret,
      'the token of the control node': String(report.body.token).split('.')[1] ?? '',
      'the token of the agents': String(report.body.node_token).split(':').at(-1) ?? '',
      "the key of the cluster's administrator": key.slice(60, 120),
      "the key of the cluster's administrator in PEM": pem.split('\n')[1] ?? '',
      'a private key': 'PRIVATE KEY',
      'a private key in base64': Buffer.from('-----BEGIN ').toString('base64').slice(0, 14),
      'the password of the registry': registryPassword,
      'the first-boot data': userData.slice(0, 100),
    };
    for (const [name, value] of Object.entries(secrets)) assert.ok(value.length > 10, `${name}: ${value}`);
    await watched.assertSecretsAbsent(secrets, answers);
  });
});
