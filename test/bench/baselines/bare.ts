import express from 'express';

/** The floor for start-up time and memory: a minimal server. */
const app = express();
app.get('/health', (_request, response) => {
  response.end('ok');
});
app.listen(Number(process.env.PORT ?? '0'), '127.0.0.1');
