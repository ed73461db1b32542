import type { PluginKey } from '../plugin-keys.ts';
import { blockCsi } from './block-csi.ts';
import { cloudController } from './cloud-controller.ts';
import { fileCsi } from './file-csi.ts';
import { gpu } from './gpu.ts';
import { identityAuth } from './identity-auth.ts';
import { lbIngress } from './lb-ingress.ts';
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
