import { toTimestamp } from '@gateway/core';
import type {
  AgentRecord,
  ConductorRecord,
  OrchestrationServiceRecord,
  StoragePoolRecord,
} from '@gateway/openstack';

/** A process of a service. */
export interface ServiceRow {
  /** Null for services without ids. */
  id: string | null;
  binary: string;
  host: string;
  /** `enabled` or `disabled`. */
  status: string;
  /** `up` or `down`. */
  state: string;
  zone: string | null;
  updated_at: string | null;
  disabled_reason: string | null;
}

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

export interface AgentRow {
  id: string;
  binary: string;
  host: string;
  agent_type: string;
  availability_zone: string | null;
  alive: boolean;
  admin_state_up: boolean;
  updated_at: string | null;
}

export function presentAgent(agent: AgentRecord): AgentRow {
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

/** Sizes in GB: -1 without a limit, null if unknown. */
export interface StoragePool {
  name: string;
  volume_backend_name: string;
  driver_version: string;
  storage_protocol: string;
  vendor_name: string;
  total_capacity_gb: number | null;
  free_capacity_gb: number | null;
  allocated_capacity_gb: number | null;
}

export function presentPool({ name, capabilities: pool }: StoragePoolRecord): StoragePool {
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
