import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket as TcpSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { pathToFileURL } from 'node:url';
import type { CadfEvent } from '@gateway/activity';
import { openAuditReceiver } from '../../../apps/worker/src/audit-stream/open-receiver.ts';
import { SyslogReceiver } from '../../../apps/worker/src/audit-stream/syslog-receiver.ts';
import { configOf } from '../../support/api/settings.ts';
import { AuditReceiver } from '../../support/doubles/audit-receiver.ts';
import { makeCertificates } from '../../support/doubles/certificates.ts';
import { listenLocally } from '../../support/doubles/local-server.ts';

const event = (id: string): CadfEvent => ({
  typeURI: 'http://schemas.dmtf.org/cloud/audit/1.0/event',
  eventType: 'activity',
  id,
  eventTime: '2026-11-22T09:00:00.000+00:00',
  action: 'create',
  outcome: 'success',
  initiator: { typeURI: 'service/security/account/user', id: 'u1', name: 'Zoë', request_id: 'req-1' },
  target: { typeURI: 'storage/volume', id: 'v1' },
  observer: { typeURI: 'service/oss', id: 'RegionOne/gateway' },
});
const events = [event('e1'), event('e2')];

function receiverAt(url: string, caFile: string | null = null, token: string | null = null) {
  const settings = { audit: { stream: { url, ca_file: caFile } } };
  const config = configOf({ redisUrl: 'redis://127.0.0.1', keyPrefix: '', settings });
  const receiver = openAuditReceiver({ ...config, secrets: { ...config.secrets, auditStreamToken: token } });
  assert.ok(receiver !== null);
  return receiver;
}

