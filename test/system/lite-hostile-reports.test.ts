import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type HeldCluster, ReportedStack } from '../support/lite/reported-stack.ts';

interface File {
  clusters: { name: string; cluster: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
  [key: string]: unknown;
}

/** Something that nobody may connect to. */
class Trap {
  readonly address = `127.${randomInt(16, 251)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
  connections = 0;
  readonly #server: Server = createServer((socket) => {
    this.connections += 1;
    socket.destroy();
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(6443, this.address, resolve);
    });
  }

  get url(): string {
    return `https://${this.address}:6443`;
  }

  close(): void {
    this.#server.close();
  }
}

describe('a hostile report', function () {
  this.timeout(180_000);
  const marker = join(tmpdir(), `gateway-marker-${process.pid}-${Date.now()}`);

  for (const useReportedAddress of [true, false]) {
    describe(`where reported addresses are ${useReportedAddress ? '' : 'not '}used`, () => {
      let reported: ReportedStack;
      let trap: Trap;

      before(async () => {
        trap = new Trap();
        await trap.listen();
        reported = await ReportedStack.start({
          env: { GATEWAY_LITE_USE_REPORTED_ADDRESS: String(useReportedAddress) },
        });
      });

      after(async () => {
        await reported?.stop();
        trap.close();
      });

      /** The reported file with changes. */
      function changed({ report }: HeldCluster, change: (file: File) => void): string {
        const file = parse(String(report.body.kubeconfig)) as File;
        change(file);
        return stringify(file);
      }

      it('is refused, and its token stays valid', async () => {
        const cluster = await reported.createHeld();
        const { report } = cluster;
        const userWith = (user: Record<string, unknown>) =>
          changed(cluster, ({ users }) => users.splice(0, 1, { name: 'default', user }));
        const clusterWith = (fields: Record<string, unknown>) =>
          changed(cluster, ({ clusters }) => Object.assign(clusters[0]?.cluster ?? {}, fields));
        const program = { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [marker] };
        const aliases = Array.from({ length: 30 }, (_, at) => `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`);

        for (const [what, kubeconfig] of Object.entries({
          'a program instead of a key': userWith({ exec: program }),
          'a file instead of a key': userWith({ 'client-key': '/etc/shadow', tokenFile: '/etc/shadow' }),
          'a provider instead of a key': userWith({ 'auth-provider': { name: 'gcp', config: {} } }),
          'a server that is no URL': clusterWith({ server: trap.address }),
          'a server without encryption': clusterWith({ server: `http://${trap.address}:6443` }),
          'a server with a path': clusterWith({ server: `${trap.url}/api` }),
          'a server with a user': clusterWith({ server: `https://user@${trap.address}:6443` }),
          'another authority': clusterWith({ 'certificate-authority-data': 'bm90IGEgY2VydGlmaWNhdGU=' }),
          aliases: ['a0: &a0 [x]', ...aliases.slice(1), String(report.body.kubeconfig)].join('\n'),
          'much text': `# ${'x'.repeat(60_000)}\n${report.body.kubeconfig}`,
          'more text than a report may have': `# ${'x'.repeat(70_000)}\n${report.body.kubeconfig}`,
          'deep structure': '['.repeat(20_000),
        })) {
          const answer = await report.deliver({ kubeconfig });
          assert.equal(answer?.status, 400, `${what}: ${answer?.text}`);
          assert.doesNotMatch(answer?.text ?? '', /BEGIN|LS0t|shadow/, what);
        }
        report.answer(await report.deliver());

        assert.equal((await cluster.end()).step, 'completed');
        assert.equal(trap.connections, 0);
        assert.ok(!existsSync(marker), 'a reported program was run');
      });

      it('makes the gateway neither connect to its server nor run programs', async () => {
        const cluster = await reported.createHeld({ agent_count: 1 });
        const kubeconfig = changed(cluster, ({ clusters, users }) => {
          Object.assign(clusters[0]?.cluster ?? {}, {
            server: trap.url,
            'proxy-url': `http://${trap.address}:6443`,
          });
          Object.assign(users[0]?.user ?? {}, {
            exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [marker] },
          });
        });
        const changes = useReportedAddress ? { kubeconfig } : { kubeconfig, server_ip: trap.address };

        cluster.report.answer(await cluster.report.deliver(changes));

        const last = await cluster.end();
        assert.equal(last.step, 'completed', last.error ?? '');
        const { gateway } = reported.simulated;
        await gateway.request('POST', `/api/lite/clusters/${cluster.id}/health/check`);
        const file = await gateway.request('GET', `/api/lite/clusters/${cluster.id}/kubeconfig`);
        assert.equal(file.status, 200);
        assert.ok(!file.text.includes(trap.address), 'the file names the reported server');
        assert.doesNotMatch(file.text, /exec|proxy|touch/);
        assert.equal((await cluster.read()).server_ip === trap.address, false);
        assert.equal(trap.connections, 0);
        assert.ok(!existsSync(marker), 'a reported program was run');
      });
    });
  }
});
