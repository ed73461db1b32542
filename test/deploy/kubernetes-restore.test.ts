import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { skipWithout } from '../support/skip-without.ts';
import { root } from '../support/source/workspaces.ts';
import { readText } from './deploy-files.ts';
import {
  addRestoreJob,
  checkSchema,
  findKubectl,
  type KubernetesObject,
  matches,
  overlayObjects,
  type PodTemplate,
  podTemplates,
  sizes,
} from './kubernetes-objects.ts';

for (const size of sizes)
  describe(`the Job of a restore in the Kubernetes overlay ${size}`, () => {
    let objects: KubernetesObject[];
    let job: KubernetesObject;
    let pod: PodTemplate;

    before(function () {
      const kubectl = findKubectl();
      if (kubectl === null) skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
      // As the documentation says.
      objects = overlayObjects(kubectl, size, (copy, overlay) =>
        addRestoreJob(copy, overlay, '<time of the copy>'),
      );
      job = objects.find(({ kind }) => kind === 'Job') ?? assert.fail('There is no Job.');
      pod = job.spec.template as PodTemplate;
    });

    it('has the published schema', () => checkSchema(job));

    it('works with the configuration, the secrets and the rights of a worker', () => {
      const worker = podTemplates(objects).find(({ name }) => name === 'gateway-worker')?.template.spec;
      const [container, other] = [pod.spec.containers[0], worker?.containers[0]];

      assert.deepEqual(container?.env, other?.env);
      assert.deepEqual(container?.envFrom, other?.envFrom);
      assert.deepEqual(container?.volumeMounts, other?.volumeMounts);
      assert.deepEqual(container?.securityContext, other?.securityContext);
      assert.deepEqual(pod.spec.volumes, worker?.volumes);
      assert.deepEqual(pod.spec.securityContext, worker?.securityContext);
      assert.equal(pod.spec.serviceAccountName, worker?.serviceAccountName);
    });

    it('runs the documented command once, and not without a time', () => {
      const [container] = pod.spec.containers;
      const file = container?.command.at(-1) ?? '';

      assert.ok(existsSync(join(root, file)));
      assert.ok(readText('docs/operations.md').includes(`node ${file} --copied-at`));
      assert.equal(container?.args?.[0], '--copied-at');
      assert.ok(Number.isNaN(Date.parse(container?.args?.[1] ?? '')));
      assert.equal(job.spec.backoffLimit, 0);
    });

    it('reaches Redis, and no policy of a process is wider for it', () => {
      const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
      const own = policies.filter(({ spec }) => matches(spec.podSelector, pod.metadata.labels));

      assert.deepEqual(own.map(({ metadata }) => metadata.name).sort(), [
        'gateway-default-deny',
        'gateway-egress',
      ]);
    });
  });
