/** A recorded call of the simulated cloud. */
export interface RecordedCall {
  seq: number;
  service: string;
  operation: string | null;
  method: string;
  path: string;
  status: number | null;
  project: string | null;
  request_id: string | null;
  traceparent: string | null;
  performed: boolean;
  made: string | null;
  concurrent: number;
}

/** Selects calls: all fields that are set must match. */
export interface CallMatch {
  service?: string | undefined;
  operation?: string | undefined;
  method?: string;
  requestId?: string;
  /** The number of the matching call, counted from 1. */
  nth?: number | undefined;
}

export interface FaultSpec extends CallMatch {
  status?: number;
  headers?: Record<string, string>;
  /** Replaces the service's error body. */
  body?: unknown;
  /** The response is the page of a proxy that has not reached the service. */
  proxy?: boolean;
  drop?: boolean;
  hang?: boolean;
  /** Delays the call, even when the client disconnects. */
  delayMs?: number;
  /** The number of matching calls: 1 by default, 0 for all. */
  times?: number;
  /** Performs the call before the fault. */
  after?: boolean;
}

export type HoldPoint = 'before' | 'late' | 'after' | 'next';
type HoldState = 'armed' | 'held' | 'released' | 'abandoned';

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

  async hold(when: HoldPoint, match: CallMatch): Promise<Hold> {
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

  async set(settings: {
    changePasswordUponFirstUse?: boolean;
    /** The addresses to which the web sign-on sends tokens. */
    trustedDashboards?: string[];
    /** Whether users of single sign-on stay in their groups, so that they can delegate. */
    keepsMappedGroups?: boolean;
    tokenLifetimeSeconds?: number;
    /** Whether the services refuse credentials with access rules. */
    refusesAccessRules?: boolean;
    /** The longest list of users, groups or projects; null for a release without pages. */
    maxListLength?: number | null;
    /** The longest list of containers, load balancers, listeners and so on in one response. */
    maxPageLength?: number;
    /** Whether resources of the network service have descriptions. */
    hasDescriptions?: boolean;
    /** Whether the network service says how much of a quota is in use. */
    hasQuotaDetails?: boolean;
    /** Whether each domain has a directory of its own. */
    hasDirectories?: boolean;
    delayScale?: number;
    exportPaths?: Record<string, string>;
    buildFault?: { code: number; message: string } | null;
    leavesReservations?: boolean;
    /** The availability zones of the compute service. */
    serverZones?: string[];
    /** Volumes stay in the status `deleting` until this is false again. */
    keepsDeletedVolumes?: boolean;
    /** Volumes cannot be uploaded to the image service. */
    failsUploads?: boolean;
    /** The availability zones of the block storage service. */
    volumeZones?: string[];
    guest?: {
      outcome?: 'succeeds' | 'fails' | 'silent' | 'powers-off';
      bootMs?: number;
      workMs?: number;
      clusterOutcome?: 'succeeds' | 'fails' | 'silent';
      workspaceOutcome?: 'succeeds' | 'fails' | 'silent';
      /** Keys of the plugins whose installation fails. */
      failedPlugins?: string[];
      /** The names of the agents of clusters whose first boot fails. */
      failedAgents?: string[];
      silentAgents?: string[];
      /** The names of the nodes of clusters whose upgrade fails. */
      failedUpgrades?: string[];
      /** The packages that a verifier cannot import. */
      brokenPackages?: string[];
      /** The latest versions in the package index, by package name. */
      packageVersions?: Record<string, string>;
    };
  }): Promise<void> {
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

  /** The latest requests to the API server of a control node. */
  kubernetes(serverId: string): Promise<{ requests: string[] }> {
    return this.#ask('GET', `/kubernetes/${serverId}`);
  }

  /** Changes how the Kubernetes cluster in a server behaves. */
  async changeKubernetes(
    serverId: string,
    change: {
      api?: 'up' | 'down' | 'hanging';
      isHealthy?: boolean;
      failures?: string[];
      nodes?: Record<string, { ready: boolean }>;
    },
  ): Promise<void> {
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
