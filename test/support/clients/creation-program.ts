/**
 * A program with the published client. Creates an instance, and prints its events and reconnections as lines
 * of JSON. Its arguments are the gateway's URL and a log-in as JSON.
 */
export const creationProgram = `
import { GatewayClient } from '@gateway/client';

const [url, login] = process.argv.slice(2);
const gateway = new GatewayClient({ url });
await gateway.logIn(JSON.parse(login));
const image = (await gateway.request('GET /api/images')).find(({ name }) => name === 'debian-12');
const flavor = (await gateway.request('GET /api/flavors')).find(({ name }) => name === 'm1.tiny');
const body = { name: 'e2e-client', image_id: image.id, flavor_id: flavor.id, boot_volume_size_gb: 1 };
const onReconnect = ({ attempt }) => console.log(JSON.stringify({ attempt }));
for await (const event of gateway.createInstance(body, { onReconnect })) console.log(JSON.stringify(event));
`;
