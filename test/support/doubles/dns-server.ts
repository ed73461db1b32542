import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

/** The addresses of a name by family; null for a name about which the server says nothing. */
export type DnsNames = Record<string, { 4?: number[]; 6?: number[] } | null>;

const HEADER_LENGTH = 12;
const A = 1;
const AAAA = 28;
const NO_ERROR = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** A server of DNS on this machine, as a resolver asks it over UDP. */
export class DnsServer {
  readonly #socket = createSocket('udp4');
  readonly #names: DnsNames;
  /** The names that it was asked for. */
  readonly asked = new Set<string>();

  constructor(names: DnsNames) {
    this.#names = names;
    this.#socket.on('message', (message, from) => this.#answer(message, from));
  }

  async start(): Promise<this> {
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    return this;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(resolve));
  }

  #answer(message: Buffer, from: RemoteInfo): void {
    const { name, end } = readName(message);
    this.asked.add(name);
    const known = this.#names[name];
    if (known === null) return;
    const type = message.readUInt16BE(end);
    const address = type === A ? known?.[4] : type === AAAA ? known?.[6] : undefined;
    const header = Buffer.alloc(HEADER_LENGTH);
    header.writeUInt16BE(message.readUInt16BE(0), 0);
    header.writeUInt16BE(known === undefined ? NO_SUCH_NAME : NO_ERROR, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(address === undefined ? 0 : 1, 6);
    const question = message.subarray(HEADER_LENGTH, end + 4);
    this.#socket.send(Buffer.concat([header, question, recordOf(type, address)]), from.port, from.address);
  }
}

/** Of the question, and where the name ends. */
function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_LENGTH;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** Of the name in the question, valid for a minute. */
function recordOf(type: number, address: number[] | undefined): Buffer {
  if (address === undefined) return Buffer.alloc(0);
  return Buffer.from([0xc0, HEADER_LENGTH, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]);
}
