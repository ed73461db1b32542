import { type Redis, setReplicatedWrite, unreplicatedWrite } from '@gateway/store';

/** Sends each replicated write twice, as a client does whose connection breaks before the response. */
export function sendTwice(redis: Redis): void {
  setReplicatedWrite(redis, async (...write) => {
    await unreplicatedWrite(...write);
    return unreplicatedWrite(...write);
  });
}

/** The keys of the replicated writes of the connection, from now on. */
export function keysOfReplicatedWrites(redis: Redis): string[] {
  const keys: string[] = [];
  setReplicatedWrite(redis, (connection, key, write) => {
    keys.push(key);
    return unreplicatedWrite(connection, key, write);
  });
  return keys;
}
