/** The root of all paths of the service. */
export const LBAAS = '/lbaas';

/** The common fields of all records of the load balancer service. */
export interface LoadBalancingRecord {
  id: string;
  name: string | null;
  project_id: string;
  /** `ACTIVE`, `ERROR`, `PENDING_CREATE`, `PENDING_UPDATE`, `PENDING_DELETE`. */
  provisioning_status: string;
  /** `ONLINE`, `OFFLINE`, `DEGRADED`, `ERROR`, `NO_MONITOR`, … */
  operating_status: string;
}

/** A reference to another record. */
export interface Reference {
  id: string;
}
