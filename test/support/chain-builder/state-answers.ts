import type { BlockId } from '../../../src/chain/block-id.ts';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import type { ConfigInfo, GetValidatorStats, ValidatorStats } from '../../../src/chain/tl/config.ts';
import type { LibraryEntry, LibraryResultWithProof } from '../../../src/chain/tl/libraries.ts';
import type { BlockOutMsgQueueSize } from '../../../src/chain/tl/queues.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { dictionaryEntries } from '../../../src/chain/tlb/dictionary-entries.ts';
import { lookUpLibrary } from '../../../src/chain/tlb/libraries.ts';
import { readMcStateExtra, readMcStateInfo } from '../../../src/chain/tlb/mc-state-extra.ts';
import { readOutMsgQueueInfo } from '../../../src/chain/tlb/out-msg-queue-info.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { readShardStateTotals } from '../../../src/chain/tlb/shard-state-totals.ts';
import { blockOf } from './find-blocks.ts';
import { proofBag, showHeader, showRead } from './make-proofs.ts';
import { bagOf } from './merkle-cells.ts';
import type { SampleChain } from './sample-chain.ts';

const WITH_PREVIOUS_BLOCKS = 128;

/** Opens all cells from one on. */
function openAll(cells: Cells, cell: number): void {
  cells.assertReadable(cell);
  for (let i = 0; i < cells.refCount(cell); i++) openAll(cells, cells.ref(cell, i));
}

/** Answers getConfigAll, or getConfigParams if a list of parameters is given. */
export function answerConfig(
  chain: SampleChain,
  id: BlockId,
  mode: number,
  params?: readonly number[],
): ConfigInfo {
  const block = blockOf(chain, id);
  const shown = showRead(block.state, (cells, root) => {
    const { config, info } = readMcStateExtra(cells, readShardState(cells, root).custom);
    if (mode & WITH_PREVIOUS_BLOCKS) openAll(cells, info);
    if (params === undefined) openAll(cells, config);
    else
      for (const index of params) {
        const param = configParam(cells, config, index);
        if (param >= 0) openAll(cells, param);
      }
  });
  return { mode, id, stateProof: proofBag(showHeader(block.root)), configProof: proofBag(shown) };
}

/** The library of the network if it is among the hashes. */
export function libraryEntries({ library }: SampleChain, hashes: readonly Buffer[]): LibraryEntry[] {
  const hash = library.hash();
  return hashes.some((asked) => asked.equals(hash)) ? [{ hash, data: bagOf(library) }] : [];
}

/** Answers getLibrariesWithProof. */
export function answerLibraries(
  chain: SampleChain,
  id: BlockId,
  mode: number,
  hashes: readonly Buffer[],
): LibraryResultWithProof {
  const block = blockOf(chain, id);
  const shown = showRead(block.state, (cells, root) => {
    const { libraries } = readShardStateTotals(cells, readShardState(cells, root).totals);
    return hashes.filter((hash) => lookUpLibrary(cells, libraries, hash) >= 0);
  });
  const result = libraryEntries(chain, shown.value);
  return { id, mode, result, stateProof: proofBag(showHeader(block.root)), dataProof: proofBag(shown) };
}

/** Answers getBlockOutMsgQueueSize. */
export function answerQueueSize(chain: SampleChain, id: BlockId, mode: number): BlockOutMsgQueueSize {
  const block = blockOf(chain, id);
  const shown = showRead(
    block.state,
    (cells, root) =>
      readOutMsgQueueInfo(cells, readShardState(cells, root).outMsgQueueInfo).extra!.outQueueSize!,
  );
  const proof = mode & 1 ? proofBag(showHeader(block.root), shown) : undefined;
  return { mode, id, size: BigInt(shown.value), proof };
}

/** Answers getValidatorStats. */
export function answerStats(chain: SampleChain, request: GetValidatorStats): ValidatorStats {
  const { id, mode, limit, startAfter } = request;
  const block = blockOf(chain, id);
  const shown = showRead(block.state, (cells, root) => {
    const { info } = readMcStateExtra(cells, readShardState(cells, root).custom);
    const stats = readMcStateInfo(cells, info).blockCreateStats!;
    const order = { from: startAfter, inclusive: (mode & 3) !== 1 };
    const entries = dictionaryEntries(new Slice(cells, stats.root), 256, order);
    let count = 0;
    while (count < limit && !entries.next().done) count++;
    return count;
  });
  const count = shown.value;
  const stateProof = proofBag(showHeader(block.root));
  return { mode, id, count, complete: count < limit, stateProof, dataProof: proofBag(shown) };
}
