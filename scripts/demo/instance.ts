import type { Login } from '../try-it.ts';
import { logIn, type Print, printProgress, printRecord } from './client.ts';

/**
 * Uses the API as a dashboard does: logs in, creates an instance with a library, follows its progress and
 * reads the instance. Deletes nothing.
 * @throws when a call or the creation fails, with the reason from the gateway.
 */
export async function demonstrateInstance(url: string, login: Login, print: Print): Promise<void> {
  const { gateway, projectName } = await logIn(url, login, print);
  const images = await gateway.request('GET /api/images');
  const flavors = await gateway.request('GET /api/flavors');
  const image = images.find((candidate) => /ubuntu/i.test(candidate.name)) ?? images[0];
  const flavor = flavors.filter((candidate) => !candidate.is_gpu).sort((a, b) => a.ram - b.ram)[0];
  if (!image || !flavor) throw new Error('the cloud has no image or no flavor to create an instance from');

  const name = demoName();
  const body = { name, image_id: image.id, flavor_id: flavor.id, libraries: ['python311'] };
  print(`Creating ${name} in project ${projectName}: ${image.name}, ${flavor.name}, library python311`);
  const { instance_id } = await printProgress(gateway.createInstance(body), print);
  const path = { instance_id: instance_id ?? '' };
  const instance = await gateway.request('GET /api/instances/{instance_id}', { path });
  printRecord(`GET /api/instances/${instance_id}`, instance, print);
}

/** A name by the time of day. */
export function demoName(): string {
  return `demo-${new Date().toISOString().slice(11, 19).replaceAll(':', '')}`;
}
