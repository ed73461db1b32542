import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { issueForServer } from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';
import { KubernetesClusters } from '../../../apps/cloudsim/src/guest/kubernetes/kubernetes.ts';
import { emptyKubernetes } from '../../../apps/cloudsim/src/guest/kubernetes/state.ts';
import { eventually } from '../eventually.ts';
import { RealApiServer } from './api-server-tool.ts';
import { type ClusterAuthorities, kubeconfigOf } from './kubeconfig.ts';

const DAY_MS = 86_400_000;
const PORT = 6443;

/** The API server of a control node, whose certificates are renewed when it starts. */
export interface RenewableApiServer {
  address: string;
  nodeToken: string;
  /**
   * Starts it, or starts it again, with new certificates for server and administrator. Returns k3s's
   * configuration file.
   *
   * @param endsInDays when they end; they have ended if it is negative
   */
  start(endsInDays: number): Promise<string>;
  /** Refuses connections. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export async function simulatedRenewableServer(node: string): Promise<RenewableApiServer> {
  const state = emptyKubernetes();
  const clusters = new KubernetesClusters(
    () => state,
    () => {},
  );
  const controlNode = { name: node, address: '10.0.0.10' };
  const { address, nodeToken } = await clusters.create({ id: node, version: 'v1.36.1+k3s1', controlNode });
  const cluster = clusters.get(node);
  if (cluster === undefined) throw new Error('There is no such cluster.');
  const authorities = { server: cluster.serverAuthority, client: cluster.clientAuthority };
  return {
    address,
    nodeToken,
    async start(endsInDays) {
      clusters.stop(node);
      cluster.server = await serverCertificate(authorities, address, endsInDays);
      await clusters.start(node);
      return kubeconfigOf(authorities, { endsInMs: endsInDays * DAY_MS });
    },
    kill: async () => clusters.stop(node),
    close: async () => clusters.close(),
  };
}

/** A real kube-apiserver. The test has the keys of its authorities. */
export async function realRenewableServer(node: string): Promise<RenewableApiServer> {
  const [a, b, c] = [16 + (process.pid % 200), process.pid % 250, 1 + (Date.now() % 250)];
  const options = ['--address', `127.${a}.${b}.${c}`, '--port', String(PORT), '--node', node];
  const server = await RealApiServer.start(node, ...options);
  const { address, folder, nodeToken } = server.facts;
  const read = (name: string) => readFileSync(join(folder, 'pki', name), 'utf8');
  const authority = (name: string) => ({ certificate: read(`${name}.crt`), key: read(`${name}.key`) });
  const authorities = { server: authority('server-ca'), client: authority('client-ca') };
  const write = async (endsInDays: number) => {
    const { certificate, key } = await serverCertificate(authorities, address, endsInDays);
    writeFileSync(join(folder, 'pki', 'server.key'), key);
    writeFileSync(join(folder, 'pki', 'server.crt'), certificate);
  };
  return {
    address,
    nodeToken,
    async start(endsInDays) {
      await server.kill();
      await write(Math.max(1, endsInDays));
      // Waits until it is ready, and requires a valid certificate for that.
      await server.resume();
      if (endsInDays < 0) {
        await write(endsInDays);
        await eventually(async () => (await endOfServed(address)) < Date.now(), 90_000);
      }
      return kubeconfigOf(authorities, { endsInMs: endsInDays * DAY_MS });
    },
    kill: () => server.kill(),
    close: () => server.close(),
  };
}

function serverCertificate({ server }: ClusterAuthorities, address: string, endsInDays: number) {
  const notAfter = new Date(Date.now() + endsInDays * DAY_MS);
  const validity = { notBefore: new Date(notAfter.getTime() - 365 * DAY_MS), notAfter };
  return issueForServer(server, { name: 'k3s' }, [address, '127.0.0.1', 'localhost'], validity);
}

/** The end of the certificate that the server uses. */
function endOfServed(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: PORT, rejectUnauthorized: false }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
