import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CloudClient } from '../clients/cloud-client.ts';
import { messagesOf } from '../clients/gateway-client.ts';
import { openStream } from '../clients/sse-client.ts';
import { eventually } from '../eventually.ts';
import { RealApiServer } from '../kubernetes/api-server-tool.ts';
import type { SimulatedStack } from '../stacks/simulated-stack.ts';
import { testLogin } from '../stacks/test-stack.ts';
import { type ClusterMessage, createCluster } from './clusters.ts';
import { ControlNode } from './control-node.ts';

/** The API server of one lite cluster, and the behaviour of its machines. */
export interface ClusterApiServer {
  /** Creates the cluster; its nodes register themselves. Returns the last message. */
  create(body: object): Promise<ClusterMessage>;
  setReady(node: string, isReady: boolean): Promise<void>;
  /** Refuses connections. */
  kill(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** The machines of the simulated cloud do everything. */
export async function simulatedApiServer({ gateway, control }: SimulatedStack): Promise<ClusterApiServer> {
  let serverVmId = '';
  return {
    async create(body) {
      const last = (await createCluster(gateway, body)).at(-1);
      if (last === undefined) throw new Error('The stream has no message.');
      const { server_vm_id } = await gateway.read<{ server_vm_id: string }>(
        `/api/lite/clusters/${last.cluster_id}`,
      );
      serverVmId = server_vm_id;
      return last;
    },
    setReady: (node, ready) => control.changeKubernetes(serverVmId, { nodes: { [node]: { ready } } }),
    kill: () => control.changeKubernetes(serverVmId, { api: 'down' }),
    resume: () => control.changeKubernetes(serverVmId, { api: 'up' }),
    close: async () => {},
  };
}

const KUBELET_INTERVAL_MS = 500;

/**
 * A real kube-apiserver. The test reports in place of the control node, and registers a node
 * for each agent's machine.
 */
export async function realApiServer(stack: SimulatedStack, name: string): Promise<ClusterApiServer> {
  await stack.control.set({ guest: { clusterOutcome: 'silent' } });
  const address = `127.${randomInt(16, 251)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
  const options = ['--address', address, '--port', '6443', '--node', `${name}-server`];
  const server = await RealApiServer.start(name, ...options);
  const { facts } = server;
  const admin = await CloudClient.logIn(stack.stack.identityUrl ?? '', testLogin('admin'));
  const stopKubelets = registerWorkers(stack, name, (node) => server.addNode(node));
  return {
    async create(body) {
      const { gateway } = stack;
      const stream = await openStream(`${gateway.url}/api/lite/clusters/async`, {
        method: 'POST',
        headers: gateway.headers(),
        body,
      });
      const node = await ControlNode.of(admin, await serverNamed(stack, `${name}-server`));
      const status = await node.report({
        kubeconfig: readFileSync(facts.k3sYaml, 'utf8'),
        node_token: facts.nodeToken,
        server_ip: facts.address,
        k3s_version: 'v1.36.1+k3s1',
        plugin_status: {},
      });
      if (status !== 200) throw new Error(`The report was answered ${status}.`);
      return (await messagesOf(stream)).at(-1) as unknown as ClusterMessage;
    },
    setReady: (node, isReady) => server.setReady(node, isReady),
    kill: () => server.kill(),
    resume: () => server.resume(),
    async close() {
      await stopKubelets();
      await server.close();
    },
  };
}

/** Registers a node for each new machine of an agent. Returns a function that stops this. */
function registerWorkers(
  { gateway }: SimulatedStack,
  name: string,
  register: (node: string) => Promise<unknown>,
): () => Promise<void> {
  const registered = new Set<string>();
  let isStopped = false;
  const work = (async () => {
    while (!isStopped) {
      const servers = await instances(gateway);
      for (const server of servers) {
        const isNew = server.name.startsWith(`${name}-agent-`) && !registered.has(server.id);
        if (!isNew || server.status !== 'ACTIVE') continue;
        registered.add(server.id);
        await register(server.name);
      }
      await new Promise((resolve) => setTimeout(resolve, KUBELET_INTERVAL_MS));
    }
  })();
  // A failure shows in `close`.
  work.catch(() => {});
  return () => {
    isStopped = true;
    return work;
  };
}

function serverNamed({ gateway }: SimulatedStack, name: string): Promise<string> {
  return eventually(async () => (await instances(gateway)).find((server) => server.name === name)?.id);
}

function instances(gateway: SimulatedStack['gateway']) {
  return gateway.read<{ id: string; name: string; status: string }[]>('/api/instances?refresh=true');
}
