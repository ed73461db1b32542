import { type Cloudsim, startCloudsim } from '../../../apps/cloudsim/src/server.ts';
import type { Stack, StackOptions } from '../../../scripts/stack.ts';
import { demoServiceUser } from '../../../scripts/stack-environment.ts';
import { GatewayClient } from '../clients/gateway-client.ts';
import { startTestStack, testLogin } from './test-stack.ts';

/** The gateway as processes, and its cloud in this process, where the test reads and changes its records. */
export interface CloudInProcess {
  readonly stack: Stack;
  readonly cloudsim: Cloudsim;
  readonly gateway: GatewayClient;
  readonly administrator: GatewayClient;
  stop(): Promise<void>;
}

export async function startCloudInProcess(config: StackOptions['config']): Promise<CloudInProcess> {
  const cloudsim = await startCloudsim({ delayScale: 0 });
  let stack: Stack | undefined;
  const stop = async () => {
    await stack?.stop();
    await cloudsim.close();
  };
  try {
    const { identityUrl } = cloudsim;
    stack = await startTestStack({ cloudsim: false, identityUrl, env: demoServiceUser, config });
    const [gateway, administrator] = [
      await GatewayClient.logIn(stack.url, testLogin('demo')),
      await GatewayClient.logIn(stack.url, testLogin('admin')),
    ];
    return { stack, cloudsim, gateway, administrator, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
