import { readFirstBootData } from '../../../apps/cloudsim/src/guest/first-boot-data.ts';
import { planIn } from '../../../apps/cloudsim/src/guest/plan.ts';
import type { CloudClient } from '../clients/cloud-client.ts';

/** A library builder, from its first-boot data: sends reports as the machine does. */
export class Builder {
  readonly #url: string;
  readonly #token: string;
  readonly library: string;
  readonly version: string;
  /** The versions that packages must have, as `numpy==2.2.1`. */
  readonly constraints: string[];

  private constructor(files: ReadonlyMap<string, string>) {
    const plan = planIn({ files, runs: true });
    this.#url = plan?.get('report_url') ?? '';
    this.library = plan?.get('library') ?? '';
    this.version = plan?.get('version') ?? '';
    this.constraints = (files.get('/etc/gateway/first-boot/constraints') ?? '').split('\n').slice(0, -1);
    this.#token = (files.get('/etc/gateway/first-boot/report-token') ?? '').trim();
  }

  /** Reads the first-boot data of a server; requires an administrator. */
  static async of(admin: CloudClient, serverId: string): Promise<Builder> {
    const { server } = await admin.call<{ server: { 'OS-EXT-SRV-ATTR:user_data': string } }>(
      'compute',
      'GET',
      `/servers/${serverId}`,
    );
    return new Builder(readFirstBootData(server['OS-EXT-SRV-ATTR:user_data']).files);
  }

  /** Sends a report and returns the response status. */
  async report(body: object): Promise<number> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: this.#token, ...body }),
    });
    await response.body?.cancel();
    return response.status;
  }

  /** Reports success, with installed packages as `numpy==2.2.1`. */
  succeeds(packages: string[] = []): Promise<number> {
    const { library, version } = this;
    const manifest = {
      library,
      version,
      built_at: '2026-11-21T09:00:00Z',
      files: 1,
      checksum: 'a'.repeat(64),
      packages,
    };
    return this.report({ stage: 'done', success: true, manifest, log_tail: 'All installed.\n' });
  }

  fails(error: string, log = ''): Promise<number> {
    return this.report({ stage: 'packages', success: false, error, log_tail: `${log}${error}\n` });
  }
}