describe('the receivers of the audit stream', () => {
  it('get events over HTTP with the token', async () => {
    const receiver = await AuditReceiver.start();
    await receiverAt(receiver.url, null, 'token-1').send(events);
    await receiver.leave();

    assert.deepEqual(receiver.events, events);
    assert.equal(receiver.authorization, 'Bearer token-1');
  });

  it('have not got what they answer with an error', async () => {
    const receiver = await AuditReceiver.start();
    receiver.losesAnswers = true;

    await assert.rejects(receiverAt(receiver.url).send(events), /answers 503/);
    await receiver.leave();
    await assert.rejects(receiverAt(receiver.url).send(events), /ECONNREFUSED/);
  });

  it('are read no further than the log shows of their refusal', async () => {
    let written = 0;
    const server = createHttpServer((_, response) => {
      response.writeHead(507);
      const write = (): void => {
        do written += 5000;
        while (response.write('full '.repeat(1000)));
        response.once('drain', write);
      };
      write();
    });
    const port = await listenLocally(server);

    const sent = receiverAt(`http://127.0.0.1:${port}`).send(events);
    await assert.rejects(sent, /answers 507: (?:full ){40}$/);
    server.close();
    await once(server, 'close');
    // The rest is what the buffers of the connection hold.
    assert.ok(written < 50_000_000, `${written}`);
  });

  it('get messages of syslog with their length, over a connection each time', async () => {
    const received: string[] = [];
    const server = createServer(async (socket) => {
      received.push(await text(socket));
    });
    const port = await listenLocally(server);
    const receiver = receiverAt(`syslog+tcp://127.0.0.1:${port}`);

    await receiver.send(events);
    await receiver.send([{ ...event('e3'), outcome: 'failure' }]);
    server.close();

    const [first, second] = received.map(messagesIn);
    assert.deepEqual(
      first?.map((message) => JSON.parse(message.slice(message.indexOf('{')))),
      events,
    );
    assert.match(first?.[0] ?? '', /^<109>1 2026-11-22T09:00:00\.000\+00:00 \S+ gateway - audit - \{/);
    assert.match(second?.[0] ?? '', /^<108>1 /);
  });

  it('get syslog over TLS from the authority of the settings only', async () => {
    const certificates = await makeCertificates(['127.0.0.1']);
    const received: string[] = [];
    const { certFile, keyFile } = certificates.server;
    const options = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    const server = createTlsServer(options, (socket) => {
      // Who does not trust the certificate may close the connection while the server still writes.
      text(socket).then(
        (sent) => received.push(sent),
        () => {},
      );
    });
    const port = await listenLocally(server);
    const url = `syslog+tls://127.0.0.1:${port}`;

    await receiverAt(url, certificates.caFile).send(events);
    await assert.rejects(receiverAt(url).send(events), /certificate/);
    server.close();
    certificates.remove();

    assert.equal(received.flatMap(messagesIn).length, 2);
  });

  it('that reset a connection have not got the events', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    const port = await listenLocally(server);

    await assert.rejects(receiverAt(`syslog+tcp://127.0.0.1:${port}`).send(events), /ECONNRESET/);
    server.close();
  });

  it('have got the events if an error comes with the end', async () => {
    const received: string[] = [];
    const server = createServer(async (socket) => {
      received.push(await text(socket));
    });
    const receiver = receiverAt(`syslog+tcp://127.0.0.1:${await listenLocally(server)}`);
    const fail = (created: unknown): void => {
      const { socket } = created as { socket: TcpSocket };
      socket.once('end', () => process.nextTick(() => socket.emit('error', new Error('late'))));
    };

    subscribe('net.client.socket', fail);
    try {
      await receiver.send(events);
    } finally {
      // Otherwise the connections of later suites would fail.
      unsubscribe('net.client.socket', fail);
      server.close();
    }

    assert.equal(received.flatMap(messagesIn).length, 2);
  });

  it('get a datagram of syslog for each event', async () => {
    const socket = createSocket('udp4');
    const received: string[] = [];
    const both = new Promise<void>((resolve) => {
      socket.on('message', (message) => {
        received.push(message.toString());
        if (received.length === 2) resolve();
      });
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));

    await receiverAt(`syslog+udp://127.0.0.1:${socket.address().port}`).send(events);
    await both;
    socket.close();

    assert.match(received[0] ?? '', /^<109>1 .*"id":"e1"/);
  });

  it('get datagrams at a name that only has an address of IPv6', async () => {
    const socket = createSocket('udp6');
    const received = once(socket, 'message');
    socket.bind(0, '::1');
    await once(socket, 'listening');
    const receiver = new SyslogReceiver(new URL(`syslog+udp://audit.example.org:${socket.address().port}`), {
      appName: 'gateway',
      resolve: async () => ({ address: '::1', family: 6 }),
    });

    await receiver.send([event('e1')]);
    const [message] = await received;
    socket.close();

    assert.match(String(message), /^<109>1 .*"id":"e1"/);
  });

  it('have not got datagrams amid which the socket fails', async () => {
    const server = createSocket('udp4');
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = receiverAt(`syslog+udp://127.0.0.1:${server.address().port}`);
    // The system reports such an error between two messages, to the socket and not to a message.
    const fail = (created: unknown): void => {
      const { socket } = created as { socket: Socket };
      socket.once('connect', () => process.nextTick(() => socket.emit('error', new Error('unreachable'))));
    };

    subscribe('udp.socket', fail);
    const sent = receiver.send(events);
    await assert.rejects(sent, /unreachable/);
    unsubscribe('udp.socket', fail);
    server.close();
  });

  it('that listen at no port for datagrams have not got them', async () => {
    const server = createSocket('udp4');
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    server.close();
    await once(server, 'close');

    await assert.rejects(receiverAt(`syslog+udp://127.0.0.1:${port}`).send(events), /ECONNREFUSED/);
  });

  it('are files to which lines are appended, also after half a line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-audit-'));
    const path = join(folder, 'audit.jsonl');
    const receiver = receiverAt(pathToFileURL(path).href);

    await receiver.send([event('e1')]);
    appendFileSync(path, '{"id":"e');
    await receiver.send([event('e2')]);
    const lines = readFileSync(path, 'utf8').split('\n');
    rmSync(folder, { recursive: true });

    assert.deepEqual(lines, [JSON.stringify(event('e1')), '{"id":"e', JSON.stringify(event('e2')), '']);
  });

  it('may be reached without encryption on the same machine only', () => {
    for (const url of [
      'http://audit.example.org/events',
      'https://user@audit.example.org',
      'file://host/a',
      'ftp://a',
    ])
      assert.throws(() => receiverAt(url), /audit\.stream\.url/, url);
  });
});

/** The messages before each of which their length stands. */
function messagesIn(sent: string): string[] {
  const messages: string[] = [];
  for (let rest = Buffer.from(sent); rest.length > 0; ) {
    const at = rest.indexOf(' ');
    const end = at + 1 + Number(rest.subarray(0, at));
    messages.push(rest.subarray(at + 1, end).toString());
    rest = rest.subarray(end);
  }
  return messages;
}
