import assert from 'node:assert/strict';
import {
  type BuilderPlan,
  builderFirstBootData,
  type FirstBootPlan,
  type FirstBootSettings,
  firstBootData,
  type Layer,
  type OverlayPlan,
  type VerifierPlan,
  verifierFirstBootData,
} from '@gateway/cloud-init';
import {
  type AgentNodePlan,
  agentNodeFirstBootData,
  type ControlNodePlan,
  controlNodeFirstBootData,
} from '@gateway/lite';
import type { InterpreterArchive } from '@gateway/platform';
import { parse } from 'yaml';

export const upperVolumeId = '0f9b2f6e-13a1-4b7e-9a77-3c2d1e5f6a7b';

/** The archives of one interpreter. */
export const interpreters: InterpreterArchive[] = (['x86_64', 'aarch64'] as const).map((architecture) => ({
  version: '3.11',
  architecture,
  url: `https://mirror.example.org/cpython%2B1-${architecture}.tar.gz`,
  sha256: architecture === 'x86_64' ? 'ab'.repeat(32) : 'cd'.repeat(32),
}));

export function nfsLayer(libraryId: string, attributes: Partial<Layer> = {}): Layer {
  const share = { exportLocation: `10.0.0.1:/shares/${libraryId}`, accessTo: null, accessKey: null };
  return {
    libraryIds: [libraryId],
    packages: [],
    interpreters: [],
    readOnly: true,
    share: { protocol: 'NFS', ...share },
    ...attributes,
  };
}

export function cephLayer(libraryId: string, share: Partial<Layer['share']> = {}): Layer {
  return nfsLayer(libraryId, {
    share: {
      protocol: 'NATIVEFS',
      exportLocation: `10.0.0.1:6789,10.0.0.2:6789:/volumes/${libraryId}`,
      accessTo: `reader-${libraryId}`,
      accessKey: 'AQBn3gBrBs/6ORAAwmsbQcMrDhrHLg3gu9Zpfw==',
      ...share,
    },
  });
}

export function plain(attributes: Partial<FirstBootPlan> = {}): FirstBootPlan {
  return { hostname: 'test', passwordHash: null, gpu: null, overlay: null, userData: null, ...attributes };
}

export function layered(layers: Layer[], overlay: Partial<OverlayPlan> = {}): FirstBootPlan {
  return plain({
    overlay: {
      upperVolumeId,
      upperDevice: '/dev/vdb',
      strategy: 'prebuilt',
      constraints: [],
      layers,
      report: null,
      ...overlay,
    },
  });
}

export function builder(attributes: Partial<BuilderPlan> = {}): BuilderPlan {
  return {
    hostname: 'builder',
    library: { id: 'arrays', version: '2.1' },
    pythonVersion: null,
    interpreters: [],
    bringsInterpreter: false,
    packages: [],
    constraints: [],
    commands: [],
    share: nfsLayer('arrays').share,
    report: { url: 'http://10.0.0.9:8000/report', token: 'c2VjcmV0LXRva2Vu', caCertificate: null },
    timeLimitSeconds: 1800,
    ...attributes,
  };
}

export function verifier(attributes: Partial<VerifierPlan> = {}): VerifierPlan {
  return {
    hostname: 'verifier',
    workspace: { upperVolumeId, upperDevice: '/dev/vdb', layers: [nfsLayer('arrays')] },
    pythonVersion: null,
    imports: [],
    report: { url: 'http://10.0.0.9:8000/report', token: 'c2VjcmV0LXRva2Vu', caCertificate: null },
    timeLimitSeconds: 1800,
    ...attributes,
  };
}

const k3s = {
  version: 'v1.36.1+k3s1',
  installerUrl: 'http://10.0.0.9/install.sh',
  installerSha256: null,
  channelUrl: null,
  artifactUrl: null,
  registries: [],
};

export function controlNode(attributes: Partial<ControlNodePlan> = {}): ControlNodePlan {
  return {
    nodeName: 'c1-server',
    k3s,
    registryCredentials: [],
    serverArguments: [],
    gpu: null,
    tlsSans: [],
    address: '10.0.0.5',
    callback: {
      url: 'http://10.0.0.9:8000/callback',
      progressUrl: 'http://10.0.0.9:8000/callback/progress',
      token: 'c2VjcmV0LXRva2Vu',
      caPem: null,
    },
    renewal: { url: 'http://10.0.0.9:8000/kubeconfig', token: 'cmVuZXdhbA' },
    timeLimitSeconds: 1500,
    files: [],
    plugins: [],
    ...attributes,
  };
}

