import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type ApiBehaviour, ApiServer } from './api-server.ts';
import { createAuthority, issueForClient, issueForServer } from './authority.ts';
import { k3sYaml } from './k3s-yaml.ts';
import { type NewNode, registerNode, setNodeReady, unregisterNode } from './nodes.ts';
import type { KubernetesCluster, KubernetesState } from './state.ts';
import type { UpgradeBehaviour } from './upgrades.ts';
import { applyWorkloads, countDaemons } from './workloads.ts';

interface NewCluster {
  /** Any unique id, such as the id of the control node's server. */
  id: string;
  /** Such as `v1.36.1+k3s1`. */
  version: string;
  /** The control node, which is registered and ready at once. */
  controlNode: Omit<NewNode, 'isControl'>;
  /** Additional names and addresses in the server's certificate. */
  sans?: readonly string[];
  /** The secret in the token of agents; random by default. */
  agentSecret?: string;
}

/** What an installation of k3s leaves on the control node. */
interface InstalledCluster {
  /** The text of `/etc/rancher/k3s/k3s.yaml`. Its server is 127.0.0.1, as on a real node. */
  kubeconfig: string;
  /** The token with which agents join: `K10<hash of the authority>::node:<secret>`. */
  nodeToken: string;
  /**
   * The address on which the API server listens: `127.x.y.z` and 6443, except where only one
   * loopback address exists.
   */
  address: string;
  port: number;
}

interface KubernetesOptions {
  /** How upgrades of nodes proceed; by default they end at once. */
  upgrades?(): UpgradeBehaviour;
  /** Chooses an address to try; a random one by default. */
  chooseAddress?(): string;
}

const PORT = 6443;
const MAX_ATTEMPTS = 20;

/**
 * The Kubernetes clusters inside servers. Their state is part of the cloud's state. Their API servers run
 * from `create` or `start` to `stop`, as the control node does.
 */
export class KubernetesClusters {
  readonly #state: () => KubernetesState;
  readonly #onChange: () => void;
  readonly #chooseAddress: () => string;
  readonly #upgrades: () => UpgradeBehaviour;
  readonly #running = new Map<string, ApiServer>();
  /** The clusters that are starting. `stop` removes a cluster from this set. */
  readonly #starting = new Set<string>();

  /**
   * Reads `state` at each use, because a reset replaces it. Calls `onChange` when a request has changed it.
   */
  constructor(
    state: () => KubernetesState,
    onChange: () => void,
    { chooseAddress, upgrades }: KubernetesOptions = {},
  ) {
    this.#state = state;
    this.#onChange = onChange;
    this.#chooseAddress = chooseAddress ?? randomAddress;
    this.#upgrades = upgrades ?? (() => ({ durationMs: 0, failing: [] }));
  }

