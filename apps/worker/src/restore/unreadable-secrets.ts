import { UnknownSealingKeyError } from '@gateway/core';
import { openSecret } from '@gateway/webhooks';
import type { RestoreContext } from './restore-context.ts';

const CLUSTER_SECRETS = ['kubeconfig', 'nodeToken', 'credentialSecret'] as const;

/** Sentences about secrets of the copy that the configuration cannot decrypt, and what to do. */
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
  readonly #reasons = new Set<string>();

  /** Only informs: whatever the reason is, the restore continues. */
  async check(open: () => unknown): Promise<void> {
    try {
      await open();
    } catch (error) {
      this.#count += 1;
      this.#reasons.add(error instanceof UnknownSealingKeyError ? error.reason : String(error));
    }
  }

  describe(what: string, otherwise: string): string[] {
    if (this.#count === 0) return [];
    const reasons = [...this.#reasons].join(' ');
    return [
      `${what} cannot be read: ${this.#count}. ${reasons} Put the keys of the time of the copy into GATEWAY_SEALING_KEYS before the processes start; without them, ${otherwise}.`,
    ];
  }
}
