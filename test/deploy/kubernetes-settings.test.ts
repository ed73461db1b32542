import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@gateway/platform';
import { skipWithout } from '../support/skip-without.ts';
import {
  editKustomization,
  findKubectl,
  type KubernetesObject,
  overlayObjects,
  podTemplates,
  secretLines,
  secretsFile,
  sizes,
} from './kubernetes-objects.ts';
import { configOfPod } from './pod-config.ts';

const PROCESSES = ['gateway-api', 'gateway-worker'];

for (const size of sizes)
  describe(`the settings of the Kubernetes overlay ${size}`, () => {
    let kubectl: string;

    before(function () {
      kubectl = findKubectl() ?? skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
    });

    /** With a file of settings that this overlay adds to those of the others. */
    function withOwnFile(text: string): KubernetesObject[] {
      return overlayObjects(kubectl, size, (_, overlay) => {
        writeFileSync(join(overlay, 'size.yaml'), text);
        editKustomization(overlay, (kustomization) => {
          kustomization.configMapGenerator = [
            ...(kustomization.configMapGenerator ?? []),
            { name: 'gateway-config', behavior: 'merge', files: ['size.yaml'] },
          ];
        });
      });
    }

    function withSecrets(lines: string[]): KubernetesObject[] {
      return overlayObjects(kubectl, size, (copy) =>
        writeFileSync(join(copy, secretsFile), lines.join('\n')),
      );
    }

    const podsOf = (objects: KubernetesObject[]) =>
      podTemplates(objects).filter(({ name }) => PROCESSES.includes(name));

    for (const process of PROCESSES)
      it(`are those of base in ${process}, with those of the installation`, () => {
        const config = configOfPod(overlayObjects(kubectl, size), process);

        assert.deepEqual(config.http.trustedProxies, ['uniquelocal']);
        assert.deepEqual(config.metrics.allowedFrom, ['uniquelocal']);
        assert.deepEqual(config.http.corsOrigins, ['https://dashboard.example.org']);
      });

    it('grow by a file of an overlay, which replaces only lists', () => {
      const objects = withOwnFile(
        'http: { cors_origins: [https://other.example.org], heartbeat_seconds: 5 }\n',
      );

      const config = configOfPod(objects, 'gateway-worker');

      assert.deepEqual(config.http.corsOrigins, ['https://other.example.org']);
      assert.equal(config.http.heartbeatSeconds, 5);
      assert.deepEqual(config.http.trustedProxies, ['uniquelocal']);
      assert.deepEqual(config.metrics.allowedFrom, ['uniquelocal']);
    });

    for (const process of PROCESSES)
      it(`let a file set the level of the log of ${process}`, () => {
        const { log } = configOfPod(withOwnFile('log: { level: debug }\n'), process);

        assert.equal(log.level, 'debug');
      });

    it('are refused with the file of an unknown key', () => {
      const objects = withOwnFile('http: { trusted_proxy: [] }\n');

      assert.throws(
        () => configOfPod(objects, 'gateway-api'),
        (error) =>
          error instanceof ConfigError &&
          /"http\.trusted_proxy" is not a known key \(in .*size\.yaml\)/.test(error.message),
      );
    });

    it('restart the processes when a setting or a secret changes', () => {
      const pods = podsOf(overlayObjects(kubectl, size));
      const others = [
        withOwnFile('http: { heartbeat_seconds: 5 }\n'),
        withSecrets([...secretLines.slice(0, -1), 'GATEWAY_SERVICE_PASSWORD=another']),
      ];

      assert.deepEqual(podsOf(withSecrets(secretLines)), pods);
      for (const changed of others) {
        for (const [at, { name, template }] of podsOf(changed).entries())
          assert.notDeepEqual(template, pods[at]?.template, name);
      }
    });
  });
