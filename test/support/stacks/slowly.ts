import type { Stack } from '../../../scripts/stack.ts';
import { CloudsimControl } from '../clients/cloudsim-control.ts';

/** Makes the simulated cloud slow meanwhile, so that a test can act while something happens. */
export async function slowly<T>(
  { cloudsim }: Pick<Stack, 'cloudsim'>,
  act: () => Promise<T>,
  delayScale = 10,
): Promise<T> {
  if (cloudsim === null) return act();
  const control = new CloudsimControl(cloudsim.url);
  const before = await control.delayScale();
  await control.set({ delayScale });
  try {
    return await act();
  } finally {
    await control.set({ delayScale: before });
  }
}
