import {
  type CacheKey,
  cacheKeyFor,
  type ListCache,
  type ListReader,
  type LoadOptions,
  type RowInTransition,
  type VaryBy,
} from '@gateway/cache';
import { type Clock, parseJson, type ResourceName } from '@gateway/core';
import type { GpuRecords, OwnerReaders } from '@gateway/inventory';
import type { FirstBootState } from '@gateway/libraries';
import { type BoundClient, noteLeftOut, watchLeftOut } from '@gateway/openstack';
import type { CacheConfig, Config, TimeLimits } from '@gateway/platform';
import type { Actor } from '../actions/rule.ts';
import { rowsInTransition } from '../transitions/in-transition.ts';

/** The declaration of a cached list. */
export interface CachedListDeclaration<T> {
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
  lifetime: Exclude<keyof CacheConfig, 'transitionSeconds' | 'transitionLimitSeconds' | 'processBytes'>;
  /**
   * The rows of the response whose presenters mark states that end by themselves (`markTransition`). While
   * one of them is expected to change, the list lives for at most `transitionSeconds`.
   */
  rowsWithStates?(response: T): readonly object[];
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
  /** The list shows rows in transition of another list (`hasRowsInTransition`), and lives no longer. */
  onTransition(): void;
  /** Whether to bypass the cache. */
  refresh: boolean;
}

/** Incomplete responses, and responses that lack rows which could not be read. */
const [incomplete, lacking] = [new WeakSet<object>(), new WeakSet<object>()];
/** Responses with rows in transition, of this list or of one within it. */
const inTransition = new WeakSet<object>();

/** Stands for all that an incomplete response lacks: what lacks for long is not read more often either. */
const INCOMPLETE: RowInTransition = { id: '', state: 'incomplete', changedAt: null };

/** Whether a response that was read has rows that are still expected to change. */
export function hasRowsInTransition(response: object): boolean {
  return inTransition.has(response);
}

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

  /** How a result of `load` is kept. */
  keeping(
    lifetimes: CacheConfig,
  ): Required<Pick<LoadOptions, 'isComplete' | 'lacksRows' | 'rowsInTransition' | 'ttlSeconds'>> {
    const seconds = lifetimes[this.#declaration.lifetime];
    const short = Math.min(seconds, lifetimes.transitionSeconds);
    return {
      ttlSeconds: (response, isInTransition) =>
        isInTransition || isIn(inTransition, response) ? short : seconds,
      isComplete: (response) => !isIn(incomplete, response),
      lacksRows: (response) => isIn(lacking, response),
      rowsInTransition: (response) => this.#rowsInTransition(response as T),
    };
  }

  /** Null if nothing in the list is ever in transition. */
  #rowsInTransition(response: T): readonly RowInTransition[] | null {
    const { rowsWithStates } = this.#declaration;
    const rows = rowsWithStates === undefined ? null : rowsInTransition(rowsWithStates(response));
    return isIn(incomplete, response) ? [...(rows ?? []), INCOMPLETE] : rows;
  }

  /** Reads the list from the cloud. */
  async load(sources: ListSources, refresh = false): Promise<T> {
    const conditions = new Set<WeakSet<object>>();
    const { result, leftOut } = await watchLeftOut(() =>
      this.#declaration.load({
        ...sources,
        onIncomplete: () => conditions.add(incomplete),
        onTransition: () => conditions.add(inTransition),
        refresh,
      }),
    );
    if (leftOut) conditions.add(lacking);
    for (const condition of conditions) addTo(condition, result);
    return result;
  }

  /** Reads the list through the cache, or bypasses it with `refresh`. Returns the parsed response. */
  async read(sources: ListSources | LoadSources, refresh = false): Promise<T> {
    const { cache, lifetimes, reader } = sources;
    const { body, isComplete, isInTransition, lacksRows } = await cache.getOrLoad(this.keyFor(reader), {
      ...this.keeping(lifetimes),
      load: () => this.load(sources, refresh),
      refresh,
    });
    if (!isComplete && 'onIncomplete' in sources) sources.onIncomplete();
    if (lacksRows) noteLeftOut();
    const response = (await parseJson([body])) as T;
    if (isInTransition) addTo(inTransition, response);
    return response;
  }
}

function isIn(responses: WeakSet<object>, response: unknown): boolean {
  return typeof response === 'object' && response !== null && responses.has(response);
}

function addTo(responses: WeakSet<object>, response: unknown): void {
  if (typeof response === 'object' && response !== null) responses.add(response);
}
