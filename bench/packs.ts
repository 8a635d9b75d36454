/**
 * Speed of reading pack files: find, hash and prove every block, without indexing it.
 * Usage: npm run bench:packs -- --packs DIR [--rounds 5]; NETWORK and TON_CONFIG as for the command import.
 */
import { parseArgs } from 'node:util';
import { openPacks } from '../src/cli/open-packs.ts';
import { readSettings } from '../src/config/settings.ts';
import { bytesOf } from '../src/ingest/fetch/fetch-seqnos.ts';
import { createPackSource, SeqnoUnavailable } from '../src/ingest/fetch/packs/pack-source.ts';

const AHEAD_BYTES = 16 * 2 ** 20;
const { values } = parseArgs({
  options: {
    packs: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '5' },
  },
});
const settings = readSettings(process.env);
const log = { info() {}, warn: console.error, error: console.error };

for (let round = 1; round <= Number(values.rounds); round++) {
  const packs = await openPacks({ settings, folders: values.packs, log, isIndexed: async () => false });
  const source = createPackSource({ ...packs, signal: new AbortController().signal });
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  let seqnos = 0;
  let blocks = 0;
  let bytes = 0;
  try {
    for await (const fetched of source.seqnos({ from: 1 }, { bytes: AHEAD_BYTES })) {
      seqnos++;
      blocks += 1 + fetched.shardBlocks.length;
      bytes += bytesOf(fetched);
    }
  } catch (error) {
    if (!(error instanceof SeqnoUnavailable)) throw error;
  }
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(startCpu);
  const megabytes = bytes / 1e6;
  console.log(
    `Round ${round}: ${seqnos} seqnos, ${blocks} blocks, ${megabytes.toFixed(1)} MB in ${seconds.toFixed(2)} s: ` +
      `${(megabytes / seconds).toFixed(0)} MB/s, ${(blocks / seconds).toFixed(0)} blocks/s, ` +
      `${((user + system) / 1e6).toFixed(2)} s of CPU, ${Math.round(process.memoryUsage.rss() / 1e6)} MB of memory`,
  );
  await packs.close();
}
