import { createSocket } from 'node:dgram';
import { type LookupAddress, promises } from 'node:dns';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { CadfEvent } from '@gateway/activity';
import type { AuditReceiver } from './receiver.ts';

interface SyslogReceiverOptions {
  /** Of printable ASCII without blanks. */
  appName: string;
  /** The certificate authority in PEM, if it is none of the system. */
  ca?: string | undefined;
  /** Resolves the name of a receiver of datagrams; as the system by default. */
  resolve?: (host: string) => Promise<LookupAddress>;
}

const TIMEOUT_MS = 10_000;
const DEFAULT_PORTS: Record<string, number> = {
  'syslog+udp:': 514,
  'syslog+tcp:': 601,
  'syslog+tls:': 6514,
};
/** Facility 13 is the audit log (RFC 5424, section 6.2.1). */
const FACILITY = 13;
const NOTICE = 5;
const WARNING = 4;
const MAX_APP_NAME_LENGTH = 48;

/**
 * Sends each event as a message of RFC 5424, over TLS or TCP with its length before it (RFC 5425, RFC 6587)
 * or as a datagram. Syslog acknowledges nothing. So each batch has a connection of its own, which the gateway
 * ends: a receiver closes its side once it has read everything. A datagram may be lost.
 */
export class SyslogReceiver implements AuditReceiver {
  readonly #url: URL;
  readonly #options: SyslogReceiverOptions;

  constructor(url: URL, options: SyslogReceiverOptions) {
    this.#url = url;
    this.#options = options;
  }

  async send(events: readonly CadfEvent[]): Promise<void> {
    const messages = events.map((event) => this.#messageOf(event));
    if (this.#url.protocol === 'syslog+udp:') await this.#sendDatagrams(messages);
    else await sendToEnd(this.#connect(), messages.map(withLength).join(''));
  }

  #messageOf(event: CadfEvent): string {
    const severity = event.outcome === 'failure' ? WARNING : NOTICE;
    const app = this.#options.appName.slice(0, MAX_APP_NAME_LENGTH);
    return `<${FACILITY * 8 + severity}>1 ${event.eventTime} ${hostname()} ${app} - audit - ${JSON.stringify(event)}`;
  }

  get #address(): { host: string; port: number } {
    const { hostname: name, port, protocol } = this.#url;
    return { host: name.replace(/^\[|\]$/g, ''), port: Number(port) || (DEFAULT_PORTS[protocol] ?? 0) };
  }

  #connect(): Socket {
    const address = this.#address;
    if (this.#url.protocol === 'syslog+tcp:') return connect(address);
    const servername = isIP(address.host) === 0 ? address.host : undefined;
    return connectTls({ ...address, servername, ca: this.#options.ca });
  }

  async #sendDatagrams(messages: readonly string[]): Promise<void> {
    const { host, port } = this.#address;
    const { resolve = lookUp } = this.#options;
    const { address, family } = await resolve(host);
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    let failure: unknown = null;
    // Without a listener, an error that arrives between two messages ends the process.
    socket.on('error', (error) => {
      failure = error;
    });
    try {
      // A connected socket learns that nothing listens at the port.
      socket.connect(port, address);
      await once(socket, 'connect');
      for (const message of messages) {
        await new Promise<void>((resolve, reject) => {
          socket.send(message, (error) => (error === null ? resolve() : reject(error)));
        });
        if (failure !== null) throw failure;
      }
    } finally {
      socket.close();
    }
  }
}

/** Prefers an address of IPv4, at which more receivers listen. */
function lookUp(host: string): Promise<LookupAddress> {
  return promises.lookup(host, { order: 'ipv4first' });
}

function withLength(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}

/** Resolves once the receiver has closed the connection without an error, after everything was sent. */
async function sendToEnd(socket: Socket, text: string): Promise<void> {
  // An error that comes with the end, or as a second one, has no other listener, and would end the process.
  socket.on('error', () => {});
  const timer = setTimeout(() => {
    socket.destroy(new Error('The receiver does not close the connection in time'));
  }, TIMEOUT_MS);
  try {
    // What a receiver sends is discarded: its end would not arrive otherwise.
    socket.resume();
    socket.end(text);
    await once(socket, 'end');
    if (!socket.writableFinished)
      throw new Error('The receiver closes the connection before it has everything');
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
