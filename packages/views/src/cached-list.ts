import { type CacheKey, cacheKeyFor, type ListCache, type ListReader, type VaryBy } from '@gateway/cache';
import type { CacheConfig, Config, TimeLimits } from '@gateway/config';
import { type Clock, parseJson } from '@gateway/core';
import type { GpuRecords } from '@gateway/gpu';
import type { OwnerReaders } from '@gateway/leftovers';
import type { FirstBootState } from '@gateway/libraries';
import { type BoundClient, noteLeftOut, watchLeftOut } from '@gateway/openstack';
import type { Actor } from './actions/rule.ts';
import type { ResourceName } from './resource-name.ts';

/** The declaration of a cached list. */
interface CachedListDeclaration<T> {
  /** Unique among all lists: part of the cache key, and a metric label. */
  name: string;
  /** The readers that share a response. At least as narrow as that of every other list that `load` reads. */
  varyBy: VaryBy;
  /**
   * The resources in the response, including those from other lists. A write that changes one
   * of them drops the list.
   */
  dependsOn: readonly ResourceName[];
  /** The configuration key of its lifetime in seconds. */
  lifetime: Exclude<keyof CacheConfig, 'transitionSeconds' | 'processBytes'>;
  /** True while a row is about to change by itself. The list then lives for at most `transitionSeconds`. */
  isInTransition?(rows: T): boolean;
  /**
   * Reads the list. The number of upstream calls does not depend on the number of rows. Calls
   * `sources.onIncomplete` if the result is incomplete because a service is unavailable.
   */
  load(sources: LoadSources): Promise<T>;
}

/** Who reads a list, with the name of the project from the token. */
interface NamedReader extends ListReader {
  projectName: string;
}

export interface ListSources extends Actor {
  /** Bound to the reader. */
  openstack: BoundClient;
  reader: NamedReader;
  cache: ListCache;
  lifetimes: CacheConfig;
  clock: Clock;
  config: Pick<Config, 'gpu' | 'libraries' | 'services'> & {
    instances: Pick<Config['instances'], 'disksAreShared'>;
    jobs: Pick<Config['jobs'], 'keepSeconds' | 'lateCallSeconds'>;
    timeLimits: Pick<TimeLimits, 'dashboardPartSeconds' | 'firstBootSeconds'>;
  };
  /** The cloud with the rights of the gateway's own user; null without one. */
  serviceUser(): Promise<BoundClient | null>;
  /** The lite clusters of all projects that are not deleted. */
  countLiteClusters(): Promise<number>;
  /** The GPU quotas of a project, and the GPUs that its unfinished jobs have reserved. */
  readGpuRecords(projectId: string): Promise<GpuRecords>;
  /** The states of the first boots of a project's instances, by the jobs that created the instances. */
  readFirstBoots(projectId: string, jobIds: readonly string[]): Promise<ReadonlyMap<string, FirstBootState>>;
  /** Jobs and lite clusters of all projects. */
  owners: OwnerReaders;
}

/** The sources of a declaration's `load`. */
export interface LoadSources extends ListSources {
  /**
   * The list is incomplete for now, so it and the lists that depend on it live for at
   * most `transitionSeconds`.
   */
  onIncomplete(): void;
  /** Whether to bypass the cache. */
  refresh: boolean;
}

/** Incomplete responses, and responses that lack rows which could not be read. */
const [incomplete, lacking] = [new WeakSet<object>(), new WeakSet<object>()];

/** A list of a project that is cached for a while. */
export class CachedList<T> {
  readonly name: string;
  readonly varyBy: VaryBy;
  readonly dependsOn: readonly ResourceName[];
  readonly #declaration: CachedListDeclaration<T>;
  readonly #keys = new WeakMap<ListReader, CacheKey>();

  constructor(declaration: CachedListDeclaration<T>) {
    this.name = declaration.name;
    this.varyBy = declaration.varyBy;
    this.dependsOn = declaration.dependsOn;
    this.#declaration = declaration;
  }

  keyFor(reader: ListReader): CacheKey {
    const known = this.#keys.get(reader);
    if (known !== undefined) return known;
    const key = cacheKeyFor(this, reader);
    this.#keys.set(reader, key);
    return key;
  }

  ttlSeconds(lifetimes: CacheConfig, rows: T): number {
    const seconds = lifetimes[this.#declaration.lifetime];
    const isPassing = !this.isComplete(rows) || this.isInTransition(rows);
    return isPassing ? Math.min(seconds, lifetimes.transitionSeconds) : seconds;
  }

  /** Whether a row is about to change by itself. */
  isInTransition(rows: T): boolean {
    return this.#declaration.isInTransition?.(rows) === true;
  }

  /** Whether the result of `load` is complete. */
  isComplete(rows: T): boolean {
    return !isIn(incomplete, rows);
  }

  /** Whether rows were left out of the result of `load` because they cannot be read. */
  lacksRows(rows: T): boolean {
    return isIn(lacking, rows);
  }

  /** Reads the list from the cloud. */
  async load(sources: ListSources, refresh = false): Promise<T> {
    let isIncomplete = false;
    const onIncomplete = () => {
      isIncomplete = true;
    };
    const { result: rows, leftOut } = await watchLeftOut(() =>
      this.#declaration.load({ ...sources, onIncomplete, refresh }),
    );
    if (isIncomplete) addTo(incomplete, rows);
    if (leftOut) addTo(lacking, rows);
    return rows;
  }

  /** Reads the list through the cache, or bypasses it with `refresh`. Returns the parsed response. */
  async read(sources: ListSources | LoadSources, refresh = false): Promise<T> {
    const { cache, lifetimes, reader } = sources;
    const { body, isComplete, lacksRows } = await cache.getOrLoad(this.keyFor(reader), {
      ttlSeconds: (rows) => this.ttlSeconds(lifetimes, rows as T),
      isComplete: (rows) => this.isComplete(rows as T),
      lacksRows: (rows) => this.lacksRows(rows as T),
      load: () => this.load(sources, refresh),
      refresh,
    });
    if (!isComplete && 'onIncomplete' in sources) sources.onIncomplete();
    if (lacksRows) noteLeftOut();
    return (await parseJson(body.toString())) as T;
  }
}

function isIn(responses: WeakSet<object>, rows: unknown): boolean {
  return typeof rows === 'object' && rows !== null && responses.has(rows);
}

function addTo(responses: WeakSet<object>, rows: unknown): void {
  if (typeof rows === 'object' && rows !== null) responses.add(rows);
}
