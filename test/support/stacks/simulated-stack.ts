import assert from 'node:assert/strict';
import type { Stack } from '../../../scripts/stack.ts';
import { CloudsimControl, type Inventory } from '../clients/cloudsim-control.ts';
import { GatewayClient, type InstanceRequest } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';
import { simulatedCloud, startTestStack, testLogin } from './test-stack.ts';

/**
 * The whole gateway with a fast simulated cloud that can inject faults, also under `npm run test:cloud`.
 */
export class SimulatedStack {
  readonly stack: Stack;
  readonly control: CloudsimControl;
  readonly gateway: GatewayClient;
  /** The resources before any test. */
  readonly baseline: Inventory;
  readonly request: InstanceRequest;

  private constructor(
    stack: Stack,
    control: CloudsimControl,
    gateway: GatewayClient,
    found: { baseline: Inventory; request: InstanceRequest },
  ) {
    this.stack = stack;
    this.control = control;
    this.gateway = gateway;
    this.baseline = found.baseline;
    this.request = found.request;
  }

  static async start(options: Parameters<typeof startTestStack>[0] = {}): Promise<SimulatedStack> {
    const stack = await startTestStack({
      workers: 1,
      ...simulatedCloud,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
      ...options,
    });
    try {
      const control = new CloudsimControl(stack.cloudsim?.url ?? '');
      const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
      const request = await gateway.smallInstanceRequest('e2e-simulated');
      return new SimulatedStack(stack, control, gateway, { baseline: await control.inventory(), request });
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** Clears all faults, deletes all created resources and waits until they are gone. */
  async restore(): Promise<void> {
    await this.control.clear();
    const servers = this.baseline.get('servers');
    // A failed test may have left jobs that still create resources.
    await eventually(async () => {
      for (const { id } of await this.gateway.read<{ id: string }[]>('/api/instances?refresh=true')) {
        if (servers?.has(id) !== true) await this.gateway.request('DELETE', `/api/instances/${id}`);
      }
      assert.deepEqual(await this.control.inventory(), this.baseline);
      return true;
    });
  }

  stop(): Promise<void> {
    return this.stack.stop();
  }
}
