/**
 * The parts of Kubernetes objects that the gateway reads. A hostile server may send anything in their place.
 */

export interface NodeObject {
  metadata?: { name?: string; labels?: Record<string, string> };
  spec?: { unschedulable?: boolean };
  status?: {
    conditions?: { type?: string; status?: string }[];
    nodeInfo?: { kubeletVersion?: string };
  };
}

export interface PodObject {
  metadata?: {
    namespace?: string;
    name?: string;
    uid?: string;
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
    ownerReferences?: { controller?: boolean; kind?: string }[];
  };
  status?: { phase?: string };
}

export interface ListOf<T> {
  items?: T[];
}
