import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type BoundClient, UpstreamError } from '@gateway/openstack';
import { fixture, mockUpstream, type ReplyOptions, type Upstream } from '../../support/doubles/upstream.ts';
import { testCloud, token } from './cloud.ts';

const id = '00000000-0000-4000-8000-000000000000';

/** The id in a recorded path, by its position from the end. */
function idIn(name: string, fromEnd: number): string {
  return fixture(name).request.path.split('?')[0]?.split('/').at(-fromEnd) ?? '';
}

interface Case {
  title: string;
  fixture: string;
  reply?: ReplyOptions;
  run: (mine: BoundClient) => Promise<unknown>;
  status: number;
  code: string;
  detail: RegExp;
}

const server = { name: 'x', flavorRef: 'f', networks: 'none' as const };
const share = { share_proto: 'NFS', size: 1 };

const nothing = 'The resource could not be found.';
const webob = { message: `${nothing}<br /><br />\n\n\n`, code: '404 Not Found', title: 'Not Found' };
const pecan = { code: 404, title: 'Not Found', description: '' };
const page = '<html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1></body></html>';

/** A proxy's responses, and those of the services to paths that they do not have, as in Zed and 2026.1. */
const unexplained: {
  who: string;
  fixture: string;
  body: unknown;
  run(mine: BoundClient): Promise<unknown>;
}[] = [
  ...[page, '', 'Not Found', '404 page not found\n', '{"error":"not found"}', webob].map((body) => ({
    who: 'compute',
    fixture: 'compute/server-not-found',
    body,
    run: (mine: BoundClient) => mine.compute.servers.get(id),
  })),
  ...[page, webob].map((body) => ({
    who: 'block storage',
    fixture: 'block-storage/volume-not-found',
    body,
    run: (mine: BoundClient) => mine.blockStorage.volumes.get(id),
  })),
  ...[page, pecan].map((body) => ({
    who: 'network',
    fixture: 'network/network-not-found',
    body,
    run: (mine: BoundClient) => mine.network.networks.get(id),
  })),
  ...[page, webob].map((body) => ({
    who: 'shared file system',
    fixture: 'shared-file-system/share-not-found',
    body,
    run: (mine: BoundClient) => mine.sharedFileSystem.shares.get(id),
  })),
  ...[page, pecan].map((body) => ({
    who: 'load balancer',
    fixture: 'load-balancer/load-balancer-not-found',
    body,
    run: (mine: BoundClient) => mine.loadBalancer.loadBalancers.get(id),
  })),
  ...[page, webob].map((body) => ({
    who: 'image',
    fixture: 'image/image-not-found',
    body,
    run: (mine: BoundClient) => mine.image.images.get(id),
  })),
];

