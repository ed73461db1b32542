import { randomBytes } from 'node:crypto';
import { encryptionKeyName } from '@gateway/lite';
import { nullIfNotFound } from '@gateway/openstack';
import { requireState } from '../../../saga/index.ts';
import { pluginsUseKey } from '../../lite-clusters/plugins.ts';
import { defineCreateStep } from '../saga.ts';

const KEY_BYTES = 32;

/** The key in the key manager that encrypts the cluster's secrets. */
export const createEncryptionKey = defineCreateStep<{ keyId: string }>({
  name: 'encryption-key',
  when: (context) => pluginsUseKey(requireState(context, 'plan').plugins),
  async run(context) {
    const { cluster } = requireState(context, 'agentPlan');
    const keyId = await context.owner().keyManager.secrets.create({
      name: encryptionKeyName(cluster),
      payload: randomBytes(KEY_BYTES),
      algorithm: 'aes',
      bitLength: 8 * KEY_BYTES,
    });
    return { keyId };
  },
  async find(context) {
    const { cluster } = requireState(context, 'agentPlan');
    const ids = await context.ownerRemover().keyManager.secrets.listByName(encryptionKeyName(cluster));
    return ids.map((keyId) => ({ keyId }));
  },
  async undo({ ownerRemover }, { keyId }) {
    await nullIfNotFound(ownerRemover().keyManager.secrets.remove(keyId));
  },
  sweepsAsOwner: true,
  leftover: ({ keyId }) => ({ type: 'secret', id: keyId }),
});
