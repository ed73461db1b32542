import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseKubeconfig } from '@gateway/lite';
import { GuestSandbox } from '../../packages/cloud-init/guest-sandbox.ts';
import type { RenewableApiServer } from '../kubernetes/renewable-api-server.ts';

const statusDir = '/var/lib/gateway/first-boot';
const request = '/restart-requested';

/** Restarts wait until the test has restarted the API server. */
const programs = {
  systemctl: `
    if [ "$1" = restart ]; then
        touch "$guest${request}"
        while [ -e "$guest${request}" ]; do command sleep 0.1; done
    fi`,
  k3s: '',
};

/** An installed control node: the scripts of its first-boot data, with an API server of the test. */
export class RenewingControlNode {
  readonly #guest: GuestSandbox;
  readonly #server: RenewableApiServer;
  /** How often the scripts have restarted k3s. */
  restarts = 0;

  /** @param files of its first-boot data, by path */
  constructor(files: ReadonlyMap<string, string>, server: RenewableApiServer) {
    this.#guest = new GuestSandbox(files, programs);
    this.#server = server;
    this.#guest.write(`${statusDir}/completed`, '');
    this.#guest.write('/sys/class/dmi/id/product_uuid', 'machine\n');
  }

  /** Starts k3s, which issues certificates that end in so many days. */
  async startK3s(endsInDays: number): Promise<string> {
    const file = await this.#server.start(endsInDays);
    const { credentials } = parseKubeconfig(file);
    if (!('clientCertificate' in credentials)) throw new Error('k3s has no client certificate.');
    this.#guest.write('/etc/rancher/k3s/k3s.yaml', file);
    this.#guest.write('/var/lib/rancher/k3s/server/tls/client-admin.crt', credentials.clientCertificate);
    return file;
  }

  /**
   * A run of the timer, at which k3s renews certificates that end soon. Returns the output.
   *
   * @param renewedForDays when the renewed certificates end
   */
  async runTimer(renewedForDays: number): Promise<string> {
    // The last restart is longer ago than a week.
    rmSync(this.#guest.path(`${statusDir}/restarted-for-certificates`), { force: true });
    let isRunning = true;
    const run = this.#guest.run('/usr/local/sbin/gateway-certificates').finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      if (this.#guest.read(request) !== null) {
        await this.startK3s(renewedForDays);
        this.restarts += 1;
        this.#guest.unlink(request);
      }
      await setTimeout(100);
    }
    const { output, status } = await run;
    if (status !== 0) throw new Error(`The run ended with ${status}: ${output}`);
    return output;
  }

  remove(): void {
    this.#guest.remove();
  }
}
