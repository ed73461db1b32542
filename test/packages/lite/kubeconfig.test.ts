import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { GatewayError } from '@gateway/core';
import { buildKubeconfig, parseKubeconfig } from '@gateway/lite';
import { parse, stringify } from 'yaml';
import {
  type CertifiedKey,
  createAuthority,
  issueForClient,
} from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';

interface File {
  apiVersion: string;
  kind: string;
  'current-context': string;
  clusters: { name: string; cluster: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
  [key: string]: unknown;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a kubeconfig that a control node reports', () => {
  let authority: CertifiedKey;
  let client: CertifiedKey;

  before(async () => {
    authority = await createAuthority('k3s-client-ca');
    client = await issueForClient(authority, { name: 'system:admin', organization: 'system:masters' });
  });

  /** A file as k3s writes it. */
  function file(): File {
    return {
      apiVersion: 'v1',
      clusters: [
        {
          cluster: {
            'certificate-authority-data': base64(authority.certificate),
            server: 'https://127.0.0.1:6443',
          },
          name: 'default',
        },
      ],
      contexts: [{ context: { cluster: 'default', user: 'default' }, name: 'default' }],
      'current-context': 'default',
      kind: 'Config',
      preferences: {},
      users: [
        {
          name: 'default',
          user: {
            'client-certificate-data': base64(client.certificate + authority.certificate),
            'client-key-data': base64(client.key),
          },
        },
      ],
    };
  }

  function changed(change: (file: ReturnType<typeof parts>) => void): string {
    const whole = parts();
    change(whole);
    return stringify(whole.file, { lineWidth: 0 });
  }

  function parts() {
    const whole = file();
    const [cluster, user, context] = [
      whole.clusters[0]?.cluster,
      whole.users[0]?.user,
      whole.contexts[0]?.context,
    ];
    assert.ok(cluster && user && context);
    return { file: whole, cluster, user, context };
  }

  function refusalOf(text: string): string {
    try {
      parseKubeconfig(text);
    } catch (error) {
      assert.ok(error instanceof GatewayError && error.status === 400, String(error));
      return error.message;
    }
    return assert.fail('The file was accepted.');
  }

  it('gives its server, and its certificates and key', () => {
    const { server, credentials } = parseKubeconfig(changed(() => {}));

    assert.equal(server, 'https://127.0.0.1:6443');
    assert.ok('clientKey' in credentials);
    assert.equal(
      new X509Certificate(credentials.ca).fingerprint256,
      new X509Certificate(authority.certificate).fingerprint256,
    );
    assert.equal(credentials.clientCertificate.match(/BEGIN CERTIFICATE/g)?.length, 2);
    assert.ok(createPrivateKey(credentials.clientKey).equals(createPrivateKey(client.key)));
  });

  it('gives its token when it has no certificate', () => {
    const text = changed(({ file }) => {
      file.users = [{ name: 'default', user: { token: 'abc.def' } }];
    });

    const { credentials } = parseKubeconfig(text);

    assert.equal('token' in credentials && credentials.token, 'abc.def');
  });

  it('is rebuilt without other content, in the layout of k3s', () => {
    const { credentials } = parseKubeconfig(
      changed(({ file, cluster, user }) => {
        file.preferences = { colors: true };
        file.extensions = [{ name: 'x', extension: {} }];
        Object.assign(cluster, {
          'proxy-url': 'http://proxy.example',
          'insecure-skip-tls-verify': 'true',
          'certificate-authority': '/etc/passwd',
          'tls-server-name': 'x',
        });
        Object.assign(user, {
          exec: { command: '/bin/sh', args: ['-c', 'id'], apiVersion: 'client.authentication.k8s.io/v1' },
          'auth-provider': { name: 'x' },
          tokenFile: '/etc/shadow',
          'client-key': '/etc/shadow',
          username: 'u',
          password: 'p',
          as: 'root',
        });
        user['client-certificate-data'] = base64(`${client.certificate}\n\n${authority.certificate}`);
      }),
    );

    const text = buildKubeconfig({ server: 'https://192.0.2.7:6443', credentials });

    assert.ok('clientKey' in credentials);
    assert.deepEqual(parse(text), {
      apiVersion: 'v1',
      clusters: [
        {
          cluster: {
            'certificate-authority-data': base64(credentials.ca),
            server: 'https://192.0.2.7:6443',
          },
          name: 'default',
        },
      ],
      contexts: [{ context: { cluster: 'default', user: 'default' }, name: 'default' }],
      'current-context': 'default',
      kind: 'Config',
      users: [
        {
          name: 'default',
          user: {
            'client-certificate-data': base64(credentials.clientCertificate),
            'client-key-data': base64(credentials.clientKey),
          },
        },
      ],
    });
    assert.deepEqual(parseKubeconfig(text), { server: 'https://192.0.2.7:6443', credentials });
  });

  it('is built with a token', () => {
    const credentials = { ca: authority.certificate, token: '123' };

    const text = buildKubeconfig({ server: 'https://192.0.2.7:6443', credentials });

    assert.deepEqual(parseKubeconfig(text).credentials, credentials);
  });

  describe('is refused', () => {
    const hostile: [string, (parts: ReturnType<typeof changedParts>) => void, RegExp][] = [
      [
        'of another kind',
        ({ file }) => Object.assign(file, { kind: 'Secret' }),
        /not a Config of version v1/,
      ],
      [
        'without clusters',
        ({ file }) => Object.assign(file, { clusters: undefined }),
        /one entry in clusters/,
      ],
      ['with several contexts', ({ file }) => file.contexts.push(...file.contexts), /one entry in contexts/],
      ['with several users', ({ file }) => file.users.push(...file.users), /one entry in users/],
      ['with an entry that is text', ({ file }) => Object.assign(file, { users: ['x'] }), /not a map/],
      [
        'whose current context is another',
        ({ file }) => Object.assign(file, { 'current-context': 'x' }),
        /a current context that it does not define/,
      ],
      [
        'whose context names another user',
        ({ context }) => Object.assign(context, { user: 'x' }),
        /another cluster/,
      ],
      [
        'without a server',
        ({ cluster }) => Object.assign(cluster, { server: undefined }),
        /not an https URL/,
      ],
      [
        'with a server without TLS',
        ({ cluster }) => Object.assign(cluster, { server: 'http://a:1' }),
        /https URL/,
      ],
      ['with a path', ({ cluster }) => Object.assign(cluster, { server: 'https://a:1/b' }), /https URL/],
      [
        'with a password',
        ({ cluster }) => Object.assign(cluster, { server: 'https://u:p@a:1' }),
        /https URL/,
      ],
      [
        'without an authority',
        ({ cluster }) => Object.assign(cluster, { 'certificate-authority-data': undefined }),
        /has no certificate-authority-data/,
      ],
      [
        'with an authority that is not base64',
        ({ cluster }) => Object.assign(cluster, { 'certificate-authority-data': '/etc/passwd:x' }),
        /not base64/,
      ],
      [
        'with an authority that is no PEM',
        ({ cluster }) => Object.assign(cluster, { 'certificate-authority-data': base64('hello') }),
        /not certificates in PEM/,
      ],
      [
        'with text after the authority',
        ({ cluster, ca }) => Object.assign(cluster, { 'certificate-authority-data': base64(`${ca}x`) }),
        /not certificates in PEM/,
      ],
      [
        'with more authorities than anybody needs',
        ({ cluster, ca }) => Object.assign(cluster, { 'certificate-authority-data': base64(ca.repeat(9)) }),
        /not certificates in PEM/,
      ],
      [
        'with a program instead of credentials',
        ({ file }) =>
          Object.assign(file, { users: [{ name: 'default', user: { exec: { command: 'id' } } }] }),
        /neither a client certificate nor a token/,
      ],
      [
        'with a certificate without a key',
        ({ user }) => Object.assign(user, { 'client-key-data': undefined }),
        /has no client-key-data/,
      ],
      [
        'with a key that is no key',
        ({ user, ca }) => Object.assign(user, { 'client-key-data': base64(ca) }),
        /not a usable private key/,
      ],
      [
        'with the key of another certificate',
        ({ user, caKey }) => Object.assign(user, { 'client-key-data': base64(caKey) }),
        /does not belong to its certificate/,
      ],
      [
        'with an encrypted key',
        ({ user }) => Object.assign(user, { 'client-key-data': base64(encryptedKey()) }),
        /not a usable private key/,
      ],
      [
        'with a token that would end a header',
        ({ file }) => Object.assign(file, { users: [{ name: 'default', user: { token: 'a\r\nb: c' } }] }),
        /a token of another form/,
      ],
      [
        'with a huge token',
        ({ file }) =>
          Object.assign(file, { users: [{ name: 'default', user: { token: 'a'.repeat(5_000) } }] }),
        /a token of another form/,
      ],
    ];

    function changedParts() {
      return { ...parts(), ca: authority.certificate, caKey: authority.key };
    }

    for (const [what, change, message] of hostile) {
      it(`${what}`, () => {
        const whole = changedParts();
        change(whole);
        assert.match(
          refusalOf(stringify(whole.file, { lineWidth: 0, aliasDuplicateObjects: false })),
          message,
        );
      });
    }

    it('when it is too large', () => {
      assert.match(refusalOf(`# ${'x'.repeat(40_000)}`), /larger than 32768 bytes/);
    });

    const texts: [string, string, RegExp][] = [
      ['when it is empty', '', /not a map/],
      ['when it is a list', '- a', /not a map/],
      ['when it is no YAML', '{', /not valid YAML/],
      ['when it has aliases', 'kind: &a Config\napiVersion: *a', /without aliases/],
      ['when it has several documents', 'kind: Config\n---\nkind: Config', /not valid YAML/],
      ['when it is nested deeply', '['.repeat(2_000), /not valid YAML|not a map/],
      ['when it is nested deeply in block style', '- '.repeat(1_000), /not valid YAML|not a map/],
      ['when it has thousands of levels', '['.repeat(30_000), /more structure/],
      ['when it sets a prototype', '__proto__: {kind: Config, apiVersion: v1}', /not a Config/],
      ['when it has thousands of keys', 'a:\n'.repeat(6_000), /more structure/],
    ];
    for (const [what, text, message] of texts) {
      it(what, () => assert.match(refusalOf(text), message));
    }

    it('without quoting its secrets', () => {
      const text = changed(({ user }) => Object.assign(user, { 'client-key-data': 'secretsecret' }));
      assert.doesNotMatch(refusalOf(`${text}\n: [`), /secret/);
      assert.doesNotMatch(refusalOf(text), /secret/);
    });

    it('with a key of an uncommon kind', () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const text = changed(({ user }) => Object.assign(user, { 'client-key-data': base64(pem) }));
      assert.match(refusalOf(text), /not a usable private key/);
    });
  });
});

function encryptedKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
  return privateKey.export(options).toString();
}
