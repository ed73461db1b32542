import { toTimestamp } from '@gateway/core';
import type {
  AgentRecord,
  ConductorRecord,
  OrchestrationServiceRecord,
  StoragePoolRecord,
} from '@gateway/openstack';
import type { ServiceStatus } from './service-status-shape.ts';

/** A process of a service. */
type ServiceRow = ServiceStatus['compute'][number];

interface ServiceProcess {
  id?: string | number | null;
  binary: string;
  host: string;
  status: string;
  state: string;
  zone: string;
  updated_at: string | null;
  disabled_reason?: string | null;
}

export function presentService(process: ServiceProcess): ServiceRow {
  return {
    id: process.id === undefined || process.id === null ? null : String(process.id),
    binary: process.binary,
    host: process.host,
    status: process.status,
    state: process.state,
    zone: process.zone,
    updated_at: toTimestamp(process.updated_at),
    disabled_reason: process.disabled_reason ?? null,
  };
}

export function presentConductor(conductor: ConductorRecord): ServiceRow {
  return {
    id: conductor.id === null ? null : String(conductor.id),
    binary: conductor.binary,
    host: conductor.host,
    status: conductor.disabled ? 'disabled' : 'enabled',
    state: conductor.state,
    zone: conductor.availability_zone,
    updated_at: toTimestamp(conductor.updated_at),
    disabled_reason: conductor.disabled_reason,
  };
}

/** Engines cannot be disabled. */
export function presentEngine(engine: OrchestrationServiceRecord): ServiceRow {
  return {
    id: engine.id,
    binary: engine.binary,
    host: engine.hostname || engine.host,
    status: 'enabled',
    state: engine.status,
    zone: null,
    updated_at: toTimestamp(engine.updated_at),
    disabled_reason: null,
  };
}

export function presentAgent(agent: AgentRecord): ServiceStatus['network'][number] {
  return {
    id: agent.id,
    binary: agent.binary,
    host: agent.host,
    agent_type: agent.agent_type,
    availability_zone: agent.availability_zone || null,
    alive: agent.alive,
    admin_state_up: agent.admin_state_up,
    updated_at: toTimestamp(agent.heartbeat_timestamp),
  };
}

export function presentPool({
  name,
  capabilities: pool,
}: StoragePoolRecord): ServiceStatus['storage_pools'][number] {
  return {
    name,
    volume_backend_name: pool.volume_backend_name,
    driver_version: pool.driver_version,
    // Some drivers list several names for their protocol. The first is displayed.
    storage_protocol: [pool.storage_protocol].flat()[0] ?? '',
    vendor_name: pool.vendor_name,
    total_capacity_gb: capacityOf(pool.total_capacity_gb),
    free_capacity_gb: capacityOf(pool.free_capacity_gb),
    allocated_capacity_gb: pool.allocated_capacity_gb,
  };
}

function capacityOf(value: number | 'infinite' | null): number | null {
  return value === 'infinite' ? -1 : value;
}
