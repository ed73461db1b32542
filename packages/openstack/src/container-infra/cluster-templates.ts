import type { ServiceClient } from '../service.ts';

export interface ClusterTemplateRecord {
  uuid: string;
  name: string;
  /** The orchestrator, such as `kubernetes`. */
  coe: string;
  public: boolean;
  /** Since API version 1.9. A hidden template is for existing clusters only. */
  hidden?: boolean;
  project_id: string | null;
  /** Name or id. */
  image_id: string | null;
  /** Name or id, like that of the control nodes. */
  flavor_id: string | null;
  master_flavor_id: string | null;
  keypair_id: string | null;
  network_driver: string | null;
  master_lb_enabled: boolean;
  floating_ip_enabled: boolean;
  labels: Record<string, string> | null;
  created_at: string | null;
}

export class ClusterTemplates {
  readonly #containerInfra: ServiceClient;

  constructor(containerInfra: ServiceClient) {
    this.#containerInfra = containerInfra;
  }

  /** Administrators get the templates of all projects, and hidden ones. */
  list(): Promise<ClusterTemplateRecord[]> {
    return this.#containerInfra.list('clusterTemplates.list', '/clustertemplates/detail', 'clustertemplates');
  }
}
