import { randomUUID } from 'node:crypto';
import type { StackOptions } from '../../../scripts/stack.ts';
import { messagesOf } from '../clients/gateway-client.ts';
import { openStream } from '../clients/sse-client.ts';
import { type HeldReport, ReportGate } from '../doubles/report-gate.ts';
import { SimulatedStack } from '../stacks/simulated-stack.ts';
import { type ClusterMessage, type LiteCluster, readCluster } from './clusters.ts';

/** A cluster whose control node reports, but whose report the test holds. */
export interface HeldCluster {
  id: string;
  name: string;
  report: HeldReport;
  /** The last event of the creation. */
  end(): Promise<ClusterMessage>;
  read(): Promise<LiteCluster>;
}

/** The whole gateway with the simulated cloud, and a gate for the reports of its machines. */
export class ReportedStack {
  readonly gate: ReportGate;
  readonly simulated: SimulatedStack;

  private constructor(gate: ReportGate, simulated: SimulatedStack) {
    this.gate = gate;
    this.simulated = simulated;
  }

  static async start({ config = {}, ...options }: StackOptions = {}): Promise<ReportedStack> {
    const gate = await ReportGate.start();
    try {
      const simulated = await SimulatedStack.start({
        ...options,
        env: { GATEWAY_PUBLIC_URL: gate.url, ...options.env },
        config: {
          ...config,
          lite: {
            server_volume_size_gb: 1,
            agent_volume_size_gb: 1,
            health: { request_seconds: 1 },
            ...(config.lite as object | undefined),
          },
        },
      });
      gate.passTo(() => simulated.stack.apis.find((api) => api.isRunning())?.url ?? '');
      return new ReportedStack(gate, simulated);
    } catch (error) {
      await gate.stop();
      throw error;
    }
  }

  /** Requests a cluster, and waits until its control node reports. */
  async createHeld(body: object = {}): Promise<HeldCluster> {
    const { gateway } = this.simulated;
    const name = `e2e-${randomUUID().slice(0, 8)}`;
    const held = this.gate.hold();
    const stream = await openStream(`${gateway.url}/api/lite/clusters/async`, {
      method: 'POST',
      headers: gateway.headers(),
      body: { name, ...body },
    });
    const first = await stream.nextJson<ClusterMessage>();
    const rest = messagesOf(stream) as unknown as Promise<ClusterMessage[]>;
    const end = rest.then((messages) => messages.at(-1) ?? (first as ClusterMessage));
    const failed = end.then(({ step, error }) => {
      throw new Error(`The creation ended without a report: ${step}, ${error}`);
    });
    const id = first?.cluster_id ?? '';
    const report = await Promise.race([held, failed]);
    failed.catch(() => {});
    return { id, name, report, end: () => end, read: () => readCluster(gateway, id) };
  }

  async stop(): Promise<void> {
    await this.simulated.stop();
    await this.gate.stop();
  }
}
