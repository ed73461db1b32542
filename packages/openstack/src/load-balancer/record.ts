import { item, key, text } from '../records/fields.ts';

/** The root of all paths of the service. */
export const LBAAS = '/lbaas';

/** The common fields of all records of the load balancer service. */
export const commonFields = {
  id: key(),
  name: text(),
  project_id: text(),
  /** `ACTIVE`, `ERROR`, `PENDING_CREATE`, `PENDING_UPDATE`, `PENDING_DELETE`. */
  provisioning_status: text('UNKNOWN'),
  /** `ONLINE`, `OFFLINE`, `DEGRADED`, `ERROR`, `NO_MONITOR`, … */
  operating_status: text('UNKNOWN'),
};

/** A reference to another record. */
export const reference = item({ id: key() });
