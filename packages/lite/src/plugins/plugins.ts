import type { PluginKey } from '../plugin-keys.ts';
import { blockCsi } from './block-csi/index.ts';
import { cloudController } from './cloud-controller/index.ts';
import { fileCsi } from './file-csi/index.ts';
import { gpu } from './gpu/index.ts';
import { identityAuth } from './identity-auth/index.ts';
import { lbIngress } from './lb-ingress/index.ts';
import type { Plugin } from './plugin.ts';
import { secretsKms } from './secrets-kms/index.ts';

export const plugins: Record<PluginKey, Plugin> = {
  cloud_controller: cloudController,
  block_csi: blockCsi,
  file_csi: fileCsi,
  lb_ingress: lbIngress,
  identity_auth: identityAuth,
  secrets_kms: secretsKms,
  gpu,
};
