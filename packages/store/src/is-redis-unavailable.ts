/**
 * True for errors of commands when Redis is unreachable, did not respond in time, or rejects
 * commands or writes for now.
 */
export function isRedisUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (UNAVAILABLE_NAMES.has(thrown.name)) return true;
  const { code, previousErrors } = thrown as Error & { code?: unknown; previousErrors?: unknown };
  if (typeof code === 'string' && UNAVAILABLE_CODES.has(code)) return true;
  const [reply = ''] = thrown.message.split(' ', 1);
  if (UNAVAILABLE_REPLIES.has(reply)) return true;
  if (UNAVAILABLE_TEXTS.some((text) => thrown.message.includes(text))) return true;
  // An aborted transaction contains the errors of its commands.
  return Array.isArray(previousErrors) && previousErrors.some(isRedisUnavailable);
}

const UNAVAILABLE_NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'NotReadyError']);

const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** First word of a server's error reply. */
const UNAVAILABLE_REPLIES = new Set([
  'LOADING',
  'READONLY',
  'MASTERDOWN',
  'NOREPLICAS',
  'MISCONF',
  'OOM',
  'BUSY',
  'UNBLOCKED',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'MOVED',
  'ASK',
]);

/** ioredis has no class or code for these errors. */
const UNAVAILABLE_TEXTS = [
  'Connection is closed',
  // Its name is AbortError, like that of aborted signals.
  'Command aborted due to connection close',
  'Cluster is ended',
  'No subscriber for the cluster',
  'Socket timeout',
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Command timed out',
  'ECONNREFUSED',
  'ECONNRESET',
  'All sentinels are unreachable',
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Too many Cluster redirections',
  'Failed to refresh slots cache',
  'None of startup nodes is available',
  'Node is disconnected',
  'All keys in the pipeline should belong to the same slots allocation group',
];
