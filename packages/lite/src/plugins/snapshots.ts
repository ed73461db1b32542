import { sidecar } from './csi.ts';
import { images } from './images.ts';
import { accountWithRules, type PolicyRule, rule } from './kubernetes/access.ts';
import type { KubernetesObject } from './kubernetes/object.ts';
import { type Container, deployment } from './kubernetes/workload.ts';
import { snapshotGroup } from './snapshot-resources.ts';

const snapshotControllerName = 'snapshot-controller';

/**
 * The controller that binds snapshots to their contents. A cluster has one for all drivers, whose sidecars
 * take the snapshots, so each plugin with snapshots brings the same objects.
 */
export const snapshotController: readonly KubernetesObject[] = [
  ...accountWithRules(snapshotControllerName, [
    rule('get list watch', 'persistentvolumes'),
    rule('get list watch update', 'persistentvolumeclaims'),
    rule('list watch create update patch', 'events'),
    rule('get list watch', 'volumesnapshotclasses', snapshotGroup),
    rule(
      'get list watch create update patch delete',
      'volumesnapshots volumesnapshotcontents',
      snapshotGroup,
    ),
    rule('update patch', 'volumesnapshots/status volumesnapshotcontents/status', snapshotGroup),
  ]),
  deployment(snapshotControllerName, {
    serviceAccountName: snapshotControllerName,
    priorityClassName: 'system-cluster-critical',
    containers: [{ name: snapshotControllerName, image: images.snapshotController }],
  }),
];

/** The sidecar that takes and deletes snapshots. */
export function snapshotter(...furtherArguments: string[]): Container {
  return sidecar('snapshotter', images.csiSnapshotter, '--timeout=3m', ...furtherArguments);
}

/** The rights of that sidecar, and those of the one that creates volumes from snapshots. */
export const snapshotRules: readonly PolicyRule[] = [
  rule('get list', 'volumesnapshots', snapshotGroup),
  rule('get list watch', 'volumesnapshotclasses', snapshotGroup),
  rule('get list watch update patch', 'volumesnapshotcontents', snapshotGroup),
  rule('update patch', 'volumesnapshotcontents/status', snapshotGroup),
];

/** The default class of a driver's snapshots. */
export function snapshotClass(
  name: string,
  driver: string,
  parameters: Record<string, string>,
): KubernetesObject {
  return {
    apiVersion: `${snapshotGroup}/v1`,
    kind: 'VolumeSnapshotClass',
    metadata: { name, annotations: { 'snapshot.storage.kubernetes.io/is-default-class': 'true' } },
    driver,
    deletionPolicy: 'Delete',
    parameters,
  };
}
