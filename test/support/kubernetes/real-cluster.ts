import { readFileSync } from 'node:fs';
import { RealApiServer } from './api-server-tool.ts';
import { NODES, type TestCluster } from './test-cluster.ts';

/** A cluster with a kube-apiserver, an etcd of its own, and nodes that are objects only. */
export async function realCluster(): Promise<TestCluster> {
  const nodes = NODES.flatMap((node) => ['--node', node]);
  const server = await RealApiServer.start(`conformance-${process.pid}`, '--own-etcd', ...nodes);
  const { facts } = server;
  return {
    server: facts.server,
    admin: {
      ca: readFileSync(facts.ca, 'utf8'),
      clientCertificate: readFileSync(facts.clientCertificate, 'utf8'),
      clientKey: readFileSync(facts.clientKey, 'utf8'),
    },
    tokenWithoutRights: facts.tokenWithoutRights,
    nodes: NODES,
    setReady: (node, isReady) => server.setReady(node, isReady),
    kill: () => server.kill(),
    pause: () => server.pause(),
    pauseStore: () => server.pauseStore(),
    resume: () => server.resume(),
    close: () => server.close(),
  };
}
