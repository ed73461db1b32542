import { sweptJobs } from '@gateway/jobs';
import { Redis } from 'ioredis';
import { KEY_PREFIX } from './rig-stack.ts';

/** What the gateway has stored. */
export class RigStore {
  readonly #redis: Redis;

  constructor(redisUrl: string) {
    this.#redis = new Redis(redisUrl, { keyPrefix: KEY_PREFIX, maxRetriesPerRequest: null });
    this.#redis.on('error', () => {});
  }

  /** The number of ended jobs whose leftovers and late results are still searched for. */
  async sweptJobs(): Promise<number> {
    return (await sweptJobs(this.#redis)).length;
  }

  /** The names of the secrets that the record of a cluster holds. */
  async secretsOf(clusterId: string): Promise<string[]> {
    const fields = await this.#redis.hkeys(`{lite}:cluster:${clusterId}`);
    return fields.filter((name) => name.startsWith('secret:'));
  }

  /** The id of the application credential in the record of a cluster. */
  async credentialOf(clusterId: string): Promise<string> {
    const credential = await this.#redis.hget(`{lite}:cluster:${clusterId}`, 'credential');
    return (JSON.parse(credential ?? 'null') as { id: string } | null)?.id ?? '';
  }

  /** Makes a cluster one of those that were created without a plugin. */
  async removePlugin(clusterId: string, plugin: string): Promise<void> {
    const key = `{lite}:cluster:${clusterId}`;
    const plugins = JSON.parse((await this.#redis.hget(key, 'plugins')) ?? '[]') as string[];
    await this.#redis.hset(key, 'plugins', JSON.stringify(plugins.filter((one) => one !== plugin)));
  }

  close(): void {
    this.#redis.disconnect();
  }
}
