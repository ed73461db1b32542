import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, type Environment, SECRET_VARIABLES } from '@gateway/platform';
import { VARIABLES } from '../../packages/platform/src/config/env.ts';
import { skipWithout } from '../support/skip-without.ts';
import { root } from '../support/source/workspaces.ts';
import { readText } from './deploy-files.ts';
import { allMetrics, missingFrom } from './exposed-metrics.ts';
import {
  type Container,
  checkSchema,
  findKubectl,
  type KubernetesObject,
  overlayObjects,
  type PodTemplate,
  plainObjects,
  podTemplates,
  secretsFile,
  sizes,
} from './kubernetes-objects.ts';
import { configOfPod, environmentOf } from './pod-config.ts';
import { readQuery } from './promql.ts';

/** Read by the configuration itself. */
const OTHER_VARIABLES = ['GATEWAY_CONFIG'];
/** Between `time_limits.shutdown_seconds` and the end of a process. */
const CLOSING_SECONDS = 5;

describe('the Kubernetes manifests', () => {
  for (const object of plainObjects()) {
    it(`of ${object.kind} ${object.metadata.name} have the published schema`, () => checkSchema(object));
  }
});

for (const size of sizes)
  describe(`the Kubernetes overlay ${size}`, () => {
    let objects: KubernetesObject[];
    let config: Config;
    let environment: Environment;

    before(function () {
      const kubectl = findKubectl();
      if (kubectl === null) skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
      objects = overlayObjects(kubectl, size);
      environment = environmentOf(objects, role('api').container);
      config = configOfPod(objects, 'gateway-api');
    });

    const templates = () => podTemplates(objects);

    /** What selects the series of this gateway, in a query. */
    const ownGateway = () => [
      { label: 'gateway', operator: '=', value: config.gateway.name },
      { label: 'region', operator: '=', value: config.identity.region },
    ];

    function role(name: 'api' | 'worker'): { template: PodTemplate; container: Container } {
      const template = templates().find((pod) => pod.name === `gateway-${name}`)?.template;
      const container = template?.spec.containers[0];
      assert.ok(template && container);
      return { template, container };
    }

    it('has the published schemas after merging', async () => {
      for (const object of objects) await checkSchema(object);
      assert.ok(objects.length > 15);
    });

    it('puts everything into one namespace, which exists', () => {
      const names = objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name);
      for (const { kind, metadata } of objects) {
        if (kind !== 'Namespace') assert.deepEqual([metadata.namespace], names, metadata.name);
      }
    });

    it('sets variables that the processes read, and a configuration that they accept', () => {
      const known = [...VARIABLES.keys(), ...SECRET_VARIABLES, ...OTHER_VARIABLES];
      const { container } = role('api');
      const set = [...Object.keys(environment), ...(container.env ?? []).map(({ name }) => name)];

      assert.deepEqual(
        set.filter((name) => !known.includes(name)),
        [],
      );
      assert.equal(config.publicEndpoint.url, 'https://gateway.example.org');
      assert.equal(config.serviceUser?.username, 'gateway');
      const folder = container.volumeMounts.find(({ name }) => name === 'config')?.mountPath;
      assert.equal(environment.GATEWAY_CONFIG, folder);
    });

    it('gives api and worker the same configuration and secrets', () => {
      const [api, worker] = [role('api').container, role('worker').container];

      assert.deepEqual(api.env, worker.env);
      assert.deepEqual(api.envFrom, worker.envFrom);
      assert.deepEqual(api.volumeMounts, worker.volumeMounts);
      assert.equal(api.image, worker.image);
    });

    it('takes secrets from a file that the documented command makes', () => {
      const references = (role('api').container.env ?? []).flatMap(
        ({ valueFrom }) => valueFrom?.secretKeyRef ?? [],
      );
      const [, file, lines] =
        /cat > deploy\/kubernetes\/(\S+)\) <<END\n([\s\S]*?)\nEND\n/.exec(readText('docs/operations.md')) ??
        [];
      const keys = lines?.split('\n').map((line) => line.split('=')[0] ?? '') ?? [];
      const secrets = objects.filter(({ kind }) => kind === 'Secret');

      assert.equal(file, secretsFile);
      assert.deepEqual(
        new Set(references.map(({ name }) => name)),
        new Set(secrets.map(({ metadata }) => metadata.name)),
      );
      assert.equal(secrets.length, 1);
      assert.deepEqual(references.map(({ key }) => key).sort(), keys.toSorted());
      assert.deepEqual(
        references
          .filter(({ optional }) => optional === true)
          .map(({ key }) => key)
          .sort(),
        keys.filter((key) => key !== 'GATEWAY_SEALING_KEYS' && key !== 'REDIS_URL').toSorted(),
      );
      assert.deepEqual(keys.toSorted(), SECRET_VARIABLES.toSorted());
    });

    it("starts the image's entry files, on its ports, with health endpoints", () => {
      const dockerfile = readText('deploy/Dockerfile');
      for (const [name, port, path, ready] of [
        ['api', 8000, '/api/health', '/api/health?ready=true'],
        ['worker', 8001, '/health', '/health?ready=true'],
      ] as const) {
        const { container } = role(name);
        assert.ok(existsSync(join(root, container.command.at(-1) ?? '')));
        assert.match(dockerfile, new RegExp(`EXPOSE[ 0-9]* ${port}`));
        assert.deepEqual(
          container.ports.map(({ containerPort }) => containerPort),
          [port],
        );
        assert.equal(container.startupProbe?.httpGet?.path, path);
        assert.equal(container.livenessProbe.httpGet?.path, path);
        assert.equal(container.readinessProbe.httpGet?.path, ready);
      }
    });

    it('waits for the end of each process and its preStop', () => {
      for (const name of ['api', 'worker'] as const) {
        const { container, template } = role(name);
        const [, pause = '0'] = container.lifecycle?.preStop.exec.command ?? [];
        const needed = Number(pause) + config.timeLimits.shutdownSeconds + CLOSING_SECONDS;
        assert.ok(template.spec.terminationGracePeriodSeconds >= needed, name);
      }
    });

    it('runs without root, on read-only disks, without privileges and tokens', () => {
      assert.equal(templates().length, size === 'small' ? 3 : 2);
      for (const { name, template } of templates()) {
        const { automountServiceAccountToken, containers, securityContext } = template.spec;
        assert.equal(automountServiceAccountToken, false, name);
        assert.equal(securityContext.runAsNonRoot, true);
        assert.ok(securityContext.runAsUser > 0);
        assert.deepEqual(securityContext.seccompProfile, { type: 'RuntimeDefault' });
        for (const container of containers) {
          assert.deepEqual(container.securityContext, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          assert.ok(container.resources.requests.cpu && container.resources.requests.memory);
          assert.ok(container.resources.limits.memory);
        }
      }
    });

    it('routes clients and operators to the api without cutting requests off', () => {
      const found = objects.filter(({ kind }) => kind === 'HTTPRoute' || kind === 'Ingress');
      const [{ metadata, spec }] = found as [KubernetesObject];
      const [rule] = spec.rules;

      assert.equal(found.length, 1);
      assert.equal(config.http.bodyLimitBytes, 1024 * 1024);
      if (size !== 'small') {
        assert.deepEqual(
          rule.matches.map(({ path }: { path: { type: string; value: string } }) => [path.type, path.value]),
          [
            ['PathPrefix', '/api'],
            ['PathPrefix', '/ops'],
          ],
        );
        assert.deepEqual(rule.timeouts, { request: '0s', backendRequest: '0s' });
        return;
      }
      assert.deepEqual(
        rule.http.paths.map(({ path, pathType }: { path: string; pathType: string }) => [pathType, path]),
        [
          ['Prefix', '/api'],
          ['Prefix', '/ops'],
        ],
      );
      assert.deepEqual(spec.tls[0].hosts, [new URL(config.publicEndpoint.url ?? '').hostname]);
      const { annotations = {} } = metadata;
      const seconds = Number(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout']);
      assert.ok(seconds > config.timeLimits.syncCreateSeconds);
      assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-body-size'], '1m');
    });

    it('runs as many processes as the documentation of its size says', () => {
      const [, users] =
        /^# About ([\d,]+) users/.exec(readText(`deploy/kubernetes/overlays/${size}/kustomization.yaml`)) ??
        [];
      const row = readText('docs/scaling.md')
        .split('\n')
        .find((line) => line.startsWith(`| ${users} | \`${size}\` |`));
      const scaler = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.spec;
      const workers = objects.find(({ kind }) => kind === 'ScaledObject')?.spec;
      const deployment = objects.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway-worker',
      );

      const range = (min: number, max: number) => (min === max ? `${min}` : `${min} to ${max}`);
      const [, , , api, worker] = row?.split('|').map((cell) => cell.trim()) ?? [];
      assert.equal(/^[\d to]*\d/.exec(api ?? '')?.[0], range(scaler.minReplicas, scaler.maxReplicas));
      const { minReplicaCount, maxReplicaCount } = workers ?? {};
      const replicas = deployment?.spec.replicas;
      assert.equal(
        /^[\d to]*\d/.exec(worker ?? '')?.[0],
        range(minReplicaCount ?? replicas, maxReplicaCount ?? replicas),
      );
    });

    it('has a place for certificates of authorities, which may be empty', () => {
      for (const name of ['api', 'worker'] as const) {
        const { container, template } = role(name);
        const volume = template.spec.volumes?.find((each) => each.name === 'authorities');
        assert.equal(volume?.configMap?.optional, true);
        const mount = container.volumeMounts.find((each) => each.name === 'authorities');
        assert.ok(readText('docs/operations.md').includes(`\`${mount?.mountPath}\``));
      }
    });

    if (size === 'small')
      it('runs Redis like docker-compose.yml, with a memory limit', () => {
        const redis = templates().find(({ name }) => name === 'redis')?.template.spec.containers[0];
        const settings = redis?.args?.join(' ') ?? '';

        for (const setting of ['--appendonly yes', '--appendfsync always', '--maxmemory-policy noeviction']) {
          assert.ok(settings.includes(setting), setting);
        }
        assert.match(settings, /--maxmemory 1gb/);
        assert.equal(redis?.resources.limits.memory, '2Gi');
      });

    if (size !== 'small')
      it("scales workers by every queue's needed slots before they are full", async () => {
        const scaled = objects.find(({ kind }) => kind === 'ScaledObject');
        const exposed = await allMetrics();
        const queues: string[] = [];
        for (const { metadata } of scaled?.spec.triggers ?? []) {
          const query = readQuery(metadata.query);
          assert.deepEqual(missingFrom(exposed, query), []);
          for (const { matchers } of query.selectors) {
            assert.deepEqual(matchers.slice(0, 2), ownGateway());
          }
          const queue = /queue="(\w+)"/.exec(metadata.query)?.[1] as keyof typeof config.jobs.concurrency;
          queues.push(queue);
          assert.ok(Number(metadata.threshold) <= config.jobs.concurrency[queue] * 0.8, queue);
        }
        assert.deepEqual(queues.sort(), Object.keys(config.jobs.concurrency).sort());
        assert.ok(scaled?.spec.minReplicaCount >= 1);
      });

    it('labels every process that Prometheus watches with its gateway and region', () => {
      const labels = ownGateway().map(({ label, value }) => ({ targetLabel: label, replacement: value }));
      const monitors = objects.filter(({ kind }) => kind === 'PodMonitor');
      for (const { spec } of monitors) {
        for (const { honorLabels, relabelings } of spec.podMetricsEndpoints) {
          assert.equal(honorLabels, true);
          assert.deepEqual(relabelings, labels);
        }
      }
      assert.equal(monitors.length, size === 'small' ? 0 : 2);
    });
  });
