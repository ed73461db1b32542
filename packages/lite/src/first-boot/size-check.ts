import { encodeUserData, IMAGE_SETTINGS, placeholder } from '@gateway/cloud-init';
import { controlNodeFirstBootData } from './first-boot-data.ts';
import type { ControlNodePlan } from './plan.ts';

/**
 * Checks the size of a control node's first-boot data, with placeholders for names, addresses and tokens.
 * The caller provides placeholders for secrets in files, of the same length.
 *
 * @throws 400 if the first-boot data would be too long
 */
export function checkControlNodeSize(
  plan: Pick<
    ControlNodePlan,
    'k3s' | 'registryCredentials' | 'serverArguments' | 'gpu' | 'files' | 'plugins'
  > & {
    callback: Omit<ControlNodePlan['callback'], 'token'>;
    renewal: Omit<ControlNodePlan['renewal'], 'token'>;
  },
  settings = IMAGE_SETTINGS,
): void {
  encodeUserData(
    controlNodeFirstBootData(
      {
        ...plan,
        nodeName: placeholder(63),
        tlsSans: [placeholder(39), placeholder(39)],
        address: placeholder(39),
        callback: { ...plan.callback, token: placeholder(128) },
        renewal: { ...plan.renewal, token: placeholder(128) },
        timeLimitSeconds: Number.MAX_SAFE_INTEGER,
      },
      settings,
    ),
    'cluster',
  );
}
