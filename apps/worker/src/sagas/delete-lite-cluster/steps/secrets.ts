import { clusterOf, defineDeleteStep, hasRecord } from '../saga.ts';

/** The configuration file, the join token and the secret of the credential. */
export const destroySecrets = defineDeleteStep<{ areSecretsDestroyed: boolean }>({
  name: 'secrets',
  when: hasRecord,
  onRepeat: 'idempotent',
  async run(context) {
    await context.liteClusters.destroySecrets(clusterOf(context));
    return { areSecretsDestroyed: true };
  },
});
