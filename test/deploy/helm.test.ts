import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { skipWithout } from '../support/skip-without.ts';
import { readText } from './deploy-files.ts';
import { chartFolder, chartObjects, exampleValues, lintChart, type Values } from './helm-objects.ts';
import {
  checkSchema,
  findKubectl,
  type KubernetesObject,
  matches,
  overlayObjects,
  type PodTemplate,
  podTemplates,
  sizes,
} from './kubernetes-objects.ts';
import { overlayWithListener } from './listener.ts';
import { configOfPod } from './pod-config.ts';
import { requireHelm } from './require-helm.ts';

const PROCESSES = ['gateway-api', 'gateway-worker'];
/** A pod reads them, so the tests compare what it reads. */
const READ_BY_PODS = ['ConfigMap', 'Secret'];
const INSTANCE = 'app.kubernetes.io/instance';

/** What an object says, without what only one of the two tools adds. */
function withoutTool(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTool);
  if (typeof value !== 'object' || value === null) return withoutHash(value);
  const entries = Object.entries(value)
    .filter(([key]) => key !== INSTANCE && !key.startsWith('checksum/'))
    .map(([key, below]): [string, unknown] => [key, withoutTool(below)])
    .filter(([key, below]) => !(['matchLabels', 'annotations'].includes(key) && isEmpty(below)));
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The names of generated objects end with a hash. A release gives its name to its Redis. */
function withoutHash(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .replace(/^(gateway(?:-environment|-config)?)-[0-9a-z]{10}$/, '$1')
    .replace(/^gateway-redis(-ingress)?$/, 'redis$1');
}

/** What each object says, by its kind and name. */
function comparable(objects: KubernetesObject[]): Record<string, unknown> {
  const compared = objects.filter(({ kind }) => kind !== 'Namespace' && !READ_BY_PODS.includes(kind));
  const entries = compared.map((object): [string, unknown] => {
    // Helm takes the namespace from its command line. Labels of objects are for people: what is selected are
    // pods, whose labels are in the template.
    const { namespace: _, labels: __, ...metadata } = object.metadata;
    return [`${object.kind} ${withoutHash(metadata.name)}`, withoutTool({ ...object, metadata })];
  });
  return Object.fromEntries(entries.sort(([one], [other]) => one.localeCompare(other)));
}

