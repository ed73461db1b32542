import {
  type Clock,
  formatStored,
  mapInSlices,
  newId,
  parseStored,
  reportHash,
  secretsAfter,
  storedForms,
} from '@gateway/core';
import { type Redis, replicatedWrite, takeLock } from '@gateway/store';
import { firstBootKeys, ownerText, parseOwner } from './keys.ts';
import { acceptReportScript, keepConsoleResultScript } from './scripts.ts';
import { newToken, parseToken, tokenText } from './secret.ts';
import type { FirstBootOwner, FirstBootReport, FirstBootState } from './state.ts';

interface FirstBootsOptions {
  redis: Redis;
  clock: Clock;
  /** How long the state of an instance is kept after its last report. */
  keepSeconds: number;
}

/**
 * `repeated`: the same report was accepted before. `outdated`: a later report of the same boot was accepted.
 * `refused`: the secret is unknown or no longer valid.
 */
type Outcome = 'accepted' | 'repeated' | 'outdated' | 'refused';

/** A state with its stored text, by which a change since then is noticed. */
export interface StoredFirstBootState extends FirstBootState {
  text: string;
}

/**
 * The number of secrets after the current one that are accepted too, for a store that was set back. A machine
 * replaces its secret at the end of each boot, and every few minutes while its work fails and is repeated.
 */
const SECRETS_AHEAD = 32;
const DAY_MS = 86_400_000;
const CONSOLE_TURN_MS = 60_000;

/**
 * The states of the first boots of instances with libraries, and the secrets with which the instances report
 * them. Only hashes of secrets are stored. A final report replaces its secret by one that both sides derive
 * from it, so that the secret in first-boot data is of no use after the first boot. See decision 28.
 */
export class FirstBoots {
  readonly #options: FirstBootsOptions;

  constructor(options: FirstBootsOptions) {
    this.#options = options;
  }

  /**
   * Issues the token of an instance that the job is about to create. Earlier tokens of the job stay valid: a
   * superseded run must not invalidate the token of the server that the current run created.
   */
  async issueToken(owner: FirstBootOwner): Promise<string> {
    const { redis, keepSeconds } = this.#options;
    const token = newToken(owner);
    const key = firstBootKeys.secrets(owner);
    const record = JSON.stringify({
      ...{ boot: '', sequence: 0, report: '', replaced: '' },
      ahead: hashesAfter(token.secret),
    });
    await replicatedWrite(redis, key, (pipeline) =>
      pipeline.hset(key, `secret:${reportHash(token.secret)}`, record).expire(key, keepSeconds),
    );
    return tokenText(token);
  }

  /** The id of the job of a token that is valid, or was valid last; null for another token. */
  async issuerOf(text: string): Promise<string | null> {
    const token = parseToken(text);
    if (token === null) return null;
    const { owner, secret } = token;
    const hash = reportHash(secret);
    const fields = await this.#options.redis.hgetall(firstBootKeys.secrets(owner));
    const isKnown = Object.entries(fields).some(
      ([field, value]) =>
        field === `secret:${hash}` ||
        field === `used:${hash}` ||
        (field.startsWith('secret:') && (JSON.parse(value) as { ahead?: string[] }).ahead?.includes(hash)),
    );
    return isKnown ? owner.jobId : null;
  }

  /** Stores a report. `owner` is null for a text that is not a token. */
  async accept(
    text: string,
    { boot, sequence, stage, result }: FirstBootReport,
  ): Promise<{ outcome: Outcome; owner: FirstBootOwner | null }> {
    const token = parseToken(text);
    if (token === null) return { outcome: 'refused', owner: null };
    const { redis, keepSeconds } = this.#options;
    const { owner, secret } = token;
    const { state, text: newState } = this.#newState({ stage, result, source: 'callback' });
    const keys = {
      secrets: firstBootKeys.secrets(owner),
      state: firstBootKeys.state(owner),
      failures: firstBootKeys.failures,
    };
    const outcome = await acceptReportScript.runReplicated(redis, keys, {
      owner: ownerText(owner),
      secret: reportHash(secret),
      next: hashesAfter(secret),
      report: reportHash(JSON.stringify([boot, sequence, stage, result])),
      ...{ boot, sequence, result, newState, keepSeconds },
      now: state.at,
      failuresSince: state.at - DAY_MS,
    });
    return { outcome: outcome as Outcome, owner };
  }

