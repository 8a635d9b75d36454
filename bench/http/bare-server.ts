/** The yardstick: the same JSON from a Fastify route that does nothing else. */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const [getAnswer, postAnswer] = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as [unknown, unknown];

const app = Fastify();
app.get('/api/v2/detectAddress', async () => getAnswer);
app.post('/api/v2/jsonRPC', async () => postAnswer);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`bare fastify listening on ${url}`);
