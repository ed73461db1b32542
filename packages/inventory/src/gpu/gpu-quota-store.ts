import { formatStored, newId, parseStored, storedForms } from '@gateway/core';
import { jobKeys } from '@gateway/jobs';
import { type Redis, replicatedWrite } from '@gateway/store';
import type { GpuCounts } from './gpu-devices.ts';
import { gpuKeys } from './keys.ts';
import { reserveGpusScript } from './reserve-gpus-script.ts';
import {
  holdGpusScript,
  keepGpusScript,
  listQuotaOwnersScript,
  readGpusScript,
  releaseHeldGpusScript,
} from './scripts.ts';

/** A limit on the GPUs of one type; -1 is unlimited. */
interface GpuLimit {
  /** As it was given. */
  type: string;
  limit: number;
}

/** By the key of the type. */
export type GpuLimits = Record<string, GpuLimit>;

/** The GPUs of one server, and the job that has created it; '' for a server that no job has created. */
export interface ServerGpus {
  /** Absent in a reservation. */
  serverId?: string;
  jobId: string;
  gpus: GpuCounts;
  /** The server gets, or gets back, the GPUs of another flavor. Its own are still those of the old one. */
  isResizing?: boolean;
  /** A reservation under the id of a server, which counts only while that is being resized. */
  isKept?: boolean;
}

/** The GPUs that a server holds while a request moves it to another flavor. */
interface KeptGpus {
  gpus: GpuCounts;
  /** When they count no more at the latest. */
  seconds: number;
}

/** What the GPU quotas of a project count, apart from its servers. */
export interface GpuRecords {
  /** The project's own. */
  limits: GpuLimits;
  defaults: GpuLimits;
  /** Of jobs that have not ended. Servers of these jobs are part of their reservations. */
  reserved: ServerGpus[];
}

export interface ExceededGpus {
  type: string;
  limit: number;
  inUse: number;
  requested: number;
}

/** The owner of quotas: a project, or all projects without a quota of their own. */
export type GpuQuotaOwner = { projectId: string } | 'defaults';

type Reply = ['reserved'] | ['ended'] | ['list', string] | ['exceeded', string];

/**
 * Quotas on GPUs, and the GPUs that unfinished jobs have reserved. A reservation is part of its job: the
 * script that ends the job releases it, so no reservation outlives its job, whichever process dies.
 */
export class GpuQuotaStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async readLimits(owner: GpuQuotaOwner): Promise<GpuLimits> {
    return parseLimits(await this.#redis.hgetall(limitsKey(owner)));
  }

