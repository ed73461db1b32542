import { markShutOff } from '../compute/power.ts';
import type { Server } from '../compute/state.ts';
import type { GuestCloud } from './cloud.ts';
import type { Machine } from './machine.ts';
import { isLoopback, post } from './post.ts';

const POWER_OFF_MS = 300;

/** A machine from boot to halt. After the halt its waits never resolve. */
export class Vm {
  readonly cloud: GuestCloud;
  readonly server: Server;
  readonly machine: Machine;
  /** Milliseconds since boot, before scaling. */
  elapsedMs = 0;
  /** Whether its scripts have started. */
  hasBooted = false;
  readonly #power = new AbortController();
  readonly #callsAnywhere: boolean;

  constructor(cloud: GuestCloud, server: Server, machine: Machine, callsAnywhere: boolean) {
    this.cloud = cloud;
    this.server = server;
    this.machine = machine;
    this.#callsAnywhere = callsAnywhere;
  }

  wait(ms: number): Promise<void> {
    this.elapsedMs += ms;
    return new Promise((resolve) => this.#after(ms, resolve));
  }

  /** The status of the response; null for addresses that guests must not call, and when the time runs out. */
  post(address: string, body: object, timeoutMs: number, ca?: string): Promise<number | null> {
    const url = URL.parse(address);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) return Promise.resolve(null);
    if (!this.#callsAnywhere && !isLoopback(url)) {
      this.machine.console.push(`no call to ${url.host}: the simulated cloud calls this machine only`);
      return Promise.resolve(null);
    }
    const { signal } = this.#power;
    return new Promise((resolve) => {
      void post(url, body, { timeoutMs, signal, ca }).then((status) => {
        if (!signal.aborted) resolve(status);
      });
    });
  }

  /** Powers off. The compute service notices this a moment later. */
  powerOff(): void {
    this.machine.isPoweringOff = true;
    this.#after(POWER_OFF_MS, () => {
      if (this.server.taskState === null) markShutOff(this.cloud, this.server);
    });
  }

  halt(): void {
    this.#power.abort();
  }

  #after(ms: number, then: () => void): void {
    this.cloud.clock.after(ms, () => {
      if (!this.#power.signal.aborted) then();
    });
  }
}
