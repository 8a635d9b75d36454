/**
 * Measures reading of state files: hashes of all cells and accounts of a generated state in split files, in accounts per
 * second, and memory.
 * Usage: npm run bench:states -- [--accounts 500000 --split-depth 4 --folder DIR]. A folder that has a state is used again.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findStateFiles } from '../src/ingest/state-files/find-state-files.ts';
import { openShardState } from '../src/ingest/state-files/shard-state.ts';
import { makeState } from '../test/support/made-state.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '500000' },
    'split-depth': { type: 'string', default: '4' },
    folder: { type: 'string' },
    'make-only': { type: 'boolean', default: false },
  },
});
const accounts = Number(values.accounts);
const folder = values.folder ?? join(tmpdir(), `tongate-states-${accounts}`);
const record = join(folder, 'made.json');
if (!existsSync(record)) {
  const started = performance.now();
  const made = await makeState({ folder, accounts, splitDepth: Number(values['split-depth']) });
  const { hash, seqno } = made.proven;
  writeFileSync(
    record,
    JSON.stringify({
      hash: hash.toString('hex'),
      seqno,
      accountsDigest: made.accountsDigest,
      accounts: made.accounts,
    }),
  );
  console.log(`made ${made.accounts} accounts in ${seconds(started)} s`);
}
if (values['make-only']) process.exit(0);

const made = JSON.parse(readFileSync(record, 'utf8'));
const workFolder = join(folder, 'work');
mkdirSync(workFolder, { recursive: true });
const started = performance.now();
const { states } = await findStateFiles([folder]);
const files = states[0]!.shards[0]!;
const proven = { workchain: 0, shard: files.shard, seqno: made.seqno, hash: Buffer.from(made.hash, 'hex') };
let walkMs = 0;
let peak = 0;
let count = 0;
let bytes = 0;
const digest = createHash('sha256');
const state = await openShardState(files, proven, {
  workFolder,
  onHashed: () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  },
});
for await (const file of state.files()) {
  const from = performance.now();
  bytes += file.size;
  for (const { id, cells, cell } of file.accounts()) {
    digest.update(id).update(cells.hash(cell));
    count++;
  }
  walkMs += performance.now() - from;
  peak = Math.max(peak, process.memoryUsage.rss());
}
state.close();
const total = performance.now() - started;
if (digest.digest('hex') !== made.accountsDigest || count !== made.accounts)
  throw new Error('the accounts differ');
const report = {
  accounts: count,
  megabytes: Math.round(bytes / 2 ** 20),
  seconds: Number((total / 1000).toFixed(1)),
  accountsPerSecond: Math.round(count / (total / 1000)),
  walkSeconds: Number((walkMs / 1000).toFixed(1)),
  peakMegabytes: Math.round(peak / 2 ** 20),
};
console.log(JSON.stringify(report));

function seconds(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(1);
}
