import { readFirstBootData } from '../../../apps/cloudsim/src/guest/first-boot-data.ts';
import { createAuthority, issueForClient } from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';
import { planIn } from '../../../apps/cloudsim/src/guest/plan.ts';
import type { CloudClient } from '../clients/cloud-client.ts';

/** The control node of a cluster, from its first-boot data: reports as the machine does. */
export class ControlNode {
  readonly #url: string;
  readonly #progressUrl: string;
  readonly #token: string;
  /** The token with which it reports renewed configuration files. */
  readonly renewalToken: string;
  /** The keys of the plugins that it installs. */
  readonly plugins: string[];

  private constructor(files: ReadonlyMap<string, string>) {
    const plan = planIn({ files, runs: true });
    this.#url = plan?.get('report_url') ?? '';
    this.#progressUrl = plan?.get('progress_url') ?? '';
    this.plugins = plan?.all('plugin') ?? [];
    this.renewalToken = (files.get('/etc/gateway/first-boot/renewal-token') ?? '').trim();
    this.#token = (files.get('/etc/gateway/first-boot/report-token') ?? '').trim();
  }

  /** Reads the first-boot data of a server; requires an administrator. */
  static async of(admin: CloudClient, serverId: string): Promise<ControlNode> {
    const { server } = await admin.call<{ server: { 'OS-EXT-SRV-ATTR:user_data': string } }>(
      'compute',
      'GET',
      `/servers/${serverId}`,
    );
    return new ControlNode(readFirstBootData(server['OS-EXT-SRV-ATTR:user_data']).files);
  }

  /** Sends a report and returns the response status. */
  report(body: object): Promise<number> {
    return this.#post(this.#url, body);
  }

  /** Reports a stage and returns the response status. */
  progress(stage: string, plugin?: string): Promise<number> {
    return this.#post(this.#progressUrl, { stage, ...(plugin !== undefined && { plugin }) });
  }

  async #post(url: string, body: object): Promise<number> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: this.#token, ...body }),
    });
    await response.body?.cancel();
    return response.status;
  }

  /** Reports success, with an API server that nobody reaches. */
  async succeeds(): Promise<number> {
    return this.report({
      kubeconfig: await unreachableKubeconfig(),
      node_token: `K10${'0'.repeat(64)}::node:${'1'.repeat(32)}`,
      server_ip: '127.0.0.1',
      k3s_version: 'v1.36.1+k3s1',
      plugin_status: Object.fromEntries(this.plugins.map((key) => [key, 'deployed'])),
    });
  }

  fails(error: string): Promise<number> {
    return this.report({ success: false, error });
  }
}

/** In JSON, which is YAML too. */
async function unreachableKubeconfig(): Promise<string> {
  const authority = await createAuthority('k3s-server-ca@1');
  const admin = await issueForClient(authority, { name: 'system:admin', organization: 'system:masters' });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const cluster = {
    server: 'https://127.0.0.1:6443',
    'certificate-authority-data': base64(authority.certificate),
  };
  const user = {
    'client-certificate-data': base64(admin.certificate),
    'client-key-data': base64(admin.key),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'default', cluster }],
    users: [{ name: 'default', user }],
    contexts: [{ name: 'default', context: { cluster: 'default', user: 'default' } }],
    'current-context': 'default',
  });
}
