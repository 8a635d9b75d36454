import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chainPaths } from '../../../src/localnet/chain/chain-folder.ts';
import { exportPacks } from '../../../src/localnet/chain/export-packs.ts';
import { headOf } from '../../../src/localnet/chain/mining.ts';
import { RecordFile } from '../../../src/localnet/chain/record-file.ts';
import type { ChainStep } from '../../../src/localnet/store/chain-store.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import type { Genesis } from './genesis.ts';

interface ExportedSteps {
  readonly genesis: Genesis;
  /** From the first block on. */
  readonly steps: readonly ChainStep[];
  /** The folder for the packs and the zero states. */
  readonly to: string;
  readonly sliceSeqnos?: number | undefined;
}

/** Exports a chain that was built step by step, as `localnet export --packs` exports a stored one. */
export async function exportSteps({ genesis, steps, to, sliceSeqnos }: ExportedSteps): Promise<void> {
  const log = createQuietLog();
  const record = join(to, 'record');
  mkdirSync(record, { recursive: true });
  const { file } = await RecordFile.open(chainPaths(record).chain, log);
  const options = { now: 0, shards: 1 } as const;
  await file.append({ kind: 'genesis', version: 1, options }, genesis.zeroStates);
  for (const { shards, masterchain } of steps) {
    const blocks = [...shards, masterchain].map(({ load }) => load());
    await file.append(headOf(blocks.at(-1)!, masterchain.signatures?.()), blocks);
  }
  await file.close();
  await exportPacks(record, to, log, sliceSeqnos);
  rmSync(record, { recursive: true });
}