  /** The existing states of instances of a project, by their jobs. Reads them with one command. */
  async read(projectId: string, jobIds: readonly string[]): Promise<Map<string, StoredFirstBootState>> {
    const states = await this.#readAll(jobIds.map((jobId) => ({ projectId, jobId })));
    return new Map(states.map(({ owner, state }) => [owner.jobId, state]));
  }

  /** Whether this process may read the console log of the instance now: once a minute over all processes. */
  async takeConsoleTurn(owner: FirstBootOwner): Promise<boolean> {
    const lock = { key: firstBootKeys.consoleTurn(owner), holder: newId() };
    return takeLock(this.#options.redis, lock, CONSOLE_TURN_MS);
  }

  /**
   * Stores a result from the console log in place of the state that was read before. Returns the new state;
   * null if a report has changed the state since.
   */
  async keepConsoleResult(
    owner: FirstBootOwner,
    before: StoredFirstBootState | null,
    found: Pick<FirstBootState, 'stage' | 'result'>,
  ): Promise<FirstBootState | null> {
    const { redis, keepSeconds } = this.#options;
    const { state, text: newState } = this.#newState({ ...found, source: 'console' });
    const isStored = await keepConsoleResultScript.run(
      redis,
      { state: firstBootKeys.state(owner), failures: firstBootKeys.failures },
      {
        owner: ownerText(owner),
        expected: before?.text ?? '',
        isFailure: state.result === 'failed',
        ...{ newState, keepSeconds },
        now: state.at,
        failuresSince: state.at - DAY_MS,
      },
    );
    return isStored === 1 ? state : null;
  }

  /** The instances of all projects whose latest boot failed within the last day, the latest first. */
  async readFailures(limit: number): Promise<{ owner: FirstBootOwner; state: FirstBootState }[]> {
    const { redis, clock } = this.#options;
    const since = `(${clock.now() - DAY_MS}`;
    const texts = await redis.zrevrangebyscore(firstBootKeys.failures, '+inf', since, 'LIMIT', 0, limit);
    const states = await this.#readAll(texts.map(parseOwner).filter((owner) => owner !== null));
    return states.filter(({ state }) => state.result === 'failed');
  }

  /** Refuses all further reports of the instance, and removes its state. */
  async remove(owner: FirstBootOwner): Promise<void> {
    const { redis } = this.#options;
    await redis
      .pipeline()
      .del(firstBootKeys.secrets(owner), firstBootKeys.state(owner))
      .zrem(firstBootKeys.failures, ownerText(owner))
      .exec();
  }

  #newState(state: Omit<FirstBootState, 'at'>): { state: FirstBootState; text: string } {
    const complete = { ...state, at: this.#options.clock.now() };
    return { state: complete, text: formatStored(storedForms.firstBoot, complete) };
  }

  async #readAll(
    owners: readonly FirstBootOwner[],
  ): Promise<{ owner: FirstBootOwner; state: StoredFirstBootState }[]> {
    if (owners.length === 0) return [];
    const texts = await this.#options.redis.mget(owners.map(firstBootKeys.state));
    const read = owners.map((owner, index) => ({ owner, text: texts[index] ?? null }));
    const states = await mapInSlices(read, ({ owner, text }) =>
      text === null
        ? null
        : { owner, state: { ...parseStored<FirstBootState>(storedForms.firstBoot, text), text } },
    );
    return states.filter((each) => each !== null);
  }
}

function hashesAfter(secret: string): string[] {
  return secretsAfter(secret, SECRETS_AHEAD).map(reportHash);
}
