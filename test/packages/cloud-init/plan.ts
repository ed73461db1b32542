import assert from 'node:assert/strict';
import {
  type BuilderPlan,
  builderFirstBootData,
  type FirstBootPlan,
  firstBootData,
  type Layer,
  type OverlayPlan,
} from '@gateway/cloud-init';
import { parse } from 'yaml';

export const upperVolumeId = '0f9b2f6e-13a1-4b7e-9a77-3c2d1e5f6a7b';

export function nfsLayer(libraryId: string, facts: Partial<Layer> = {}): Layer {
  const share = { exportLocation: `10.0.0.1:/shares/${libraryId}`, accessTo: null, accessKey: null };
  return {
    libraryIds: [libraryId],
    packages: [],
    readOnly: true,
    share: { protocol: 'NFS', ...share },
    ...facts,
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

export function plain(facts: Partial<FirstBootPlan> = {}): FirstBootPlan {
  return { hostname: 'test', passwordHash: null, gpu: null, overlay: null, ...facts };
}

export function layered(layers: Layer[], overlay: Partial<OverlayPlan> = {}): FirstBootPlan {
  return plain({
    overlay: { upperVolumeId, upperDevice: '/dev/vdb', strategy: 'prebuilt', layers, ...overlay },
  });
}

export function builder(facts: Partial<BuilderPlan> = {}): BuilderPlan {
  return {
    hostname: 'builder',
    library: { id: 'arrays', version: '2.1' },
    pythonVersion: null,
    packages: [],
    commands: [],
    share: nfsLayer('arrays').share,
    report: { url: 'http://10.0.0.9:8000/report', token: 'c2VjcmV0LXRva2Vu', caCertificate: null },
    timeLimitSeconds: 1800,
    ...facts,
  };
}

export interface CloudConfig {
  hostname?: unknown;
  password?: unknown;
  ssh_pwauth?: unknown;
  write_files?: { path: unknown; permissions: unknown; content: string }[];
}

export interface Part {
  headers: Map<string, string>;
  text: string;
}

export function dataOf(plan: FirstBootPlan | BuilderPlan): string {
  return 'library' in plan ? builderFirstBootData(plan) : firstBootData(plan);
}

/** First-boot data in its parts, by the rules of RFC 2046. */
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

function partOf(mail: string): Part {
  const end = mail.indexOf('\n\n');
  const headers = mail
    .slice(0, end)
    .split('\n')
    .map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    });
  return { headers: new Map(headers), text: mail.slice(end + 2) };
}

/** First-boot data as cloud-init reads it: by the rules of YAML 1.1, where a part's keys hide those before it. */
export function readBack(plan: FirstBootPlan | BuilderPlan): CloudConfig {
  const configs = partsOf(dataOf(plan)).filter(({ text }) => text.startsWith('#cloud-config\n'));
  return Object.assign({}, ...configs.map(({ text }) => parse(text, { version: '1.1' })));
}

/** The files it puts in place, by path. */
export function filesOf(plan: FirstBootPlan | BuilderPlan): Map<string, string> {
  return new Map(readBack(plan).write_files?.map(({ path, content }) => [String(path), content]));
}

/** The value of a unit file's setting. */
export function setting(unit: string | undefined, name: string): string | undefined {
  return unit
    ?.split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
