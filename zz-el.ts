import { createTestApp } from './test/support/app.ts';
import Fastify from 'fastify';
import { createMetrics } from './src/observe/metrics.ts';
const mode = process.argv[2]!;
let app: any;
const payload = '{"ok":true}';
if (mode === 'bare') { app = Fastify(); app.get('/api/v2/detectAddress', async (_q: any, r: any) => r.header('content-type','application/json').send(payload)); }
else app = await createTestApp({ overrides: { cors: !mode.includes('nocors'), compress: !mode.includes('nocompress') } as any });
if (mode.includes('metrics')) createMetrics({});
await app.listen({ port: Number(process.argv[3]), host: '127.0.0.1' });
process.on('SIGTERM', () => { app.close(); setTimeout(()=>process.exit(),300); });
