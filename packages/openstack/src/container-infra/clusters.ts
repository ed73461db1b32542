import { sleep } from '@gateway/core';
import { UpstreamError } from '../errors/index.ts';
import { integerOr, integerOrNull, key, mapOrNull, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';
import { labelValue } from './label-value.ts';

const clusterRecord = declareRecord('containerInfra', 'cluster', {
  uuid: key(),
  name: text(),
  project_id: text(),
  /** `CREATE_IN_PROGRESS`, `CREATE_COMPLETE`, `CREATE_FAILED`, `DELETE_IN_PROGRESS`, … */
  status: text('UNKNOWN'),
  status_reason: text(),
  cluster_template_id: text(),
  master_count: integerOr(0),
  node_count: integerOr(0),
  /** Empty until the cluster has its control node. */
  api_address: text(),
  coe_version: text(),
  keypair: text(),
  /** Minutes. */
  create_timeout: integerOrNull(),
  /** Those of the request, with those of the template. Null if the service does not say them. */
  labels: mapOrNull(labelValue),
  stack_id: textOrNull(),
  created_at: textOrNull(),
  updated_at: textOrNull(),
});

export type ClusterRecord = RecordOf<typeof clusterRecord>;

const createdCluster = declareRecord('containerInfra', 'created_cluster', { uuid: key() });

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
    return readAgain(() =>
      this.#containerInfra.list('clusters.list', '/clusters/detail', 'clusters', clusterRecord),
    );
  }

  /** `id` may also be the cluster's name. */
  get(id: string): Promise<ClusterRecord> {
    return readAgain(() =>
      this.#containerInfra.getRecord('clusters.get', path`/clusters/${id}`, null, clusterRecord),
    );
  }

  /** Returns the id of the new cluster. */
  async create(cluster: ClusterCreate): Promise<string> {
    const { uuid } = await this.#containerInfra.postRecord(
      'clusters.create',
      '/clusters',
      null,
      createdCluster,
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
