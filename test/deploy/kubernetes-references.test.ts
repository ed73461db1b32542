import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { skipWithout } from '../support/skip-without.ts';
import { root } from '../support/source/workspaces.ts';
import {
  findKubectl,
  type KubernetesObject,
  type Labels,
  matches,
  overlayObjects,
  type PodTemplate,
  podTemplates,
  type Selector,
  sizes,
} from './kubernetes-objects.ts';

interface NetworkPeer {
  podSelector?: Selector;
}

interface EgressRule {
  to?: { ipBlock?: { cidr: string; except?: string[] } }[];
  ports?: { port?: number; protocol?: string }[];
}

interface Patch {
  target: { kind: string };
  patch: string;
}

interface Route {
  backendRefs: { name: string; port: number }[];
}

interface IngressRule {
  http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
}

interface ServicePort {
  name: string;
  port: number;
}

interface NetworkRule {
  from?: NetworkPeer[];
  ports?: { port: string | number }[];
}

for (const size of sizes)
  describe(`the references in the Kubernetes overlay ${size}`, () => {
    let objects: KubernetesObject[];
    let pods: { name: string; template: PodTemplate }[];

    before(function () {
      const kubectl = findKubectl();
      if (kubectl === null) skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
      objects = overlayObjects(kubectl, size);
      pods = podTemplates(objects);
    });

    const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
    const namesOf = (kind: string) => ofKind(kind).map(({ metadata }) => metadata.name);
    const labelsOf = (template: PodTemplate): Labels => template.metadata.labels;
    const selected = (selector: Selector) =>
      pods.filter(({ template }) => matches(selector, labelsOf(template)));
    const portsOf = (template: PodTemplate) =>
      template.spec.containers.flatMap(({ ports }) => ports.map(({ name }) => name));

    it('name config maps, service accounts and volumes that exist', () => {
      for (const { name, template } of pods) {
        const { containers, serviceAccountName, volumes = [] } = template.spec;
        const configMaps = [
          ...containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef.name)),
          ...volumes.flatMap(({ configMap }) => (configMap?.optional ? [] : (configMap?.name ?? []))),
        ];
        for (const configMap of configMaps) assert.ok(namesOf('ConfigMap').includes(configMap), configMap);
        if (serviceAccountName) assert.ok(namesOf('ServiceAccount').includes(serviceAccountName), name);
        const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts.map((mount) => mount.name));
        const claims: { metadata: { name: string } }[] =
          ofKind('StatefulSet').find(({ metadata }) => metadata.name === name)?.spec.volumeClaimTemplates ??
          [];
        const offered = [...volumes, ...claims.map(({ metadata }) => metadata)].map((volume) => volume.name);
        assert.deepEqual(mounted.sort(), offered.sort());
      }
    });

    it('of workloads select their own pods', () => {
      for (const { metadata, spec } of [...ofKind('Deployment'), ...ofKind('StatefulSet')]) {
        assert.deepEqual(
          selected(spec.selector).map(({ name }) => name),
          [metadata.name],
        );
        for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? []) {
          assert.ok(matches(labelSelector, spec.template.metadata.labels));
        }
      }
    });

    it('of services and of the route lead to ports of pods', () => {
      for (const { metadata, spec } of ofKind('Service')) {
        const behind = selected({ matchLabels: spec.selector });
        assert.equal(behind.length, 1, metadata.name);
        for (const { targetPort } of spec.ports) {
          assert.ok(behind.every(({ template }) => portsOf(template).includes(targetPort)));
        }
      }
      const backends: { name: string; port: number | { name: string } }[] = [
        ...ofKind('HTTPRoute').flatMap(({ spec }) => spec.rules.flatMap((rule: Route) => rule.backendRefs)),
        ...ofKind('Ingress').flatMap(({ spec }) =>
          spec.rules.flatMap(({ http }: IngressRule) => http.paths.map(({ backend }) => backend.service)),
        ),
      ];
      assert.ok(backends.length > 0);
      for (const { name, port } of backends) {
        const service = ofKind('Service').find(({ metadata }) => metadata.name === name);
        const offered: ServicePort[] = service?.spec.ports ?? [];
        assert.ok(
          offered.some((each) => (typeof port === 'number' ? each.port === port : each.name === port.name)),
        );
      }
    });

    it('of probes name ports of their container', () => {
      for (const { template } of pods) {
        for (const { ports, startupProbe, livenessProbe, readinessProbe } of template.spec.containers) {
          for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
            if (probe?.httpGet) assert.ok(ports.some(({ name }) => name === probe.httpGet?.port));
          }
        }
      }
    });

    it('of budgets, scalers and monitors lead to workloads', () => {
      const monitored = size === 'small' ? [] : ['PodMonitor'];
      for (const kind of ['PodDisruptionBudget', ...monitored]) {
        const found = ofKind(kind).flatMap(({ spec }) => selected(spec.selector).map(({ name }) => name));
        assert.deepEqual(found.sort(), ['gateway-api', 'gateway-worker'], kind);
      }
      for (const { spec } of ofKind('PodMonitor')) {
        const [pod] = selected(spec.selector);
        assert.ok(pod);
        // The alert rules know the processes by this label's value.
        assert.equal(labelsOf(pod.template)[spec.jobLabel], pod.name);
        for (const { port } of spec.podMetricsEndpoints) assert.ok(portsOf(pod.template).includes(port));
      }
      const targets = [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')].map(
        ({ spec }) => spec.scaleTargetRef.name,
      );
      assert.deepEqual(
        targets.sort(),
        size === 'small' ? ['gateway-api'] : ['gateway-api', 'gateway-worker'],
      );
      // Applying the manifests must not undo the changes of the scalers.
      for (const { metadata, spec } of ofKind('Deployment')) {
        assert.equal(spec.replicas === undefined, targets.includes(metadata.name), metadata.name);
      }
    });

    const egressRules = (): EgressRule[] =>
      ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'gateway-egress')?.spec.egress;

    for (const [family, everything, linkLocal] of [
      [4, '0.0.0.0/0', '169.254.0.0/16'],
      [6, '::/0', 'fe80::/10'],
    ] as const) {
      it(`of network policies exclude the cluster's networks in IPv${family}`, () => {
        const outside = egressRules()
          .flatMap(({ to = [] }) => to)
          .filter(({ ipBlock }) => ipBlock?.cidr === everything);

        assert.equal(outside.length, 1);
        // The metadata service, and the networks of pods, Services and nodes.
        const except = outside[0]?.ipBlock?.except ?? [];
        assert.equal(except.length, 4);
        assert.equal(except[0], linkLocal);
        for (const network of except) assert.equal(isIP(network.split('/')[0] ?? ''), family, network);
      });
    }

    it('of network policies reach name servers and a cache of the node', () => {
      const [dns] = egressRules();

      const namespace = { 'kubernetes.io/metadata.name': 'kube-system' };
      const caches = [{ ipBlock: { cidr: '169.254.20.10/32' } }];
      assert.deepEqual(dns?.to, [{ namespaceSelector: { matchLabels: namespace } }, ...caches]);
      assert.deepEqual(
        dns?.ports?.map(({ port, protocol = 'TCP' }) => `${protocol} ${port}`),
        [53, 1053, 5353, 8053].flatMap((port) => [`UDP ${port}`, `TCP ${port}`]),
      );
    });

    it('of network policies reach each form of receiver of audit events', () => {
      const admitted = egressRules()
        .filter(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'))
        .flatMap(({ ports = [] }) => ports);
      const receivers = [
        ...readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(/`syslog\+(\w+):\/\/host:(\d+)`/g),
      ].map(([, form = '', port]) => ({ form, port: Number(port) }));

      assert.deepEqual(receivers.map(({ form }) => form).sort(), ['tcp', 'tls', 'udp']);
      for (const { form, port } of receivers) {
        const transport = form === 'udp' ? 'UDP' : 'TCP';
        const isAdmitted = admitted.some(
          (each) => (each.protocol ?? 'TCP') === transport && [undefined, port].includes(each.port),
        );
        assert.ok(isAdmitted, form);
      }
    });

    if (size !== 'small')
      it('of scalers name the Prometheus of the example in each trigger', () => {
        const kustomization = join(root, 'deploy/kubernetes/overlays/medium/kustomization.yaml');
        const { patches } = parse(readFileSync(kustomization, 'utf8')) as { patches: Patch[] };
        const patch = patches.find(({ target }) => target.kind === 'ScaledObject')?.patch ?? '';
        const operations = parse(patch) as { path: string; value: string }[];

        const triggers: { type: string; metadata: { serverAddress: string } }[] =
          ofKind('ScaledObject')[0]?.spec.triggers;
        assert.deepEqual(
          operations.map(({ path }) => path).filter((path) => path.endsWith('serverAddress')),
          triggers.map((_, index) => `/spec/triggers/${index}/metadata/serverAddress`),
        );
        // The namespace to which the policies allow connections from Prometheus.
        for (const { metadata } of triggers) assert.match(metadata.serverAddress, /\.monitoring\.svc:9090$/);
      });

    it('of network policies select pods, and ports that these have', () => {
      const isolated = new Set<string>();
      for (const { metadata, spec } of ofKind('NetworkPolicy')) {
        const targets = selected(spec.podSelector);
        assert.ok(targets.length > 0, metadata.name);
        const rules: NetworkRule[] = spec.ingress ?? [];
        for (const { name } of targets) for (const type of spec.policyTypes) isolated.add(`${name} ${type}`);
        for (const { port } of rules.flatMap(({ ports = [] }) => ports)) {
          assert.ok(targets.every(({ template }) => portsOf(template).includes(String(port))));
        }
        for (const { podSelector } of rules.flatMap(({ from = [] }) => from)) {
          if (podSelector) assert.ok(selected(podSelector).length > 0, metadata.name);
        }
      }
      for (const { name } of pods) {
        assert.ok(isolated.has(`${name} Ingress`) && isolated.has(`${name} Egress`), name);
      }
    });
  });

describe('the network policy for Cilium', () => {
  it('admits its proxies to the port of the api', () => {
    const policy = parse(
      readFileSync(join(root, 'deploy/kubernetes/components/cilium/network-policy.yaml'), 'utf8'),
    ) as KubernetesObject;
    const deployments = parseAllDocuments(
      readFileSync(join(root, 'deploy/kubernetes/base/api.yaml'), 'utf8'),
      { merge: true },
    ).map((document) => document.toJS() as KubernetesObject);
    const [api] = podTemplates(deployments);

    assert.ok(api && matches(policy.spec.endpointSelector, api.template.metadata.labels));
    assert.deepEqual(policy.spec.ingress, [
      {
        fromEntities: ['ingress'],
        toPorts: [
          {
            ports: [
              { port: String(api.template.spec.containers[0]?.ports[0]?.containerPort), protocol: 'TCP' },
            ],
          },
        ],
      },
    ]);
  });
});
