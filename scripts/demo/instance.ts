import type { Login } from '../try-it.ts';
import { DemoClient, type Print, type Progress } from './client.ts';

interface Named {
  id: string;
  name: string;
}

interface Flavor extends Named {
  ram: number;
  is_gpu: boolean;
}

/**
 * Uses the API as a dashboard does: logs in, creates an instance with a library, follows its progress and reads the
 * instance. Deletes nothing.
 * @throws when a call or the creation fails, with the reason from the gateway.
 */
export async function demonstrateInstance(url: string, login: Login, print: Print): Promise<void> {
  const client = await DemoClient.logIn(url, login, print);
  const images = await client.call<Named[]>('/api/images');
  const flavors = await client.call<Flavor[]>('/api/flavors');
  const image = images.find((candidate) => /ubuntu/i.test(candidate.name)) ?? images[0];
  const flavor = flavors.filter((candidate) => !candidate.is_gpu).sort((a, b) => a.ram - b.ram)[0];
  if (!image || !flavor) throw new Error('the cloud has no image or no flavor to create an instance from');

  const name = demoName();
  const body = { name, image_id: image.id, flavor_id: flavor.id, libraries: ['python311'] };
  print(
    `Creating ${name} in project ${client.projectName}: ${image.name}, ${flavor.name}, library python311`,
  );
  const { instance_id } = await client.follow<Progress & { instance_id: string }>(
    '/api/instances/async',
    body,
    'COMPLETED',
  );
  await client.show(`/api/instances/${instance_id}`);
}

/** A name by the time of day. */
export function demoName(): string {
  return `demo-${new Date().toISOString().slice(11, 19).replaceAll(':', '')}`;
}
