import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { findProgram } from '../../scripts/debian-package.ts';
import { root } from '../support/source/workspaces.ts';

const kubernetesFolder = join(root, 'deploy/kubernetes');

/** The parts of Kubernetes objects that the tests read. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the kind; the models check it.
  spec: any;
  data?: Record<string, string>;
}

export type Labels = Record<string, string>;

export interface PodTemplate {
  metadata: { labels: Labels; annotations?: Record<string, string> };
  spec: {
    serviceAccountName?: string;
    automountServiceAccountToken: boolean;
    terminationGracePeriodSeconds: number;
    securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } };
    topologySpreadConstraints?: { labelSelector: Selector }[];
    containers: Container[];
    volumes?: {
      name: string;
      configMap?: { name: string; optional?: boolean };
      secret?: { secretName: string };
      emptyDir?: object;
    }[];
  };
}

export interface Container {
  image: string;
  command: string[];
  args?: string[];
  ports: { name: string; containerPort: number }[];
  envFrom?: { configMapRef: { name: string } }[];
  env?: Variable[];
  startupProbe?: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  lifecycle?: { preStop: { exec: { command: string[] } } };
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: {
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    capabilities: { drop: string[] };
  };
  volumeMounts: { name: string; mountPath: string }[];
}

/** Has either a value or its source. */
interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
}

interface Probe {
  httpGet?: { path: string; port: string };
}

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: 'In'; values: string[] }[];
}

/** Null on a machine without kubectl. */
export function findKubectl(): string | null {
  return findProgram(['kubectl']) ?? null;
}

/** The objects of all manifests, before kustomize merges them. Those of Cilium have no published schema. */
export function plainObjects(): KubernetesObject[] {
  const files = globSync('**/*.yaml', { cwd: kubernetesFolder });
  return files
    .filter((file) => !/(?:kustomization|base\/gateway|site)\.yaml$/.test(file))
    .flatMap((file) => readObjects(readFileSync(join(kubernetesFolder, file), 'utf8')))
    .filter(({ apiVersion }) => !apiVersion.startsWith('cilium.io/'));
}

/** The overlays of the sizes in `docs/scaling.md`. */
export const sizes = ['small', 'medium', 'large'] as const;

export type Size = (typeof sizes)[number];

/**
 * The objects of an overlay, merged, as an operator gets them who has copied the manifests and made the file
 * with the secrets.
 *
 * @param change what the operator has changed in the copy
 */
export function overlayObjects(
  kubectl: string,
  size: Size,
  change: (copy: string, overlay: string) => void = () => {},
): KubernetesObject[] {
  const copy = mkdtempSync(join(tmpdir(), 'gateway-manifests-'));
  try {
    cpSync(kubernetesFolder, copy, { recursive: true });
    writeFileSync(join(copy, secretsFile), `${secretLines.join('\n')}\n`);
    const overlay = join(copy, 'overlays', size);
    change(copy, overlay);
    return readObjects(execFileSync(kubectl, ['kustomize', overlay], { encoding: 'utf8' }));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

export const secretsFile = 'overlays/example/secrets.env';

export const secretLines = [
  `GATEWAY_SEALING_KEYS=main:${Buffer.alloc(32).toString('base64')}`,
  'REDIS_URL=redis://redis:6379',
  'GATEWAY_SERVICE_PASSWORD=secret',
];

/** Changes the kustomization of an overlay. */
export function editKustomization(overlay: string, edit: (kustomization: Kustomization) => void): void {
  const file = join(overlay, 'kustomization.yaml');
  const kustomization = parse(readFileSync(file, 'utf8')) as Kustomization;
  edit(kustomization);
  writeFileSync(file, stringify(kustomization));
}

/** Adds the Job of a restore to an overlay, as the documentation says. */
export function addRestoreJob(copy: string, overlay: string, copiedAt: string): void {
  const file = join(copy, 'components/restore/restore.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('<time of the copy>', copiedAt));
  editKustomization(overlay, (kustomization) => {
    kustomization.components = [...(kustomization.components ?? []), '../../components/restore'];
  });
}

interface ConfigMapGenerator {
  name: string;
  behavior: 'merge';
  files?: string[];
  literals?: string[];
}

/** The parts of a kustomization that the tests change. */
export interface Kustomization {
  components?: string[];
  images?: { name: string; newTag: string }[];
  configMapGenerator?: ConfigMapGenerator[];
  secretGenerator?: object[];
  patches?: object[];
}

export function readObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as KubernetesObject;
  });
}

/** Of Deployments and StatefulSets. */
export function podTemplates(objects: KubernetesObject[]): { name: string; template: PodTemplate }[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map(({ metadata, spec }) => ({ name: metadata.name, template: spec.template as PodTemplate }));
}

export function matches(selector: Selector, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

interface Model {
  validate(): void;
}

/** Throws if the object does not have the schema that Kubernetes, KEDA or the Prometheus Operator publish. */
export async function checkSchema(object: KubernetesObject): Promise<void> {
  const group = object.apiVersion.split('/')[0] ?? '';
  const home: Record<string, string> = {
    'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
    'keda.sh': '@kubernetes-models/keda',
    'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  };
  const models = (await import(`${home[group] ?? 'kubernetes-models'}/${object.apiVersion}`)) as Record<
    string,
    new (
      data: object,
    ) => Model
  >;
  const model = models[object.kind];
  if (model === undefined) throw new Error(`There is no schema of ${object.apiVersion} ${object.kind}.`);
  new model(object).validate();
}
