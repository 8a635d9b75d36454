/** Serves v3 from a database. Arguments: the URL of the database, the pool size. */
import { useNativeSha256 } from '../../src/chain/boc/ton-core.ts';
import { createDatabase } from '../../src/db/connection.ts';
import { findCluster } from '../../src/index/cluster.ts';
import { createBenchApp } from './bench-app.ts';

const [url = '', poolSize = ''] = process.argv.slice(2);
// As `main.ts` sets it.
Buffer.poolSize = 8192;
useNativeSha256();
const log = { info() {}, warn: console.error, error: console.error };
const database = createDatabase({
  url,
  replicaUrls: [],
  poolSize: Number(poolSize),
  isCluster: await findCluster(url, 'auto'),
  log,
  statementTimeoutMs: 10_000,
});
const app = await createBenchApp(database);
console.log(`v3 listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
process.on('SIGTERM', async () => {
  await app.close();
  await database.close();
  process.exit(0);
});
