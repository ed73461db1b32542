import type { FirstBootOwner } from './state.ts';

/**
 * Keys of the first boots of instances. The braces put all of them into one slot of a Redis Cluster, because
 * scripts change several at once and lists read many.
 */
export const firstBootKeys = {
  /** A hash: the hashes of the secrets with which a machine reports, each with the last report. */
  secrets: (owner: FirstBootOwner) => `{first-boot}:secrets:${ownerText(owner)}`,
  /** JSON: a `FirstBootState`. */
  state: (owner: FirstBootOwner) => `{first-boot}:state:${ownerText(owner)}`,
  /** A sorted set by time: the instances whose latest boot failed within the last day, as `ownerText`. */
  failures: '{first-boot}:failures',
  /** Exists while no process may read the console log of the instance. */
  consoleTurn: (owner: FirstBootOwner) => `{first-boot}:console:${ownerText(owner)}`,
};

export function ownerText({ projectId, jobId }: FirstBootOwner): string {
  return `${projectId}.${jobId}`;
}

/** Null for a text that names no instance. */
export function parseOwner(text: string): FirstBootOwner | null {
  const at = text.lastIndexOf('.');
  return at < 1 ? null : { projectId: text.slice(0, at), jobId: text.slice(at + 1) };
}
