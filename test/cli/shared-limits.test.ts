import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noRedis, openRedis, type SomeRedis } from '../support/redis.ts';
import {
  makeSeededDataDir,
  runTongate,
  startTongate,
  type TongateProcess,
} from '../support/tongate-process.ts';

const PATH = '/api/v2/unpackAddress?address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

describe.skipIf(noRedis)(
  `two server processes that share Redis${noRedis ? ` (skipped: ${noRedis})` : ''}`,
  () => {
    const dataDir = makeSeededDataDir();
    let redis: SomeRedis;
    let servers: TongateProcess[];
    beforeAll(async () => {
      redis = await openRedis();
      const env = { DATA_DIR: dataDir.path, REDIS_URL: redis.url };
      const first = await startTongate(env);
      servers = [first, await startTongate(env, 'serve')];
    });
    afterAll(async () => {
      for (const server of servers) await server.end('SIGTERM');
      await redis.close();
      dataDir.remove();
    });

    it('share the rate limit of a key, and both reject a revoked key', async () => {
      const made = await runTongate(['keys', 'create', '--name', 'shared', '--rps', '50'], {
        DATA_DIR: dataDir.path,
      });
      const key = /tg_[\w-]+/.exec(made.output)![0];
      const ask = (server: TongateProcess) => fetch(server.url + PATH, { headers: { 'x-api-key': key } });
      for (const server of servers) expect((await ask(server)).status).toBe(200);
      // A burst that a slow machine stretched over the end of a window is made again.
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 1100));
        const startedAt = performance.now();
        const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(servers[i % 2]!)));
        if (performance.now() - startedAt > 900) continue;
        expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50);
        expect(answers.filter((answer) => answer.status === 429)).toHaveLength(10);
        break;
      }
      const id = /Key (\S+) "shared"/.exec(made.output)![1]!;
      expect((await runTongate(['keys', 'revoke', id], { DATA_DIR: dataDir.path })).code).toBe(0);
      for (const server of servers) {
        while ((await ask(server)).status !== 401) await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
  },
);
