import { flag, key, mapOf, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { labelValue } from './label-value.ts';

const clusterTemplateRecord = declareRecord('containerInfra', 'cluster_template', {
  uuid: key(),
  name: text(),
  /** The orchestrator, such as `kubernetes`. */
  coe: text(),
  public: flag(false),
  /** Since API version 1.9. A hidden template is for existing clusters only. */
  hidden: flag(false),
  project_id: textOrNull(),
  /** Name or id, as the next two; empty if a cluster must name one. */
  image_id: text(),
  flavor_id: text(),
  master_flavor_id: text(),
  keypair_id: text(),
  network_driver: text(),
  master_lb_enabled: flag(false),
  floating_ip_enabled: flag(false),
  labels: mapOf(labelValue),
  created_at: textOrNull(),
});

export type ClusterTemplateRecord = RecordOf<typeof clusterTemplateRecord>;

export class ClusterTemplates {
  readonly #containerInfra: ServiceClient;

  constructor(containerInfra: ServiceClient) {
    this.#containerInfra = containerInfra;
  }

  /** Administrators get the templates of all projects, and hidden ones. */
  list(): Promise<ClusterTemplateRecord[]> {
    return this.#containerInfra.list(
      'clusterTemplates.list',
      '/clustertemplates/detail',
      'clustertemplates',
      clusterTemplateRecord,
    );
  }
}
