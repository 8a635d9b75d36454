import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildFiles } from '../../support/build-files.ts';
import { isLongRun } from '../../support/long-run.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const folder = makeTemporaryDirectory('built-decoder');
afterAll(() => removeTemporaryDirectory(folder));

it.runIf(isLongRun)('a built decoder runs JavaScript threads that do not keep the process alive', () => {
  buildFiles(folder, ['src/ingest/decode/decoder.ts', 'src/ingest/decode/decode-worker.ts']);
  const program = join(folder, 'program.js');
  writeFileSync(
    program,
    `import { createDecoder } from './src/ingest/decode/decoder.js';
     const decoder = createDecoder({ threads: 2, log: { info() {}, warn() {}, error() {} } });
     const hash = Buffer.alloc(32);
     const id = { workchain: -1, shard: -(2n ** 63n), seqno: 5, rootHash: hash, fileHash: hash };
     const masterchain = { id, bytes: Buffer.alloc(0) };
     const seqno = { mcSeqno: 5, masterchain, shardBlocks: [], tops: [], globalVersion: 14 };
     await decoder.decode(seqno).catch((error) => console.log(error.message));`,
  );
  const out = execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 120_000 });
  expect(out).toMatch(/^block \(-1,8000000000000000,5\) cannot be decoded: .+\n$/);
});
