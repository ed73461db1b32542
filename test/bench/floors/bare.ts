import express from 'express';

/** The least a server can be: for start-up time and memory. */
const app = express();
app.get('/health', (_request, response) => {
  response.end('ok');
});
app.listen(Number(process.env.PORT ?? '0'), '127.0.0.1');
