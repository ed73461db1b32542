import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '../../../scripts/stack.ts';
import { CloudClient } from '../clients/cloud-client.ts';
import { CloudsimControl } from '../clients/cloudsim-control.ts';
import { GatewayClient } from '../clients/gateway-client.ts';
import { testLogin } from '../stacks/test-stack.ts';

const LISTS = ['/api/instances', '/api/volumes', '/api/images', '/api/flavors', '/api/keypairs'];

interface ReadersOptions {
  readers: number;
  /** Pause of each reader between its requests. */
  everyMs: number;
}

/** What the readers of one phase got. */
export interface Readings {
  requests: number;
  /** How often each status other than 200 came, and `none` for no response. */
  failures: Record<string, number>;
  durationsMs: number[];
}

/**
 * Readers with tokens of their own, which the gateway does not know at first, at all
 * api processes of a stack.
 */
export class OutageReaders {
  readonly #readers: GatewayClient[];
  readonly #everyMs: number;
  #readings: Readings = { requests: 0, failures: {}, durationsMs: [] };
  #stopped: AbortController | null = null;
  #running: Promise<void>[] = [];

  private constructor(readers: GatewayClient[], everyMs: number) {
    this.#readers = readers;
    this.#everyMs = everyMs;
  }

  static async logIn(stack: Stack, { readers, everyMs }: ReadersOptions): Promise<OutageReaders> {
    const clients: GatewayClient[] = [];
    for (let reader = 0; reader < readers; reader += 1) {
      const projectName = reader % 2 === 0 ? 'demo' : 'demo2';
      const { projectId, token } = await CloudClient.logIn(stack.identityUrl ?? '', {
        ...testLogin('demo'),
        projectName,
      });
      clients.push(new GatewayClient(stack.apis[reader % stack.apis.length]?.url ?? '', token, projectId));
    }
    return new OutageReaders(clients, everyMs);
  }

  start(): void {
    this.#stopped = new AbortController();
    const { signal } = this.#stopped;
    this.#running = this.#readers.map((client, reader) => this.#readAll(client, reader, signal));
  }

  /** Ends a phase: what was read since the last call. */
  take(): Readings {
    const taken = this.#readings;
    this.#readings = { requests: 0, failures: {}, durationsMs: [] };
    return taken;
  }

  get requests(): number {
    return this.#readings.requests;
  }

  async stop(): Promise<void> {
    this.#stopped?.abort();
    await Promise.all(this.#running);
  }

  async #readAll(client: GatewayClient, reader: number, signal: AbortSignal): Promise<void> {
    await pause((reader / this.#readers.length) * this.#everyMs);
    for (let count = reader; !signal.aborted; count += 1) {
      await this.#read(client, LISTS[count % LISTS.length] ?? '');
      await pause(this.#everyMs, undefined, { signal }).catch(() => {});
    }
  }

  async #read(client: GatewayClient, path: string): Promise<void> {
    const startedAt = performance.now();
    const status = await client.request('GET', path).then(
      (response) => response.status,
      () => 'none',
    );
    const readings = this.#readings;
    readings.requests += 1;
    readings.durationsMs.push(performance.now() - startedAt);
    if (status !== 200) readings.failures[status] = (readings.failures[status] ?? 0) + 1;
  }
}

/** The most calls that were in progress at once at each service since the last reset of the calls. */
export async function mostConcurrentCalls(cloudsimUrl: string): Promise<Map<string, number>> {
  const most = new Map<string, number>();
  for (const { concurrent, service } of await new CloudsimControl(cloudsimUrl).calls()) {
    most.set(service, Math.max(most.get(service) ?? 0, concurrent));
  }
  return most;
}

/** Creates a volume through one api process, and returns whether a list of volumes shows it. */
export async function createVolume(client: GatewayClient): Promise<(at: GatewayClient) => Promise<boolean>> {
  const { body, status, text } = await client.request<{ id: string }>('POST', '/api/volumes', {
    name: 'during-the-outage',
    size_gb: 1,
  });
  if (status !== 201) throw new Error(`The volume was not created: ${text}`);
  return async (at) => (await at.read<{ id: string }[]>('/api/volumes')).some(({ id }) => id === body.id);
}
