import type { SettingsChange } from '../../../apps/cloudsim/src/cloud/settings.ts';
import type { ClusterChange } from '../../../apps/cloudsim/src/control/kubernetes.ts';
import type { RecordedCall } from '../../../apps/cloudsim/src/http/calls.ts';
import type { FaultSpec } from '../../../apps/cloudsim/src/http/faults.ts';
import type { HoldPoint, HoldState } from '../../../apps/cloudsim/src/http/holds.ts';
import type { Matcher } from '../../../apps/cloudsim/src/http/match.ts';

export type { FaultSpec, HoldPoint, Matcher, RecordedCall };

/** Ids of all resources in all projects, by kind. */
export type Inventory = ReadonlyMap<string, ReadonlySet<string>>;

const RIGHTS = ['trusts', 'unrestricted_credentials'];

/** The control API of the simulated cloud: injects faults, and reads recorded calls and resources. */
export class CloudsimControl {
  readonly #url: string;

  constructor(cloudsimUrl: string) {
    this.#url = `${cloudsimUrl}/_control`;
  }

  async addFault(spec: FaultSpec): Promise<void> {
    await this.#ask('POST', '/faults', spec);
  }

  async hold(when: HoldPoint, match: Matcher): Promise<Hold> {
    const { id } = await this.#ask<{ id: number }>('POST', '/holds', { ...match, when });
    return {
      waitUntilReached: async (timeoutMs) =>
        (await this.#ask<{ state: HoldState }>('GET', `/holds/${id}?wait_ms=${timeoutMs}`)).state,
      release: async () => {
        await this.#ask('POST', `/holds/${id}/release`);
      },
    };
  }

  /** Releases all held and hanging calls, and removes all faults and holds. */
  async clear(): Promise<void> {
    await this.#ask('DELETE', '/holds');
    await this.#ask('DELETE', '/faults');
  }

  /** Adds an empty compute host, unless there is one of this name. */
  async addHost(name: string): Promise<void> {
    await this.#ask('POST', '/compute-hosts', { name });
  }

  async calls(requestId?: string): Promise<RecordedCall[]> {
    const query = requestId === undefined ? '' : `?request_id=${requestId}`;
    return (await this.#ask<{ calls: RecordedCall[] }>('GET', `/calls${query}`)).calls;
  }

  async set(settings: SettingsChange): Promise<void> {
    await this.#ask('POST', '/settings', settings);
  }

  /** How many times as long as by itself the cloud takes. */
  async delayScale(): Promise<number> {
    return (await this.#ask<{ delayScale: number }>('POST', '/settings', {})).delayScale;
  }

  /** The decoded first-boot data of a server. */
  async userData(serverId: string): Promise<Buffer> {
    const response = await fetch(`${this.#url}/servers/${serverId}/user-data`);
    if (!response.ok) throw new Error(`The simulated cloud has no user data of ${serverId}.`);
    return Buffer.from(await response.text(), 'base64');
  }

  /** Changes how the Kubernetes cluster in a server behaves. */
  async changeKubernetes(serverId: string, change: ClusterChange): Promise<void> {
    await this.#ask('POST', `/kubernetes/${serverId}`, change);
  }

  /** The latest requests to the API server in a server, such as `GET /api/v1/nodes`. */
  async kubernetesRequests(serverId: string): Promise<string[]> {
    return (await this.#ask<{ requests: string[] }>('GET', `/kubernetes/${serverId}`)).requests;
  }

  async clearCalls(): Promise<void> {
    await this.#ask('DELETE', '/calls');
  }

  /** All that users have, by kind; without what jobs work with. */
  async inventory(): Promise<Inventory> {
    return new Map([...(await this.#readAll())].filter(([kind]) => !RIGHTS.includes(kind)));
  }

  /**
   * The credentials of jobs: the delegations, and the credentials that create others. A job keeps its own
   * until its work is complete, which may be long after its last event.
   */
  async rights(): Promise<Inventory> {
    return new Map([...(await this.#readAll())].filter(([kind]) => RIGHTS.includes(kind)));
  }

  async #readAll(): Promise<Inventory> {
    const { projects } = await this.#ask<{ projects: Record<string, ProjectState> }>('GET', '/state');
    const inventory = new Map<string, Set<string>>();
    for (const { resources } of Object.values(projects)) {
      for (const [kind, { ids }] of Object.entries(resources)) {
        inventory.set(kind, new Set([...(inventory.get(kind) ?? []), ...ids]));
      }
    }
    return inventory;
  }

  async #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.#url + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} of the simulated cloud: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

export interface Hold {
  /** The state of the hold once it has been reached, or after the timeout. */
  waitUntilReached(timeoutMs: number): Promise<HoldState>;
  release(): Promise<void>;
}

interface ProjectState {
  resources: Record<string, { ids: string[] }>;
}
