import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { AllowedAddresses, sendMessage } from '@gateway/webhooks';
import { type Certificates, makeCertificates } from '../../support/doubles/certificates.ts';
import { WebhookReceiver } from '../../support/doubles/webhook-receiver.ts';

const LOOPBACK = new AllowedAddresses(['127.0.0.0/8']);
const PUBLIC_ONLY = new AllowedAddresses([]);

/** Answers with the next of these lists of addresses, and the last one for ever. */
function resolver(...answers: string[][]) {
  const asked: string[] = [];
  const resolve = async (name: string): Promise<LookupAddress[]> => {
    asked.push(name);
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, asked };
}

describe('a message to a webhook', () => {
  let receiver: WebhookReceiver;
  const options = {
    allowed: LOOPBACK,
    allowHttp: true,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
  };

  beforeEach(async () => {
    receiver = await new WebhookReceiver().start();
  });
  afterEach(() => receiver.close());

  const to = (host: string, path = '/') => ({
    url: `http://${host}:${receiver.port}${path}`,
    headers: { 'webhook-id': 'evt_1' },
    body: '{"type":"job.failed"}',
  });

  it('arrives, and its result is the status', async () => {
    const { resolve } = resolver(['127.0.0.1']);

    const result = await sendMessage(to('hooks.example.org', '/a?b=c'), { ...options, resolve });

    assert.deepEqual(result, { status: 204, retryAfter: null });
    const [message] = receiver.received;
    assert.deepEqual(
      [message?.path, message?.body, message?.headers.host],
      ['/a?b=c', '{"type":"job.failed"}', `hooks.example.org:${receiver.port}`],
    );
  });

  it('does not go to a name with a forbidden address', async () => {
    for (const addresses of [['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['10.0.0.1', '169.254.169.254']]) {
      const { resolve } = resolver(addresses);
      const result = await sendMessage(to('internal.example.org'), {
        ...options,
        allowed: PUBLIC_ONLY,
        resolve,
      });
      assert.deepEqual(result, { error: 'forbidden_address' }, addresses.join());
    }
    assert.deepEqual(receiver.received, []);
  });

  it('does not go to this machine, or without TLS', async () => {
    const { resolve } = resolver(['127.0.0.1']);
    for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
      const result = await sendMessage(to(host), { ...options, allowed: PUBLIC_ONLY, resolve });
      assert.deepEqual(result, { error: 'forbidden_address' }, host);
    }
    const plain = await sendMessage(to('127.0.0.1'), { ...options, allowHttp: false });
    assert.deepEqual(plain, { error: 'forbidden_address' });
    assert.deepEqual(receiver.received, []);
  });

  it('goes to the address that was checked, although the name changes', async () => {
    // The first answer is allowed and serves nobody; a second question would be answered with the receiver.
    const { asked, resolve } = resolver(['127.0.0.9'], ['127.0.0.1']);
    const allowed = new AllowedAddresses(['127.0.0.9']);

    const first = await sendMessage(to('rebinding.example.org'), { ...options, allowed, resolve });
    assert.deepEqual([first, asked.length], [{ error: 'connection_failed' }, 1]);

    const second = await sendMessage(to('rebinding.example.org'), { ...options, allowed, resolve });
    assert.deepEqual([second, asked.length], [{ error: 'forbidden_address' }, 2]);
    assert.deepEqual(receiver.received, []);
  });

  it('goes to the allowed one of several addresses', async () => {
    const { resolve } = resolver(['10.0.0.1', '127.0.0.1']);

    const result = await sendMessage(to('hooks.example.org'), { ...options, resolve });

    assert.deepEqual(result, { status: 204, retryAfter: null });
  });

  it('does not follow a redirect', async () => {
    receiver.answer = () => ({
      status: 307,
      headers: { location: `http://127.0.0.1:${receiver.port}/other` },
    });

    const result = await sendMessage(to('127.0.0.1'), options);

    assert.deepEqual([result, receiver.received.length], [{ status: 307, retryAfter: null }, 1]);
  });

  it('ends if the receiver changes the protocol', async () => {
    receiver.answer = () => ({ status: 101, headers: { connection: 'upgrade', upgrade: 'other' } });

    assert.deepEqual(await sendMessage(to('127.0.0.1'), options), { error: 'connection_failed' });
  });

  it('ends after its time without an answer', async () => {
    receiver.answer = () => 'hang';

    assert.deepEqual(await sendMessage(to('127.0.0.1'), { ...options, timeoutMs: 50 }), { error: 'timeout' });
  });

  it('is broken off when the process stops', async () => {
    const stopping = new AbortController();
    receiver.answer = () => {
      stopping.abort(new Error('stopping'));
      return 'hang';
    };

    await assert.rejects(sendMessage(to('127.0.0.1'), { ...options, signal: stopping.signal }), /stopping/);
  });

  it('says when nobody listens, and when the name is not known', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    const closed = { ...to('127.0.0.1'), url: 'http://127.0.0.1:1/' };

    assert.deepEqual(await sendMessage(closed, options), { error: 'connection_failed' });
    assert.deepEqual(await sendMessage(to('nowhere.example.org'), { ...options, resolve }), {
      error: 'name_not_found',
    });
  });

  describe('with TLS', () => {
    let certificates: Certificates;
    let secure: WebhookReceiver;
    before(async () => {
      certificates = await makeCertificates(['hooks.example.org']);
      const { certFile, keyFile } = certificates.server;
      const tls = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
      secure = await new WebhookReceiver(tls).start();
    });
    after(async () => {
      await secure.close();
      certificates.remove();
    });

    const send = (host: string, trusted: boolean) => {
      const { resolve } = resolver(['127.0.0.1']);
      const ca = trusted ? readFileSync(certificates.caFile, 'utf8') : undefined;
      const message = { ...to(host), url: `https://${host}:${secure.port}/` };
      return sendMessage(message, { ...options, allowHttp: false, resolve, ...(ca && { ca }) });
    };

    it('arrives only at the host in a trusted certificate', async () => {
      assert.deepEqual(await send('hooks.example.org', true), { status: 204, retryAfter: null });
      assert.deepEqual(await send('other.example.org', true), { error: 'tls_failed' });
      assert.deepEqual(await send('hooks.example.org', false), { error: 'tls_failed' });
      assert.equal(secure.received.length, 1);
    });
  });
});