  /** Creates a cluster with its control node, and starts its API server on an unused address. */
  async create(options: NewCluster): Promise<InstalledCluster> {
    const { id, version, controlNode, sans = [], agentSecret = randomBytes(16).toString('hex') } = options;
    this.#starting.add(id);
    const [serverAuthority, clientAuthority] = await Promise.all([
      createAuthority(`k3s-server-ca@${Date.now()}`),
      createAuthority(`k3s-client-ca@${Date.now()}`),
    ]);
    const admin = await issueForClient(clientAuthority, {
      name: 'system:admin',
      organization: 'system:masters',
    });
    const hash = createHash('sha256').update(serverAuthority.certificate).digest('hex');
    const keys = { serverAuthority, clientAuthority, admin, nodeToken: `K10${hash}::node:${agentSecret}` };
    for (let attempt = 1; ; attempt += 1) {
      const address = this.#chooseAddress();
      const hosts = [
        ...new Set([address, '127.0.0.1', 'localhost', controlNode.name, ...addressOf(controlNode), ...sans]),
      ];
      const server = await issueForServer(serverAuthority, { name: 'k3s' }, hosts);
      const tokens = {
        admin: randomBytes(24).toString('hex'),
        withoutRights: randomBytes(24).toString('hex'),
      };
      const cluster: KubernetesCluster = {
        ...keys,
        id,
        version,
        server,
        address,
        port: PORT,
        tokens,
        objects: new Map(),
        revision: 1,
      };
      try {
        await this.#listen(cluster);
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && codeOf(error) === 'EADDRINUSE') continue;
        this.#starting.delete(id);
        throw error;
      }
      this.#state().clusters.set(id, cluster);
      registerNode(cluster, { ...controlNode, isControl: true });
      this.#onChange();
      return {
        kubeconfig: k3sYaml(cluster),
        nodeToken: cluster.nodeToken,
        address: cluster.address,
        port: cluster.port,
      };
    }
  }

  /**
   * Starts the API server of an existing cluster again, after `stop` or a restart of the cloud. Does nothing
   * if it is running or starting.
   * @throws when another process uses its address
   */
  async start(id: string): Promise<void> {
    const cluster = this.get(id);
    if (cluster === undefined || this.#running.has(id) || this.#starting.has(id)) return;
    this.#starting.add(id);
    try {
      await this.#listen(cluster);
    } finally {
      this.#starting.delete(id);
    }
  }

  /** Stops the API server, as when its node is switched off: it refuses connections. */
  stop(id: string): void {
    this.#starting.delete(id);
    this.#running.get(id)?.close();
    this.#running.delete(id);
  }

  /** Removes a cluster and its objects. */
  remove(id: string): void {
    this.stop(id);
    this.#state().clusters.delete(id);
    this.#onChange();
  }

  get(id: string): KubernetesCluster | undefined {
    return this.#state().clusters.get(id);
  }

  list(): KubernetesCluster[] {
    return [...this.#state().clusters.values()];
  }

  /** The running API server of a cluster. */
  serverOf(id: string): ApiServer | undefined {
    return this.#running.get(id);
  }

  /**
   * Registers an agent with the token of its cluster, and returns the id of the cluster. Returns null if no
   * running cluster has the token, or if another machine has the name: a k3s server refuses the name until
   * the old object is deleted.
   */
  join(nodeToken: string, node: Omit<NewNode, 'isControl'>): string | null {
    const cluster = this.list().find((one) => one.nodeToken === nodeToken);
    if (cluster === undefined || this.#running.get(cluster.id)?.behaviour.api !== 'up') return null;
    if (!registerNode(cluster, { ...node, isControl: false })) return null;
    countDaemons(cluster);
    this.#onChange();
    return cluster.id;
  }

  /** Applies manifests on a node, as `kubectl apply` there. Returns false without the cluster. */
  apply(id: string, manifests: string, node: string): boolean {
    return this.#change(id, (cluster) => {
      applyWorkloads(cluster, manifests, node);
      return true;
    });
  }

  /**
   * Sets a node's state as the node controller does when a kubelet stops or resumes reporting. Returns false
   * without cluster or node.
   */
  setNodeReady(id: string, name: string, isReady: boolean): boolean {
    return this.#change(id, (cluster) => setNodeReady(cluster, name, isReady));
  }

  /** Removes the object of a node. Returns false without cluster or node. */
  removeNode(id: string, name: string): boolean {
    return this.#change(id, (cluster) => unregisterNode(cluster, name));
  }

  /** Changes how a running API server behaves; for tests. */
  async behave(id: string, change: Partial<ApiBehaviour>): Promise<void> {
    await this.#running.get(id)?.behave(change);
  }

  /** Stops all API servers. The state stays. */
  close(): void {
    this.#starting.clear();
    for (const id of [...this.#running.keys()]) this.stop(id);
  }

  async #listen(cluster: KubernetesCluster): Promise<void> {
    const server = new ApiServer(cluster, this.#onChange, this.#upgrades);
    try {
      await server.listen();
    } catch (error) {
      // Some systems have only one loopback address. There, each cluster has a port of its own.
      if (codeOf(error) !== 'EADDRNOTAVAIL') throw error;
      cluster.address = '127.0.0.1';
      cluster.port = 0;
      await server.listen();
    }
    if (!this.#starting.delete(cluster.id)) {
      server.close();
      throw new Error('the cluster was stopped meanwhile');
    }
    this.#running.set(cluster.id, server);
  }

  #change(id: string, change: (cluster: KubernetesCluster) => boolean): boolean {
    const cluster = this.get(id);
    const isChanged = cluster !== undefined && change(cluster);
    if (isChanged) this.#onChange();
    return isChanged;
  }
}

function addressOf({ address }: Pick<NewNode, 'address'>): string[] {
  return address === '' ? [] : [address];
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Above the loopback addresses that operating systems use. */
function randomAddress(): string {
  return `127.${randomInt(16, 251)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
}
