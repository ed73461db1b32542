import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from '../../scripts/child-process.ts';
import { listenLocally, stopListening } from '../support/doubles/local-server.ts';

export interface LateNfsServer {
  /** On this machine's loopback. */
  port: number;
  /** The number of refused connections. */
  refused(): number;
  stop(): Promise<void>;
}

/**
 * Serves a folder as /export over NFS 4. Refuses connections until `lateMs` after the first, so that the
 * delay does not depend on how long the machine takes to boot.
 */
export async function lateNfsServer(folder: string, lateMs: number): Promise<LateNfsServer> {
  const { promise: firstConnection, resolve: noticeConnection } = Promise.withResolvers<void>();
  const stopped = new AbortController();
  let refusals = 0;
  const refusingServer = createServer((socket) => {
    refusals += 1;
    socket.destroy();
    noticeConnection();
  });
  const port = await listenLocally(refusingServer);
  const serving = firstConnection
    .then(() => pause(lateMs, undefined, { signal: stopped.signal }))
    .then(() => stopListening(refusingServer))
    .then(() => startGanesha(folder, port))
    .catch(() => null);
  return {
    port,
    refused: () => refusals,
    async stop() {
      stopped.abort();
      noticeConnection();
      await (await serving)?.stop();
      await stopListening(refusingServer);
    },
  };
}

async function startGanesha(folder: string, port: number): Promise<Child> {
  const own = mkdtempSync(join(tmpdir(), 'gateway-nfs-'));
  const config = join(own, 'ganesha.conf');
  writeFileSync(config, configOf(folder, own, port));
  const child = await startChild({
    name: 'ganesha',
    // In a mount namespace with a /run of its own, for its sockets and locks.
    command: 'unshare',
    args: [
      ...['--mount', '--propagation', 'private', 'sh', '-ec'],
      'mkdir "$1/run" "$1/recovery"; mount --bind "$1/run" /run; mkdir /run/ganesha; ' +
        'exec ganesha.nfsd -F -f "$1/ganesha.conf" -L "$1/log" -p "$1/pid" -N EVENT',
      ...['sh', own],
    ],
    isReady: () => accepts(port),
    readyTimeoutMs: 60_000,
    stopTimeoutMs: 5_000,
  });
  return {
    ...child,
    async stop() {
      await child.stop();
      rmSync(own, { recursive: true, force: true });
    },
  };
}

function configOf(folder: string, own: string, port: number): string {
  return `
NFS_CORE_PARAM { Protocols = 4; NFS_Port = ${port}; Bind_addr = 127.0.0.1; mount_path_pseudo = true;
  Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = false; }
NFSV4 { Graceless = true; RecoveryBackend = fs; Delegations = false; RecoveryRoot = "${own}/recovery"; }
EXPORT { Export_Id = 1; Path = "${folder}"; Pseudo = "/export"; Access_Type = RO; Squash = No_Root_Squash;
  SecType = sys; Protocols = 4; Transports = TCP; FSAL { Name = VFS; } }
`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
