import { startCloudsim } from './server.ts';

const {
  CLOUDSIM_PORT,
  CLOUDSIM_HOST,
  CLOUDSIM_PUBLIC_URL,
  CLOUDSIM_REGION,
  CLOUDSIM_DELAY_SCALE,
  CLOUDSIM_GUESTS_CALL,
  CLOUDSIM_DATA_DIR,
} = process.env;

const options = {
  port: Number(CLOUDSIM_PORT ?? 8100),
  host: CLOUDSIM_HOST,
  publicUrl: CLOUDSIM_PUBLIC_URL,
  region: CLOUDSIM_REGION || undefined,
  delayScale: CLOUDSIM_DELAY_SCALE === undefined ? undefined : Number(CLOUDSIM_DELAY_SCALE),
  guestsCallAnywhere: CLOUDSIM_GUESTS_CALL === 'anywhere',
  dataDir: CLOUDSIM_DATA_DIR || undefined,
};
const cloudsim = await startCloudsim(options).catch((error: unknown) => {
  console.error(`cloudsim: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => void cloudsim.close());

console.log(JSON.stringify({ event: 'listening', url: cloudsim.url, identity_url: cloudsim.identityUrl }));
