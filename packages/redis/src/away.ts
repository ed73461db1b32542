/**
 * True for the errors by which a command tells that Redis can not be reached, did not answer in time, or takes
 * no command (no write) for now.
 */
export function isRedisAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (AWAY_NAMES.has(thrown.name)) return true;
  const { code, previousErrors } = thrown as Error & { code?: unknown; previousErrors?: unknown };
  if (typeof code === 'string' && AWAY_CODES.has(code)) return true;
  const [answer = ''] = thrown.message.split(' ', 1);
  if (AWAY_ANSWERS.has(answer)) return true;
  if (AWAY_TEXTS.some((text) => thrown.message.includes(text))) return true;
  // A transaction is given up because of its commands, and they say why.
  return Array.isArray(previousErrors) && previousErrors.some(isRedisAway);
}

const AWAY_NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);

const AWAY_CODES = new Set([
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

/** The words that a server begins its refusal with. */
const AWAY_ANSWERS = new Set([
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

/** ioredis gives these no class or code of their own. */
const AWAY_TEXTS = [
  'Connection is closed',
  // An AbortError by name, as those of signals are, which have nothing to do with Redis.
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
