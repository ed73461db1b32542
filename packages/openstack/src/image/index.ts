import type { ServiceClient } from '../service.ts';
import { Images } from './images.ts';

export * from './images.ts';
export * from './smallest-volume-gb.ts';
export * from './volume-snapshot.ts';

export class ImageClient {
  readonly images: Images;

  constructor(image: ServiceClient) {
    this.images = new Images(image);
  }
}
