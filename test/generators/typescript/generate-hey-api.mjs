import { createClient } from '@hey-api/openapi-ts';

await createClient({
  input: '../document.json',
  output: 'hey-api',
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', 'zod', { name: '@hey-api/sdk', validator: true }],
  logs: { level: 'warn', file: false },
});