export function agentNode(attributes: Partial<AgentNodePlan> = {}): AgentNodePlan {
  return {
    nodeName: 'c1-agent-1',
    k3s,
    registryCredentials: [],
    serverUrl: 'https://10.0.0.5:6443',
    token: 'K10abc::node:c2VjcmV0LXRva2Vu',
    agentArguments: [],
    gpu: null,
    failureReport: null,
    ...attributes,
  };
}

/** Settings of all kinds, as the worker passes them. */
export const settings: FirstBootSettings = {
  pipIndexUrl: 'https://user:pass%20word@mirror.example.org/simple/?a=$(reboot)&b=\'"',
  pipExtraIndexUrls: ['https://one.example.org/', 'https://two.example.org/'],
  proxy: 'http://user:secret@proxy.example.org:3128',
  noProxy: ['127.0.0.1', '169.254.169.254', 'gateway.example.org'],
  certificates: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'],
  aptMirror: 'http://mirror.example.org/debian',
  aptSecurityMirror: 'http://mirror.example.org/debian-security',
  aptSources: [
    {
      name: 'toolkit',
      url: 'https://mirror.example.org/deb/$(ARCH)',
      suite: '/',
      components: [],
      key: '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQIN\n=ab12\n-----END PGP PUBLIC KEY BLOCK-----\n',
    },
    {
      name: 'tools',
      url: 'https://mirror.example.org/tools',
      suite: '$RELEASE-updates',
      components: ['main', 'contrib'],
      key: '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQIN\n-----END PGP PUBLIC KEY BLOCK-----\n',
    },
  ],
  ntpServers: ['time.example.org', '10.0.0.1'],
};

export type MachinePlan = FirstBootPlan | BuilderPlan | VerifierPlan | ControlNodePlan | AgentNodePlan;

interface CloudConfig {
  hostname?: unknown;
  password?: unknown;
  ssh_pwauth?: unknown;
  apt?: unknown;
  ca_certs?: unknown;
  ntp?: unknown;
  write_files?: { path: unknown; permissions: unknown; content: string }[];
}

interface Part {
  headers: Map<string, string>;
  text: string;
}

export function dataOf(plan: MachinePlan, settings?: FirstBootSettings): string {
  if ('library' in plan) return builderFirstBootData(plan, settings);
  if ('workspace' in plan) return verifierFirstBootData(plan, settings);
  if ('callback' in plan) return controlNodeFirstBootData(plan, settings);
  return 'serverUrl' in plan ? agentNodeFirstBootData(plan, settings) : firstBootData(plan, settings);
}

/** Parses first-boot data into its parts as RFC 2046 defines. */
export function partsOf(data: string): Part[] {
  const { headers, text } = partOf(data);
  const boundary = /^multipart\/mixed; boundary="([^"]+)"$/.exec(headers.get('content-type') ?? '')?.[1];
  const pieces = `\n${text}`.split(`\n--${boundary}`);
  assert.deepEqual([pieces.at(0), pieces.at(-1)], ['', '--\n']);
  return pieces.slice(1, -1).map((piece) => {
    assert.equal(piece[0], '\n');
    return partOf(piece.slice(1));
  });
}

function partOf(message: string): Part {
  const end = message.indexOf('\n\n');
  const headers = message
    .slice(0, end)
    .split('\n')
    .map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    });
  return { headers: new Map(headers), text: message.slice(end + 2) };
}

/**
 * Parses first-boot data as cloud-init does: YAML 1.1, and keys of later parts replace
 * those of earlier parts.
 */
export function readBack(plan: MachinePlan, settings?: FirstBootSettings): CloudConfig {
  const configs = partsOf(dataOf(plan, settings)).filter(({ text }) => text.startsWith('#cloud-config\n'));
  return Object.assign({}, ...configs.map(({ text }) => parse(text, { version: '1.1' })));
}

/** The contents of the files that cloud-init writes, by path. */
export function filesOf(plan: MachinePlan, settings?: FirstBootSettings): Map<string, string> {
  return new Map(readBack(plan, settings).write_files?.map(({ path, content }) => [String(path), content]));
}

/** The value of a setting in a unit file. */
export function setting(unit: string | undefined, name: string): string | undefined {
  return unit
    ?.split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