const cases: Case[] = [
  {
    title: 'a missing server',
    fixture: 'compute/server-not-found',
    run: (mine) => mine.compute.servers.get(id),
    status: 404,
    code: 'not_found',
    detail: /^Instance 0{8}-\S+ could not be found\.$/,
  },
  {
    title: 'the second of two actions that arrive together, for which its service answers 500',
    fixture: 'compute/server-not-found',
    reply: {
      method: 'POST',
      path: /\/action$/,
      status: 500,
      body: {
        computeFault: {
          code: 500,
          message: "Unexpected API Error.\n<class 'nova.exception.UnexpectedTaskStateError'>",
        },
      },
    },
    run: (mine) => mine.compute.servers.stop(id),
    status: 409,
    code: 'conflict',
    detail: /^Another task of the instance has just begun\.$/,
  },
  {
    title: 'a missing image, with markup in the message',
    fixture: 'image/image-not-found',
    run: (mine) => mine.image.images.get(id),
    status: 404,
    code: 'not_found',
    detail: /^No image found with ID 0{8}-[0-9-]+$/,
  },
  ...unexplained.map(({ who, fixture, body, run }) => ({
    title: `a 404 that ${who} does not explain (${JSON.stringify(body).slice(0, 20)})`,
    fixture,
    reply: { status: 404, body, times: 3 },
    run,
    status: 502,
    code: 'upstream_error',
    detail: /^The .+ service answered with an error\.$/,
  })),
  {
    title: 'a missing volume',
    fixture: 'block-storage/volume-not-found',
    run: (mine) => mine.blockStorage.volumes.get(id),
    status: 404,
    code: 'not_found',
    detail: /^Volume \S+ could not be found\.$/,
  },
  {
    title: 'a missing network',
    fixture: 'network/network-not-found',
    run: (mine) => mine.network.networks.get(id),
    status: 404,
    code: 'not_found',
    detail: /^Network \S+ could not be found\.$/,
  },
  {
    title: 'a missing share',
    fixture: 'shared-file-system/share-not-found',
    run: (mine) => mine.sharedFileSystem.shares.get(id),
    status: 404,
    code: 'not_found',
    detail: /^The resource could not be found\.$/,
  },
  {
    title: 'a value that violates the schema, without the value',
    fixture: 'compute/server-invalid',
    run: (mine) => mine.compute.servers.create(server),
    status: 400,
    code: 'invalid_input',
    detail: /^Invalid input for name \(is too short\)\.$/,
  },
  {
    title: 'a value that the network service cannot parse',
    fixture: 'network/subnet-invalid',
    run: (mine) => mine.network.subnets.create({ network_id: id, cidr: 'x', ip_version: 4 }),
    status: 400,
    code: 'invalid_input',
    detail: /not in a CIDR format\.$/,
  },
  {
    title: 'an action that policy forbids',
    fixture: 'compute/flavor-forbidden',
    run: (mine) => mine.compute.flavors.create({ name: 'x', vcpus: 1, ram: 1, disk: 1 }),
    status: 403,
    code: 'forbidden',
    detail: /^Policy doesn't allow/,
  },
  {
    title: 'a key pair with a name in use',
    fixture: 'compute/keypair-exists',
    run: (mine) => mine.compute.keypairs.create({ name: 'record-key' }),
    status: 409,
    code: 'conflict',
    detail: /already exists\.$/,
  },
  {
    title: 'the start of a running server',
    fixture: 'compute/server-start-active',
    run: (mine) => mine.compute.servers.start(idIn('compute/server-start-active', 2)),
    status: 409,
    code: 'conflict',
    detail: /vm_state active$/,
  },
  {
    title: 'the delete of a network with ports',
    fixture: 'network/network-in-use',
    run: (mine) => mine.network.networks.remove(idIn('network/network-in-use', 1)),
    status: 409,
    code: 'conflict',
    detail: /still in use on the network/,
  },
  {
    title: 'the delete of a volume in use, for which its service answers 400',
    fixture: 'block-storage/volume-in-use',
    run: (mine) => mine.blockStorage.volumes.remove(idIn('block-storage/volume-in-use', 1)),
    status: 409,
    code: 'conflict',
    detail: /^Invalid volume: Volume status must be available/,
  },
  {
    title: 'a backup of a volume in use, for which its service answers 400',
    fixture: 'block-storage/volume-in-use',
    reply: {
      method: 'POST',
      path: /\/backups$/,
      body: {
        badRequest: {
          code: 400,
          message: 'Invalid volume: Backing up an in-use volume must use the force flag.',
        },
      },
    },
    run: (mine) => mine.blockStorage.backups.create({ volume_id: id }),
    status: 409,
    code: 'conflict',
    detail: /^Invalid volume: Backing up an in-use volume must use the force flag\.$/,
  },
  {
    title: 'a wrong key of a transfer',
    fixture: 'block-storage/volume-in-use',
    reply: {
      method: 'POST',
      path: /\/volume-transfers\/[^/]+\/accept$/,
      body: {
        badRequest: {
          code: 400,
          message: `Invalid auth key: Attempt to transfer ${id} with invalid auth key.`,
        },
      },
    },
    run: (mine) => mine.blockStorage.transfers.accept(id, 'guess'),
    status: 400,
    code: 'invalid_input',
    detail: /^Invalid auth key: /,
  },
  ...[
    [
      'a rebuild while its volume is filled',
      {
        badRequest: {
          code: 400,
          message: "Invalid volume: volume 'v1' status must be 'in-use'. Currently in 'error' status",
        },
      },
    ],
    [
      'a share that is in use by another task',
      { badRequest: { code: 400, message: 'Share is busy with an active task: migrating.' } },
    ],
    [
      'a copy of a snapshot that is not complete',
      { badRequest: { code: 400, message: "Invalid share snapshot: status must be 'available'." } },
    ],
    [
      'a change of a cluster in progress',
      {
        errors: [
          {
            status: 400,
            code: 'client',
            title: '',
            detail: 'Updating a cluster when status is "CREATE_IN_PROGRESS" is not supported.',
          },
        ],
      },
    ],
    [
      'a cluster that is changed already',
      {
        errors: [
          {
            status: 400,
            code: 'client',
            title: '',
            detail: 'Cluster c already has an operation in progress.',
          },
        ],
      },
    ],
  ].map(([title, body]) => ({
    title: `${title}, worded as a bad request`,
    fixture: 'compute/boot-volume-detach',
    reply: { method: 'POST', path: /\/action$/, status: 400, body },
    run: (mine: BoundClient) => mine.compute.servers.rebuild(id, id),
    status: 409,
    code: 'conflict',
    detail: /status|busy|in progress/,
  })),
  {
    title: 'a word for a state that is none',
    fixture: 'compute/boot-volume-detach',
    reply: {
      method: 'POST',
      path: /\/action$/,
      status: 400,
      body: { badRequest: { code: 400, message: 'Invalid input received: status must be one of a, b.' } },
    },
    run: (mine) => mine.compute.servers.rebuild(id, id),
    status: 400,
    code: 'invalid_input',
    detail: /status must be one of/,
  },
  {
    title: 'gigabytes of backups beyond the quota',
    fixture: 'block-storage/volume-quota',
    reply: {
      path: /\/backups$/,
      body: {
        overLimit: {
          code: 413,
          message:
            'VolumeBackupSizeExceedsAvailableQuota: Requested backup exceeds allowed Backup gigabytes quota. Requested 2G, quota is 1G and 0G has been consumed.',
          retryAfter: '0',
        },
      },
    },
    run: (mine) => mine.blockStorage.backups.create({ volume_id: id }),
    status: 409,
    code: 'quota_exceeded',
    detail: /^The quota for Backup gigabytes is exceeded: 1 allowed, 0 in use, 2 requested\.$/,
  },
  {
    title: 'a volume that is larger than any may be',
    fixture: 'block-storage/volume-quota',
    reply: {
      body: {
        overLimit: {
          code: 413,
          message:
            'VolumeSizeExceedsLimit: Requested volume size 20G is larger than maximum allowed limit 10G.',
          retryAfter: '0',
        },
      },
    },
    run: (mine) => mine.blockStorage.volumes.create({ size: 20 }),
    status: 409,
    code: 'quota_exceeded',
    detail: /^The quota for volume size is exceeded: 10 allowed, 20 requested\.$/,
  },
  {
    title: 'the detach of a boot volume, for which its service answers 400',
    fixture: 'compute/boot-volume-detach',
    run: (mine) =>
      mine.compute.volumeAttachments.detach(
        idIn('compute/boot-volume-detach', 3),
        idIn('compute/boot-volume-detach', 1),
      ),
    status: 409,
    code: 'conflict',
    detail: /^Cannot detach a root device volume$/,
  },
  {
    title: 'servers beyond the quota (403)',
    fixture: 'compute/server-quota',
    run: (mine) => mine.compute.servers.create(server),
    status: 409,
    code: 'quota_exceeded',
    detail: /^The quota for instances is exceeded: 10 allowed, 0 in use, 11 requested\.$/,
  },
  {
    title: 'servers beyond a limit in the identity service',
    fixture: 'compute/server-quota',
    reply: {
      body: {
        forbidden: {
          code: 403,
          message: `Project ${id} is over a limit for [Resource class:VCPU is over limit of 20 due to current usage 18 and delta 4]`,
        },
      },
    },
    run: (mine) => mine.compute.servers.create(server),
    status: 409,
    code: 'quota_exceeded',
    detail: /^The quota for VCPU is exceeded: 20 allowed, 18 in use, 4 requested\.$/,
  },
  {
    title: 'gigabytes beyond the quota (413 with Retry-After)',
    fixture: 'block-storage/volume-quota',
    run: (mine) => mine.blockStorage.volumes.create({ size: 1 }),
    status: 409,
    code: 'quota_exceeded',
    detail: /^The quota for gigabytes is exceeded: 1000 allowed, 2 in use, 100000 requested\.$/,
  },
  {
    title: 'routers beyond the quota (409)',
    fixture: 'network/router-quota',
    run: (mine) => mine.network.routers.create({ name: 'x' }),
    status: 409,
    code: 'quota_exceeded',
    detail: /^The quota for router is exceeded\.$/,
  },
  {
    title: 'share gigabytes beyond the quota (413 with Retry-After)',
    fixture: 'shared-file-system/share-quota',
    run: (mine) => mine.sharedFileSystem.shares.create(share),
    status: 409,
    code: 'quota_exceeded',
    detail: /^The quota for gigabytes is exceeded\.$/,
  },
  {
    title: 'a load balancer service over its quota',
    fixture: 'network/router-quota',
    reply: {
      status: 403,
      body: { faultcode: 'Client', faultstring: 'Quota has been met for resources: Pool' },
    },
    run: (mine) => mine.network.routers.create({ name: 'x' }),
    status: 409,
    code: 'quota_exceeded',
    detail: /^The quota for Pool is exceeded\.$/,
  },
  {
    title: 'a refusal of the key manager',
    fixture: 'network/router-quota',
    reply: {
      status: 403,
      body: { code: 403, title: 'Forbidden', description: 'Secret creation attempt not allowed' },
    },
    run: (mine) => mine.network.routers.create({ name: 'x' }),
    status: 403,
    code: 'forbidden',
    detail: /^Secret creation attempt not allowed$/,
  },
  {
    title: 'a rejected token of a user (401)',
    fixture: 'compute/server-not-found',
    reply: { status: 401, body: fixture('identity/token-unknown').response.body },
    run: (mine) => mine.compute.servers.get(id),
    status: 401,
    code: 'unauthorized',
    detail: /^The token is invalid or has expired\.$/,
  },
  {
    title: 'a list of versions (300)',
    fixture: 'compute/server-not-found',
    reply: { status: 300, body: { choices: [] } },
    run: (mine) => mine.compute.servers.get(id),
    status: 502,
    code: 'upstream_error',
    detail: /^The compute service answered with an error\.$/,
  },
  {
    title: 'an internal error of the service (500), without its message',
    fixture: 'compute/server-not-found',
    reply: {
      status: 500,
      body: {
        computeFault: { code: 500, message: 'Unexpected API Error. Please report this at http://bugs/' },
      },
    },
    run: (mine) => mine.compute.servers.get(id),
    status: 502,
    code: 'upstream_error',
    detail: /^The compute service answered with an error\.$/,
  },
  {
    title: 'a cloud without a backup service (503)',
    fixture: 'block-storage/backup-create',
    reply: {
      status: 503,
      body: { serviceUnavailable: { code: 503, message: 'Service cinder-backup could not be found.' } },
    },
    run: (mine) => mine.blockStorage.backups.create({ volume_id: id, name: 'x' }),
    status: 502,
    code: 'upstream_error',
    detail: /^The block storage service cannot do this at the moment: its part "cinder-backup" is missing or/,
  },
  {
    title: 'an option that the driver of the service lacks (501)',
    fixture: 'network/router-quota',
    reply: {
      status: 501,
      body: { faultcode: 'Server', faultstring: "Provider 'ovn' does not support a requested option: HTTP" },
    },
    run: (mine) => mine.network.routers.create({ name: 'x' }),
    status: 409,
    code: 'conflict',
    detail: /^Provider 'ovn' does not support a requested option: HTTP$/,
  },
  {
    title: 'a proxy that lacks the method (501)',
    fixture: 'compute/server-not-found',
    reply: { status: 501, body: '<html><h1>501 Not Implemented</h1></html>' },
    run: (mine) => mine.compute.servers.get(id),
    status: 502,
    code: 'upstream_error',
    detail: /^The compute service answered with an error\.$/,
  },
  {
    title: 'a successful response without JSON',
    fixture: 'compute/server-not-found',
    reply: { status: 200, body: '<html>Welcome</html>' },
    run: (mine) => mine.compute.servers.get(id),
    status: 502,
    code: 'upstream_error',
    detail: /^The compute service answered with an error\.$/,
  },
  ...['', '{}', '[]', 'null', '{"server":null}'].map((body) => ({
    title: `an empty successful response (${body})`,
    fixture: 'compute/server-not-found',
    reply: { status: 200, body },
    run: (mine: BoundClient) => mine.compute.servers.get(id),
    status: 502,
    code: 'upstream_error',
    detail: /^The compute service answered with an error\.$/,
  })),
  {
    title: 'another status (423)',
    fixture: 'compute/server-not-found',
    reply: { status: 423, body: 'Locked' },
    run: (mine) => mine.compute.servers.get(id),
    status: 423,
    code: 'upstream_refused',
    detail: /^Locked$/,
  },
];

