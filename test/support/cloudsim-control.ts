/** A call as the simulated cloud has recorded it. */
export interface RecordedCall {
  seq: number;
  service: string;
  operation: string | null;
  method: string;
  path: string;
  status: number | null;
  project: string | null;
  request_id: string | null;
  performed: boolean;
  made: string | null;
}

/** Which calls: each part given must match. */
export interface CallMatch {
  service?: string | undefined;
  operation?: string | undefined;
  method?: string;
  requestId?: string;
  /** The one matching call, counted from 1. */
  nth?: number | undefined;
}

export interface FaultSpec extends CallMatch {
  status?: number;
  headers?: Record<string, string>;
  /** Answered instead of the service's own words for the status. */
  body?: unknown;
  drop?: boolean;
  hang?: boolean;
  /** Performs and answers only after that time, whoever still listens. */
  delayMs?: number;
  /** How many matching calls it applies to: 1 unless given, 0 for all. */
  times?: number;
  /** Performs the call before it misbehaves. */
  after?: boolean;
}

export type HoldPoint = 'before' | 'late' | 'after' | 'next';
export type HoldState = 'armed' | 'held' | 'released' | 'abandoned';

/** Ids of everything there is, by kind, over all projects. */
export type Inventory = ReadonlyMap<string, ReadonlySet<string>>;

/** The back door of the simulated cloud: it arranges faults, and tells what has really happened. */
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
      reached: async (timeoutMs) =>
        (await this.#ask<{ state: HoldState }>('GET', `/holds/${id}?wait_ms=${timeoutMs}`)).state,
      release: async () => {
        await this.#ask('POST', `/holds/${id}/release`);
      },
    };
  }

  /** Lets everything go on that is held or hangs, and arranges nothing any more. */
  async clear(): Promise<void> {
    await this.#ask('DELETE', '/holds');
    await this.#ask('DELETE', '/faults');
  }

  async calls(requestId?: string): Promise<RecordedCall[]> {
    const query = requestId === undefined ? '' : `?request_id=${requestId}`;
    return (await this.#ask<{ calls: RecordedCall[] }>('GET', `/calls${query}`)).calls;
  }

  async set(settings: {
    tokenLifetimeSeconds?: number;
    delayScale?: number;
    exportPaths?: Record<string, string>;
    buildFault?: { code: number; message: string } | null;
    leavesReservations?: boolean;
    guest?: { outcome?: 'succeeds' | 'fails' | 'silent' | 'powers-off'; bootMs?: number; workMs?: number };
  }): Promise<void> {
    await this.#ask('POST', '/settings', settings);
  }

  /** What a server's first boot is given, decoded. */
  async userData(serverId: string): Promise<Buffer> {
    const response = await fetch(`${this.#url}/servers/${serverId}/user-data`);
    if (!response.ok) throw new Error(`The simulated cloud has no user data of ${serverId}.`);
    return Buffer.from(await response.text(), 'base64');
  }

  async forgetCalls(): Promise<void> {
    await this.#ask('DELETE', '/calls');
  }

  async inventory(): Promise<Inventory> {
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
  /** How it stands once it has been reached, or after that time. */
  reached(timeoutMs: number): Promise<HoldState>;
  release(): Promise<void>;
}

interface ProjectState {
  resources: Record<string, { ids: string[] }>;
}
