import { isId, newReportSecret, reportHash, type Sealer, secretsAfter } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { fromFields, type LiteCluster, SECRET_PREFIX, secretPurpose } from '../cluster.ts';
import { liteClusterKeys } from '../keys.ts';
import { buildKubeconfig, firstCertificateEnd, parseKubeconfig } from '../kubeconfig.ts';
import { renewalProblem } from './renewal-problem.ts';
import { acceptRenewalScript, issueTokenScript } from './scripts.ts';

interface KubeconfigRenewalsOptions {
  redis: Redis;
  sealer: Sealer;
}

/**
 * `repeated`: the same report was accepted before. `early`: there is no file to compare with yet. `mismatch`:
 * the file must not replace the stored one. `refused`: the secret is unknown or no longer valid, or the
 * cluster is deleted. `endsAt` is in milliseconds since the epoch.
 */
type Renewal =
  | { outcome: 'accepted'; clusterId: string; isChanged: boolean; endsAt: number }
  | { outcome: 'mismatch'; clusterId: string; problem: string }
  | { outcome: 'repeated' | 'early' | 'refused' };

const REFUSED = { outcome: 'refused' } as const;

/** In the record of the cluster, so that they live as long as it does. */
const SECRETS = `${SECRET_PREFIX}renewal:`;
const FILE = `${SECRET_PREFIX}kubeconfig`;
/**
 * The number of secrets after the current one that are accepted too. A control node reports at least once a
 * week, so a store that was restored from a backup of the last weeks still accepts its reports.
 */
const SECRETS_AHEAD = 8;
/** Another report, or the rotation of the sealing keys, may change the file between reading and writing. */
const MAX_ATTEMPTS = 5;

/**
 * Configuration files that control nodes report after k3s has renewed their certificates, and the secrets
 * with which they report. See decision 65.
 */
export class KubeconfigRenewals {
  readonly #options: KubeconfigRenewalsOptions;

  constructor(options: KubeconfigRenewalsOptions) {
    this.#options = options;
  }

  /**
   * Issues the token of a control node that the job is about to create. Earlier tokens of the job stay valid:
   * a superseded run must not invalidate the token of the server that the current run created.
   */
  async issueToken(clusterId: string): Promise<string> {
    const { redis } = this.#options;
    const secret = newReportSecret();
    await issueTokenScript.runReplicated(
      redis,
      { record: liteClusterKeys.record(clusterId) },
      { field: fieldOf(secret) },
    );
    return `${clusterId}.${secret}`;
  }

  /** The id of the cluster of a token that is valid, or was valid last; null for another token. */
  async issuerOf(text: string): Promise<string | null> {
    const token = parseToken(text);
    if (token === null) return null;
    const record = liteClusterKeys.record(token.clusterId);
    return (await this.#options.redis.hexists(record, fieldOf(token.secret))) === 1 ? token.clusterId : null;
  }

  /**
   * Stores a reported file in place of the cluster's. The stored file keeps its server.
   *
   * @throws 400 if the file is not usable
   */
  async accept(text: string, kubeconfig: string): Promise<Renewal> {
    const reported = parseKubeconfig(kubeconfig);
    const token = parseToken(text);
    if (token === null) return REFUSED;
    const { clusterId } = token;
    const report = reportHash(kubeconfig);
    for (let attempt = 1; ; attempt += 1) {
      const state = await this.#read(clusterId, fieldOf(token.secret));
      if (state === null) return REFUSED;
      if (state.used !== '') return { outcome: state.used === report ? 'repeated' : 'refused' };
      if (state.sealed === undefined) return { outcome: 'early' };
      const before = this.#options.sealer.open(purposeOf(clusterId), state.sealed);
      const stored = parseKubeconfig(before);
      const problem = renewalProblem(stored, reported);
      if (problem !== null) return { outcome: 'mismatch', clusterId, problem };
      const renewed = buildKubeconfig({ server: stored.server, credentials: reported.credentials });
      const outcome = await this.#store(token, { report, expected: state.sealed, renewed });
      if (outcome === 'accepted') {
        return { outcome, clusterId, isChanged: renewed !== before, endsAt: firstCertificateEnd(reported) };
      }
      if (outcome !== 'changed') return { outcome };
      if (attempt === MAX_ATTEMPTS)
        throw new Error('The configuration file of a cluster changes constantly.');
    }
  }

  /** Null if the cluster has no such secret or accepts no reports any more. */
  async #read(
    clusterId: string,
    field: string,
  ): Promise<{ used: string; sealed: string | undefined } | null> {
    const hash = await this.#options.redis.hgetall(liteClusterKeys.record(clusterId));
    const { [field]: used, [FILE]: sealed } = hash;
    return used !== undefined && acceptsReports(fromFields(hash)) ? { used, sealed } : null;
  }

  async #store(
    { clusterId, secret }: Token,
    { expected, renewed, report }: { report: string; expected: string; renewed: string },
  ): Promise<'accepted' | 'repeated' | 'refused' | 'changed'> {
    const { redis, sealer } = this.#options;
    const outcome = await acceptRenewalScript.runReplicated(
      redis,
      { record: liteClusterKeys.record(clusterId) },
      {
        prefix: SECRETS,
        field: fieldOf(secret),
        report,
        fileField: FILE,
        expected,
        renewed: sealer.seal(purposeOf(clusterId), renewed),
        next: secretsAfter(secret, SECRETS_AHEAD).map(fieldOf),
      },
    );
    return outcome as 'accepted' | 'repeated' | 'refused' | 'changed';
  }
}

interface Token {
  clusterId: string;
  secret: string;
}

/** Null for a text that is not a token. */
function parseToken(text: string): Token | null {
  const at = text.indexOf('.');
  const clusterId = text.slice(0, Math.max(0, at));
  return isId(clusterId) ? { clusterId, secret: text.slice(at + 1) } : null;
}

function acceptsReports(cluster: LiteCluster | null): boolean {
  return cluster?.status === 'CREATING' || cluster?.status === 'ACTIVE';
}

function fieldOf(secret: string): string {
  return SECRETS + reportHash(secret);
}

function purposeOf(clusterId: string): string {
  return secretPurpose(clusterId, 'kubeconfig');
}
