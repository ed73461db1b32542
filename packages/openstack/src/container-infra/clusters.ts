import { sleep } from '@gateway/core';
import { UpstreamError } from '../errors/index.ts';
import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface ClusterRecord {
  uuid: string;
  name: string;
  project_id: string;
  /** `CREATE_IN_PROGRESS`, `CREATE_COMPLETE`, `CREATE_FAILED`, `DELETE_IN_PROGRESS`, … */
  status: string;
  status_reason: string | null;
  cluster_template_id: string;
  master_count: number;
  node_count: number;
  /** Null until the cluster has its control node. */
  api_address: string | null;
  coe_version: string | null;
  keypair: string | null;
  /** Minutes. */
  create_timeout: number | null;
  /** Those of the request, with those of the template. */
  labels?: Record<string, string>;
  stack_id: string | null;
  created_at: string | null;
  updated_at: string | null;
}

export interface ClusterCreate {
  name: string;
  cluster_template_id: string;
  node_count: number;
  master_count: number;
  keypair?: string;
  labels?: Record<string, string>;
  /** Adds the labels to those of the template, which they replace otherwise. */
  merge_labels?: true;
}

const READ_ATTEMPTS = 4;
const READ_DELAY_MS = 100;

export class Clusters {
  readonly #containerInfra: ServiceClient;

  constructor(containerInfra: ServiceClient) {
    this.#containerInfra = containerInfra;
  }

  /** Administrators get the clusters of all projects. */
  list(): Promise<ClusterRecord[]> {
    return readAgain(() => this.#containerInfra.list('clusters.list', '/clusters/detail', 'clusters'));
  }

  /** `id` may also be the cluster's name. */
  get(id: string): Promise<ClusterRecord> {
    return readAgain(() => this.#containerInfra.get('clusters.get', path`/clusters/${id}`));
  }

  /** Returns the id of the new cluster. */
  async create(cluster: ClusterCreate): Promise<string> {
    const { uuid } = await this.#containerInfra.post<{ uuid: string }>(
      'clusters.create',
      '/clusters',
      cluster,
    );
    return uuid;
  }

  remove(id: string): Promise<void> {
    return this.#containerInfra.remove('clusters.remove', path`/clusters/${id}`);
  }
}

/** During the deletion of a cluster, the service briefly responds to reads with 400. */
async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      const isHalfGone = error instanceof UpstreamError && error.upstreamStatus === 400;
      if (!isHalfGone || attempt === READ_ATTEMPTS) throw error;
      await sleep(READ_DELAY_MS * attempt);
    }
  }
}