  /** Sets these limits; others stay as they are. */
  async updateLimits(owner: GpuQuotaOwner, limits: GpuLimits): Promise<void> {
    const fields = Object.entries(limits).flatMap(([key, limit]) => [
      key,
      formatStored(storedForms.gpuLimit, limit),
    ]);
    if (fields.length === 0) return;
    const key = limitsKey(owner);
    await replicatedWrite(this.#redis, key, (pipeline) => pipeline.hset(key, ...fields));
  }

  /** Returns false if there is no such limit. */
  async removeLimit(owner: GpuQuotaOwner, typeKey: string): Promise<boolean> {
    const key = limitsKey(owner);
    return (await replicatedWrite(this.#redis, key, (pipeline) => pipeline.hdel(key, typeKey))) === 1;
  }

  /** The projects with limits of their own. */
  async readOwners(): Promise<string[]> {
    const keys = { quotasPrefix: gpuKeys.quotas('') };
    const owners = new Set<string>();
    let cursor = '0';
    do {
      const page = await listQuotaOwnersScript.run(this.#redis, keys, { cursor });
      const [next, found] = page as [string, string[]];
      for (const projectId of found) owners.add(projectId);
      cursor = next;
    } while (cursor !== '0');
    return [...owners];
  }

  /** Removes the limits and the reservations of a project that is deleted. */
  async removeProject(projectId: string): Promise<void> {
    await this.#redis.del(gpuKeys.quotas(projectId), gpuKeys.reserved(projectId));
  }

  async readProject(projectId: string): Promise<GpuRecords> {
    const reply = await readGpusScript.run(this.#redis, keysOf(projectId));
    const [limits, defaults, reserved] = reply as [string[], string[], string[]];
    return {
      limits: parseLimits(pairs(limits)),
      defaults: parseLimits(pairs(defaults)),
      reserved: reserved.map((text) => JSON.parse(text) as ServerGpus),
    };
  }

  /**
   * Reserves GPUs for a running job until its end. Returns what the project would exceed; null if the GPUs
   * are reserved.
   *
   * @param listServers lists the project's servers that hold GPUs; called only if a limit applies
   */
  async reserve(
    job: { id: string; projectId: string },
    requested: GpuCounts,
    listServers: () => Promise<ServerGpus[]>,
  ): Promise<ExceededGpus[] | null> {
    let reply = await this.#tryReserve(job, requested, '', '');
    while (reply[0] === 'list') {
      const servers = await listServers();
      reply = await this.#tryReserve(job, requested, JSON.stringify(servers), reply[1]);
    }
    // The end of the job refuses all further writes of this run.
    if (reply[0] !== 'exceeded') return null;
    return JSON.parse(reply[1]) as ExceededGpus[];
  }

  /**
   * Reserves GPUs for a server that is about to get them back, while the action asks the compute service for
   * that. Afterwards the list of servers contains the GPUs, or they are kept until it does. If the project
   * would exceed a quota, returns what it would exceed and does not run the action; otherwise returns null.
   */
  async whileReserved(
    server: { id: string; projectId: string },
    requested: GpuCounts,
    listServers: () => Promise<ServerGpus[]>,
    action: () => Promise<void>,
    kept: KeptGpus | null = null,
  ): Promise<ExceededGpus[] | null> {
    const keys = { record: jobKeys.record(server.id), reserved: gpuKeys.reserved(server.projectId) };
    await holdGpusScript.run(this.#redis, { record: keys.record }, { seconds: HOLD_SECONDS });
    let isAccepted = false;
    try {
      const exceeded = await this.reserve(server, requested, listServers);
      if (exceeded === null) await action();
      isAccepted = exceeded === null;
      return exceeded;
    } finally {
      const ended = { holder: server.id, release: newId() };
      const end =
        isAccepted && kept !== null
          ? this.#keep(keys, { ...ended, gpus: JSON.stringify(kept.gpus), seconds: kept.seconds })
          : releaseHeldGpusScript.run(this.#redis, keys, ended);
      // Without the store, the reservation expires.
      await end.catch(() => {});
    }
  }

  #keep(
    keys: { record: string; reserved: string },
    args: { holder: string; release: string; gpus: string; seconds: number },
  ): Promise<unknown> {
    return keepGpusScript.runReplicated(this.#redis, keys, args);
  }

  async #tryReserve(
    { id, projectId }: { id: string; projectId: string },
    requested: GpuCounts,
    servers: string,
    lastRelease: string,
  ): Promise<Reply> {
    const keys = { ...keysOf(projectId), record: jobKeys.record(id) };
    const args = { job: id, requested: JSON.stringify(requested), servers, lastRelease };
    const reply = await reserveGpusScript.runReplicated(this.#redis, keys, args);
    return reply as Reply;
  }
}

/** Longer than the action takes. If the process dies, the reservation lasts for this time. */
const HOLD_SECONDS = 120;

function keysOf(projectId: string) {
  return {
    recordPrefix: jobKeys.record(''),
    reserved: gpuKeys.reserved(projectId),
    quotas: gpuKeys.quotas(projectId),
    defaults: gpuKeys.defaults,
  };
}

function limitsKey(owner: GpuQuotaOwner): string {
  return owner === 'defaults' ? gpuKeys.defaults : gpuKeys.quotas(owner.projectId);
}

function pairs(reply: readonly string[]): Record<string, string> {
  const entries = reply.flatMap((field, index) => (index % 2 === 0 ? [[field, reply[index + 1]]] : []));
  return Object.fromEntries(entries) as Record<string, string>;
}

function parseLimits(fields: Record<string, string>): GpuLimits {
  return Object.fromEntries(
    Object.entries(fields).map(([key, text]) => [key, parseStored<GpuLimit>(storedForms.gpuLimit, text)]),
  );
}
