/** True for the errors by which a command tells that Redis can not be reached or did not answer in time. */
export function isRedisAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return (
    thrown.name === 'MaxRetriesPerRequestError' ||
    thrown.name === 'AbortError' ||
    AWAY.some((text) => thrown.message.includes(text))
  );
}

/** ioredis gives these no class or code of their own. */
const AWAY = [
  'Connection is closed',
  'Socket timeout',
  "Stream isn't writeable and enableOfflineQueue options is false",
  'ECONNREFUSED',
  'ECONNRESET',
  'LOADING Redis is loading',
  'READONLY You can',
];
