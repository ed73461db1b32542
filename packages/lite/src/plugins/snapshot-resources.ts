import {
  choice,
  customResource,
  flag,
  record,
  text,
  time,
  unchanged,
  withRules,
} from './kubernetes/custom-resource.ts';

export const snapshotGroup = 'snapshot.storage.k8s.io';
const approvals = 'https://github.com/kubernetes-csi/external-snapshotter/pull';

const deletionPolicy = choice('Delete', 'Retain');
/** The last error of a creation, which is repeated. */
const error = record({ fields: { message: text, time } });
const bytes = { type: 'integer', format: 'int64', minimum: 0 };
/** A number with or without a unit, as `1Gi`. */
const quantity = {
  'x-kubernetes-int-or-string': true,
  type: 'string',
  pattern: '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?(\\d+(\\.\\d*)?|\\.\\d+))?$',
};

/** A source that is one of two, and stays. */
function source(one: string, other: string) {
  return record({
    fields: { [one]: text, [other]: text },
    rules: {
      [`has(self.${one}) != has(self.${other})`]: `must have either ${one} or ${other}`,
      ...unchanged,
    },
  });
}

const volumeSnapshot = customResource({
  group: snapshotGroup,
  kind: 'VolumeSnapshot',
  resource: 'volumesnapshots',
  shortNames: ['vs'],
  scope: 'Namespaced',
  approval: `${approvals}/814`,
  required: ['spec'],
  fields: {
    spec: record({
      required: ['source'],
      fields: {
        source: source('persistentVolumeClaimName', 'volumeSnapshotContentName'),
        // Without a name, the default class of the driver counts.
        volumeSnapshotClassName: withRules(text, { 'size(self) > 0': 'must not be empty' }),
      },
    }),
    status: record({
      fields: {
        boundVolumeSnapshotContentName: text,
        creationTime: time,
        error,
        readyToUse: flag,
        restoreSize: quantity,
        volumeGroupSnapshotName: text,
      },
    }),
  },
  columns: {
    ReadyToUse: ['.status.readyToUse', 'boolean'],
    SourcePVC: ['.spec.source.persistentVolumeClaimName', 'string'],
    SourceSnapshotContent: ['.spec.source.volumeSnapshotContentName', 'string'],
    RestoreSize: ['.status.restoreSize', 'string'],
    SnapshotClass: ['.spec.volumeSnapshotClassName', 'string'],
    SnapshotContent: ['.status.boundVolumeSnapshotContentName', 'string'],
    CreationTime: ['.status.creationTime', 'date'],
  },
});

/** A reference to an object, with the fields that Kubernetes gives to references. */
const snapshotReference = {
  ...record({
    fields: {
      apiVersion: text,
      fieldPath: text,
      kind: text,
      name: text,
      namespace: text,
      resourceVersion: text,
      uid: text,
    },
    // CEL reserves the word namespace.
    rules: { 'has(self.name) && has(self.__namespace__)': 'must have a name and a namespace' },
  }),
  'x-kubernetes-map-type': 'atomic',
};

const volumeSnapshotContent = customResource({
  group: snapshotGroup,
  kind: 'VolumeSnapshotContent',
  resource: 'volumesnapshotcontents',
  shortNames: ['vsc', 'vscs'],
  scope: 'Cluster',
  approval: `${approvals}/955`,
  required: ['spec'],
  fields: {
    spec: record({
      required: ['deletionPolicy', 'driver', 'source', 'volumeSnapshotRef'],
      fields: {
        deletionPolicy,
        driver: text,
        source: source('snapshotHandle', 'volumeHandle'),
        sourceVolumeMode: withRules(text, unchanged),
        volumeSnapshotClassName: text,
        volumeSnapshotRef: snapshotReference,
      },
      rules: {
        '!has(oldSelf.sourceVolumeMode) || has(self.sourceVolumeMode)': 'must keep its sourceVolumeMode',
      },
    }),
    status: record({
      fields: {
        // In nanoseconds since the epoch.
        creationTime: { type: 'integer', format: 'int64' },
        error,
        readyToUse: flag,
        restoreSize: bytes,
        snapshotHandle: text,
        volumeGroupSnapshotHandle: text,
      },
    }),
  },
  columns: {
    ReadyToUse: ['.status.readyToUse', 'boolean'],
    RestoreSize: ['.status.restoreSize', 'integer'],
    DeletionPolicy: ['.spec.deletionPolicy', 'string'],
    Driver: ['.spec.driver', 'string'],
    VolumeSnapshotClass: ['.spec.volumeSnapshotClassName', 'string'],
    VolumeSnapshot: ['.spec.volumeSnapshotRef.name', 'string'],
    VolumeSnapshotNamespace: ['.spec.volumeSnapshotRef.namespace', 'string'],
  },
});

const volumeSnapshotClass = customResource({
  group: snapshotGroup,
  kind: 'VolumeSnapshotClass',
  resource: 'volumesnapshotclasses',
  shortNames: ['vsclass', 'vsclasses'],
  scope: 'Cluster',
  approval: `${approvals}/814`,
  required: ['deletionPolicy', 'driver'],
  fields: {
    deletionPolicy,
    driver: text,
    parameters: { type: 'object', additionalProperties: text },
  },
  columns: { Driver: ['.driver', 'string'], DeletionPolicy: ['.deletionPolicy', 'string'] },
});

/** The custom resources of snapshots, in the version that the controller and the sidecars use. */
export const snapshotResources = [volumeSnapshot, volumeSnapshotContent, volumeSnapshotClass];