describe('an upstream error', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  for (const { title, reply, run, status, code, detail, ...rest } of cases) {
    it(`maps ${title} to ${status} ${code}`, async () => {
      const { mine, openstack } = testCloud();
      upstream.reply(rest.fixture, reply);

      const error = await run(mine()).catch((thrown: unknown) => thrown);

      assert.ok(error instanceof UpstreamError, inspect(error));
      assert.deepEqual([error.status, error.code], [status, code]);
      assert.match(error.message, detail);
      upstream.assertAllUsed();
      openstack.close();
    });
  }

  it("contains service, operation, and the service's status, message, request id", async () => {
    const { mine } = testCloud();
    upstream.reply('compute/server-not-found');

    const error = await mine()
      .compute.servers.get(id)
      .catch((thrown: unknown) => thrown);

    assert.ok(error instanceof UpstreamError);
    const requestId = fixture('compute/server-not-found').response.headers['x-openstack-request-id'];
    assert.equal(error.operation, 'servers.get');
    assert.equal(error.upstreamMessage, `Instance ${id} could not be found.`);
    assert.deepEqual(error.upstream, { service: 'compute', status: 404, request_id: requestId });
  });

  it('turns a rejected token of the service user into a 502', async () => {
    const { mine } = testCloud();
    upstream.reply('compute/server-not-found', { status: 401 });

    await assert.rejects(mine({ credentials: 'service' }).compute.servers.get(id), { status: 502 });
  });

  it('has the values of an exceeded quota', async () => {
    const { mine } = testCloud();
    upstream.reply('compute/server-quota');

    const error = await mine()
      .compute.servers.create(server)
      .catch((thrown: unknown) => thrown);

    assert.ok(error instanceof UpstreamError);
    assert.deepEqual(error.quota, { resource: 'instances', limit: 10, inUse: 0, requested: 11 });
  });

  it('never holds the token, whatever the error', async () => {
    const { mine } = testCloud({ timeLimits: { upstreamRequestSeconds: 0.02, upstreamQueueSeconds: 5 } });
    const { pathname } = new URL(fixture('compute/server-not-found').request.path, 'http://host');
    const failures: ReplyOptions[] = [
      {},
      { status: 500, body: `token ${token}` },
      { status: 403, body: `token ${token}` },
      { status: 200, body: 'no JSON' },
      { fault: 'ECONNRESET' },
      { fault: 'HPE_INVALID_CONSTANT' },
    ];

    for (const failure of failures) {
      upstream.reply('compute/server-not-found', { path: pathname, ...failure });
      const error = await mine({ retry: 'none' })
        .compute.servers.get(id)
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof UpstreamError);
      const seen = `${inspect(error, { depth: 20, showHidden: true })}${JSON.stringify(error)}${error.stack}`;
      assert.ok(!seen.includes(token), seen);
      assert.ok(!/127\.0\.0\.1|x-auth-token/i.test(seen), seen);
    }
  });

  it('omits the invalid value of a schema error, possibly a password', async () => {
    const { mine } = testCloud();
    const message =
      "Invalid input for field/attribute server. Value: {'adminPass': 'hunter2'}. {'adminPass': 'hunter2'} is not valid under any of the given schemas";
    upstream.reply('compute/server-invalid', { body: { badRequest: { code: 400, message } } });

    const error = await mine()
      .compute.servers.create(server)
      .catch((thrown: unknown) => thrown);

    assert.ok(error instanceof UpstreamError);
    assert.equal(error.message, 'Invalid input for server.');
    assert.ok(!inspect(error).includes('hunter2'));
  });

  it('removes addresses, markup and stack traces from messages, and limits their length', async () => {
    const { mine } = testCloud();
    const message = `See http://10.0.0.1:8774/v2.1/x for <b>more</b>. ${'long '.repeat(200)}\nTraceback (most recent call last): secret`;
    upstream.reply('compute/server-not-found', {
      status: 404,
      body: { itemNotFound: { code: 404, message } },
    });

    const error = await mine()
      .compute.servers.get(id)
      .catch((thrown: unknown) => thrown);

    assert.ok(error instanceof UpstreamError);
    assert.match(error.message, /^See for more \. long long/);
    assert.ok(error.message.length <= 300);
  });
});
