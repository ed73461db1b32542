import { UnknownSealingKeyError } from '@gateway/core';
import { openSecret } from '@gateway/webhooks';
import type { RestoreContext } from './restore-context.ts';

const CLUSTER_SECRETS = ['kubeconfig', 'nodeToken', 'credentialSecret'] as const;

/** Sentences about secrets of the copy that no sealing key of the configuration decrypts, and what to do. */
export async function describeUnreadable(context: RestoreContext): Promise<string[]> {
  const { autoBackups, liteClusters, sealer, webhooks } = context;
  const backups = new Unreadable();
  for (const id of await autoBackups.store.allIds()) {
    const found = await autoBackups.store.read(id);
    if (found !== null) await backups.check(() => autoBackups.delegations.open(found.sealedDelegation));
  }
  const clusters = new Unreadable();
  for (const id of await liteClusters.openIds()) {
    const cluster = await liteClusters.read(id);
    if (cluster === null) continue;
    await clusters.check(async () => {
      for (const name of CLUSTER_SECRETS) await liteClusters.readSecret(cluster, name);
    });
  }
  const secrets = new Unreadable();
  for (const id of await webhooks.allIds()) {
    const found = await webhooks.read(id);
    if (found !== null) await secrets.check(() => openSecret(sealer, found.sealedSecret));
  }
  return [
    ...backups.describe('The delegations of auto backups', 'their users set them up again'),
    ...clusters.describe(
      'The configuration files of lite clusters, and the secrets for new agents,',
      'their users keep their own files, and create the clusters again to change them',
    ),
    ...secrets.describe('The secrets of webhooks', 'their users create them again'),
  ];
}

class Unreadable {
  #count = 0;
  readonly #keyIds = new Set<string>();

  async check(open: () => unknown): Promise<void> {
    try {
      await open();
    } catch (error) {
      if (!(error instanceof UnknownSealingKeyError)) throw error;
      this.#count += 1;
      this.#keyIds.add(error.keyId);
    }
  }

  describe(what: string, otherwise: string): string[] {
    if (this.#count === 0) return [];
    const keys = [...this.#keyIds].join(', ');
    return [
      `${what} cannot be read: ${this.#count} are encrypted with the sealing keys ${keys}. Add these keys to GATEWAY_SEALING_KEYS before the processes start; without the keys, ${otherwise}.`,
    ];
  }
}