describe('the Helm chart', function () {
  this.timeout(60_000);
  let helm: string;

  before(function () {
    helm = requireHelm(this);
  });

  const render = (release: string, ...values: Values[]) =>
    chartObjects(helm, { release, size: 'small', values: [exampleValues('small'), ...values] });
  const podsOf = (objects: KubernetesObject[]) =>
    podTemplates(objects).filter(({ name }) => PROCESSES.includes(name));

  for (const size of sizes) {
    describe(`with the values of the size ${size}`, () => {
      let objects: KubernetesObject[];
      let overlay: KubernetesObject[];

      before(function () {
        const kubectl = findKubectl();
        if (kubectl === null) skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
        objects = chartObjects(helm, { size, values: [exampleValues(size)] });
        overlay = overlayObjects(kubectl, size);
      });

      it('passes the linter', () => {
        assert.match(lintChart(helm, { size, values: [exampleValues(size)] }), / 0 chart\(s\) failed/);
      });

      it('has the published schemas', async () => {
        for (const object of objects) await checkSchema(object);
      });

      it('says of each object what the overlay says', () => {
        const [chart, manifests] = [comparable(objects), comparable(overlay)];

        assert.deepEqual(Object.keys(chart), Object.keys(manifests));
        for (const [name, object] of Object.entries(chart)) assert.deepEqual(object, manifests[name], name);
      });

      for (const name of PROCESSES)
        it(`gives ${name} the settings and secrets of the overlay`, () => {
          assert.deepEqual(configOfPod(objects, name), configOfPod(overlay, name));
        });
    });
  }

  it('has the settings of the manifests that every installation needs', () => {
    assert.equal(
      readFileSync(join(chartFolder, 'files/00-base.yaml'), 'utf8'),
      readText('deploy/kubernetes/base/gateway.yaml'),
    );
  });

  it('takes the documented values', () => {
    const [, values = '', secrets = ''] =
      /^### With Helm$[\s\S]*?^```yaml\n([\s\S]*?)^```[\s\S]*?<<END\n([\s\S]*?)^END$/m.exec(
        readText('docs/operations.md'),
      ) ?? [];
    const key = Buffer.alloc(32).toString('base64');
    const given = [parse(values), parse(secrets.replace(/\$\(.*\)/, key))];

    const { publicEndpoint, redis } = configOfPod(
      chartObjects(helm, { size: 'small', values: given }),
      'gateway-api',
    );

    assert.equal(publicEndpoint.url, 'https://gateway.example.org');
    assert.equal(redis.url, 'redis://gateway-redis:6379');
  });

  it('gives the gateway the name of the release, and its own Redis', () => {
    const { settings, secrets } = exampleValues('small') as Record<string, Record<string, object>>;
    const objects = render('north', {
      settings: { ...settings, gateway: { name: null } },
      secrets: { values: { ...secrets?.values, REDIS_URL: null } },
    });

    const { gateway, redis } = configOfPod(objects, 'north-api');

    assert.equal(gateway.name, 'north');
    assert.equal(redis.url, 'redis://north-redis:6379');
    assert.ok(objects.some(({ kind, metadata }) => kind === 'Service' && metadata.name === 'north-redis'));
  });

  it('merges settings with those of the chart, and replaces lists', () => {
    const objects = render('gateway', {
      settings: { http: { heartbeat_seconds: 5 }, metrics: { allowed_from: ['192.0.2.0/24'] } },
    });

    const { http, metrics } = configOfPod(objects, 'gateway-worker');

    assert.deepEqual(http.trustedProxies, ['uniquelocal']);
    assert.deepEqual(http.corsOrigins, ['https://dashboard.example.org']);
    assert.equal(http.heartbeatSeconds, 5);
    assert.deepEqual(metrics.allowedFrom, ['192.0.2.0/24']);
  });

  it('restarts the processes when a setting, a secret or a certificate changes', () => {
    const pods = podsOf(render('gateway'));
    const changes: Values[] = [
      { settings: { http: { heartbeat_seconds: 5 } } },
      { environment: { LOG_LEVEL: 'debug' } },
      { secrets: { values: { GATEWAY_SERVICE_PASSWORD: 'another' } } },
      { authorities: { files: { 'ca.pem': 'another' } } },
    ];

    assert.deepEqual(podsOf(render('gateway')), pods);
    for (const change of changes) {
      for (const [at, { name, template }] of podsOf(render('gateway', change)).entries())
        assert.notDeepEqual(template, pods[at]?.template, `${name} ${JSON.stringify(change)}`);
    }
  });

  it('lets pods stop as long as the setting says', () => {
    const timesWith = (values: Values) =>
      podsOf(render('gateway', values)).map(({ template }) => template.spec.terminationGracePeriodSeconds);

    assert.deepEqual(timesWith({ settings: { time_limits: { shutdown_seconds: 89.5 } } }), [110, 100]);
    assert.deepEqual(timesWith({}), [45, 35]);
  });

  it('takes secrets from a Secret that exists', () => {
    const objects = render('gateway', { secrets: { existing: 'elsewhere', values: null } });

    const names = podsOf(objects).flatMap(({ template }) =>
      template.spec.containers.flatMap(({ env = [] }) =>
        env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? []),
      ),
    );
    assert.deepEqual(new Set(names), new Set(['elsewhere']));
    assert.ok(!objects.some(({ kind }) => kind === 'Secret'));
  });

  it('takes a secret from a file that the environment names', () => {
    const keys = `mounted:${Buffer.alloc(32, 1).toString('base64')}`;
    const objects = render('gateway', {
      environment: { GATEWAY_SEALING_KEYS_FILE: '/etc/keys/sealing-keys' },
      secrets: { values: { GATEWAY_SEALING_KEYS: '' } },
      extraVolumes: [{ name: 'keys', secret: { secretName: 'keys' } }],
      extraVolumeMounts: [{ name: 'keys', mountPath: '/etc/keys', readOnly: true }],
    });
    const data = { 'sealing-keys': Buffer.from(keys).toString('base64') };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, spec: undefined, data };

    for (const name of PROCESSES) {
      const { secrets } = configOfPod([...objects, secret], name);
      assert.deepEqual(
        secrets.sealingKeys.map(({ id }) => id),
        ['mounted'],
      );
    }
  });

  it('installs several gateways in one namespace, each apart', () => {
    const releases = ['north', 'south'].map((name) => render(name, { settings: { gateway: { name } } }));
    const [north = [], south = []] = releases;
    const idOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;
    const southern = podTemplates(south).map(({ template }) => template.metadata.labels);

    assert.deepEqual(
      north.map(idOf).filter((id) => south.map(idOf).includes(id)),
      [],
    );
    for (const { kind, metadata, spec } of north) {
      const selector =
        spec?.podSelector ?? (kind === 'Service' ? { matchLabels: spec.selector } : spec?.selector);
      if (selector === undefined) continue;
      assert.ok(!southern.some((labels) => matches(selector, labels)), `${kind} ${metadata.name}`);
    }
    assert.deepEqual(
      [configOfPod(north, 'north-api').gateway.name, configOfPod(south, 'south-api').gateway.name],
      ['north', 'south'],
    );
  });

  it('restores with the configuration, the secrets and the rights of a worker', async () => {
    const objects = render('gateway', { restore: { copiedAt: '2026-11-24T02:00:00Z' } });
    const job = objects.find(({ kind }) => kind === 'Job') ?? assert.fail('There is no Job.');
    const pod = job.spec.template as PodTemplate;
    const worker = podTemplates(objects).find(({ name }) => name === 'gateway-worker')?.template.spec;
    const [container, other] = [pod.spec.containers[0], worker?.containers[0]];

    await checkSchema(job);
    assert.deepEqual(container?.args, ['--copied-at', '2026-11-24T02:00:00Z']);
    for (const key of ['image', 'env', 'envFrom', 'volumeMounts', 'securityContext', 'resources'] as const)
      assert.deepEqual(container?.[key], other?.[key], key);
    for (const key of ['volumes', 'securityContext', 'serviceAccountName'] as const)
      assert.deepEqual(pod.spec[key], worker?.[key], key);
    const redis = objects.find(({ metadata }) => metadata.name === 'gateway-redis-ingress');
    assert.ok(matches(redis?.spec.ingress[0].from[0].podSelector, pod.metadata.labels));
  });

  it('listens with TLS as the documented patch of the manifests does', async function () {
    const kubectl = findKubectl();
    if (kubectl === null) skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
    const overlay = await overlayWithListener(kubectl);
    const monitors = { serverName: 'gateway.example.org' };
    const values = {
      listener: { secret: 'gateway-listener', monitors },
      prometheusOperator: { enabled: true },
    };
    const objects = render('gateway', values);
    const [chart, manifests] = [comparable(objects), comparable(overlay)];

    for (const name of ['Deployment gateway-api', 'Deployment gateway-worker', 'Service gateway-api'])
      assert.deepEqual(chart[name], manifests[name], name);
    const secret = overlay.find(({ metadata }) => metadata.name === 'gateway-listener');
    const cluster = [...objects, secret ?? assert.fail('There is no Secret.')];
    for (const name of PROCESSES)
      assert.match(configOfPod(cluster, name).listen.certFile ?? '', /gateway-listener\/tls\.crt$/);
    const scrapes = objects.flatMap(({ kind, spec }) =>
      kind === 'PodMonitor' ? spec.podMetricsEndpoints : [],
    );
    assert.deepEqual(
      scrapes.map(({ scheme, tlsConfig }) => [scheme, tlsConfig]),
      [
        ['https', monitors],
        ['https', monitors],
      ],
    );
  });

  it('takes further variables, volumes, places and a digest of the image', async () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const objects = render('gateway', {
      image: { digest, pullSecrets: [{ name: 'registry' }] },
      extraEnv: [{ name: 'REGISTRY_PASSWORD', value: 'x' }],
      extraVolumes: [{ name: 'more', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
      worker: { nodeSelector: { disk: 'ssd' }, priorityClassName: 'high', podAnnotations: { a: 'b' } },
      networkPolicies: { cilium: true },
    });

    for (const { template } of podsOf(objects)) {
      const [container] = template.spec.containers;
      assert.equal(container?.image, `registry.example.org/cloud-resource-gateway@${digest}`);
      assert.ok(container?.volumeMounts.some(({ mountPath }) => mountPath === '/more'));
    }
    const official = objects.filter(({ apiVersion }) => !apiVersion.startsWith('cilium.io/'));
    for (const object of official) await checkSchema(object);
    assert.equal(objects.length, official.length + 1);
  });

  for (const [what, values, sentence] of [
    ['an unknown value', { setings: {} }, /additional properties 'setings' not allowed/],
    [
      'an unknown secret',
      { secrets: { values: { REDIS: 'x' } } },
      /additional properties 'REDIS' not allowed/,
    ],
    ['no identity service', { settings: { identity: { url: '' } } }, /set settings\.identity\.url/],
    ['no sealing keys', { secrets: { values: { GATEWAY_SEALING_KEYS: '' } } }, /set secrets\.existing, or/],
    [
      'no Redis',
      { redis: { enabled: false }, secrets: { values: { REDIS_URL: '' } } },
      /set secrets\.values\.REDIS_URL, or redis\.enabled/,
    ],
    ['the region as a variable', { environment: { OS_REGION_NAME: 'R' } }, /in place of variables/],
    ['no host', { settings: { public_endpoint: { url: null } } }, /set route\.host, or/],
  ] as const)
    it(`refuses ${what} with a sentence`, () => {
      assert.throws(() => render('gateway', values), sentence);
    });
});
