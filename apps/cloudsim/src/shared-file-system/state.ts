import type { JsonObject } from '../common/json.ts';

export interface ShareType {
  id: string;
  name: string;
  isDefault: boolean;
}

export interface ExportLocation {
  id: string;
  path: string;
  preferred: boolean;
  /** Reachable by administrators only. */
  adminOnly: boolean;
}

export interface Share {
  id: string;
  projectId: string;
  userId: string;
  name: string | null;
  description: string | null;
  /** Null at the end of a deletion. */
  status: string | null;
  sizeGb: number;
  protocol: string;
  typeId: string;
  networkId: string | null;
  isPublic: boolean;
  metadata: Record<string, string>;
  exports: ExportLocation[];
  createdMs: number;
}

export interface AccessRule {
  id: string;
  shareId: string;
  type: string;
  to: string;
  level: string;
  state: string;
  key: string | null;
  metadata: Record<string, string>;
  createdMs: number;
  /** When the rule got its key. Becoming active does not count as an update. */
  updatedMs: number | null;
}

export interface ShareSnapshot {
  id: string;
  shareId: string;
  projectId: string;
  userId: string;
  name: string | null;
  status: string;
  sizeGb: number;
  protocol: string;
  metadata: Record<string, string>;
  createdMs: number;
}

export interface ShareNetwork {
  id: string;
  projectId: string;
  name: string | null;
  description: string | null;
  status: string;
  metadata: Record<string, string>;
  /** Of the network service. */
  networkId: string | null;
  subnetId: string | null;
  createdMs: number;
}

export interface SecurityService {
  id: string;
  projectId: string;
  name: string | null;
  status: string;
  metadata: Record<string, string>;
  type: string;
  /** The fields of its creation. */
  given: JsonObject;
  /** The share networks that use it. */
  shareNetworkIds: string[];
  createdMs: number;
}

export interface SharedFileSystemState {
  types: Map<string, ShareType>;
  shares: Map<string, Share>;
  rules: Map<string, AccessRule>;
  snapshots: Map<string, ShareSnapshot>;
  shareNetworks: Map<string, ShareNetwork>;
  securityServices: Map<string, SecurityService>;
  quotas: Map<string, Record<string, number>>;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const sharedFileSystemKinds = {
  types: null,
  shares: 'shares',
  rules: null,
  snapshots: null,
  shareNetworks: null,
  securityServices: null,
} as const;

export function emptySharedFileSystem(): SharedFileSystemState {
  return {
    types: new Map(),
    shares: new Map(),
    rules: new Map(),
    snapshots: new Map(),
    shareNetworks: new Map(),
    securityServices: new Map(),
    quotas: new Map(),
  };
}
