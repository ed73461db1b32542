import { randomUUID } from 'node:crypto';
import type { Image } from '../../../apps/cloudsim/src/image/state.ts';
import {
  type ApiResponse,
  type Body,
  type Client,
  idOf,
  LATEST_COMPUTE,
  startTestCloud,
  type TestCloud,
} from './client.ts';

export const COMPUTE = '/compute/v2.1';
export const NETWORK = '/network/v2.0';

/** Call within `describe`. Each test gets a cloud of its own, and a member of the project `demo`. */
export function computeSuite(): ComputeSuite {
  const suite = new ComputeSuite();
  beforeEach(() => suite.start());
  afterEach(() => suite.cloud.close());
  return suite;
}

class ComputeSuite {
  cloud!: TestCloud;
  demo!: Client;
  flavorRef!: string;
  imageRef!: string;
  netId!: string;
  publicId!: string;

  async start(): Promise<void> {
    this.cloud = await startTestCloud();
    this.demo = await this.cloud.as('demo');
    this.flavorRef = idOf(await this.demo.call('GET', `${COMPUTE}/flavors`), 'm1.tiny');
    this.imageRef = idOf(await this.demo.call('GET', '/image/v2/images'), 'ubuntu-22.04');
    const networks = await this.demo.call('GET', `${NETWORK}/networks`);
    this.netId = idOf(networks, 'demo-net');
    this.publicId = idOf(networks, 'public');
  }

  create(server: object, as: Client = this.demo): Promise<ApiResponse> {
    return as.call(
      'POST',
      `${COMPUTE}/servers`,
      { server: { name: 'a', flavorRef: this.flavorRef, ...server } },
      LATEST_COMPUTE,
    );
  }

  async get(id: string, headers: Record<string, string> = LATEST_COMPUTE): Promise<Body> {
    return (await this.demo.call('GET', `${COMPUTE}/servers/${id}`, undefined, headers)).body.server;
  }

  async volume(body: object): Promise<string> {
    const made = await this.demo.call('POST', `/volume/v3/${this.demo.projectId}/volumes`, { volume: body });
    this.cloud.clock.advance(1000);
    return made.body.volume.id;
  }

  /** The id of a new image that differs in this from a seeded one. */
  image(differences: Partial<Image>): string {
    const { images } = this.cloud.cloud.images;
    const seeded = images.get(this.imageRef);
    if (seeded === undefined) throw new Error('The seeded image is gone');
    const image = { ...seeded, id: randomUUID(), ...differences };
    images.set(image.id, image);
    return image.id;
  }

  async volumeStatus(id: string): Promise<string | number> {
    const answer = await this.demo.call('GET', `/volume/v3/${this.demo.projectId}/volumes/${id}`);
    return answer.body.volume?.status ?? answer.status;
  }

  async running(more: object = {}): Promise<string> {
    const made = await this.create({ imageRef: this.imageRef, networks: [{ uuid: this.netId }], ...more });
    this.cloud.clock.advance(5000);
    return made.body.server.id;
  }
}
