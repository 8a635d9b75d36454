import type { BlockId } from '../../../../src/chain/block-id.ts';
import type { FetchedSeqno } from '../../../../src/ingest/fetch/fetch-seqnos.ts';
import type { FetchedBlock } from '../../../../src/ingest/fetch/masterchain-blocks.ts';
import type { ChainStore } from '../../../../src/localnet/store/chain-store.ts';
import { parseBlock, shardTops } from '../../../../src/localnet/store/parse-block.ts';
import { openDemoLocalnet } from '../../../localnet/support/demo-localnet.ts';
import { copyDemoChain } from '../../../support/demo-chain.ts';
import { sharedVm } from '../../../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../../support/temporary-directory.ts';

/** All seqnos of a chain in fetched form. */
export function chainSeqnos(store: ChainStore, globalVersion: number): FetchedSeqno[] {
  const found: FetchedSeqno[] = [];
  for (let mcSeqno = 1; mcSeqno <= store.head.seqno; mcSeqno++) {
    const masterchain = fetched(store.open(store.masterchainBlock(mcSeqno)!).bytes);
    const tops = shardTops(parseBlock(masterchain.bytes)).filter(({ seqno }) => seqno > 0);
    const shardBlocks = new Map<string, FetchedBlock>();
    const add = (id: BlockId): void => {
      const stored = store.block(id);
      const key = id.fileHash.toString('hex');
      if (id.seqno === 0 || stored?.masterchainSeqno !== mcSeqno || shardBlocks.has(key)) return;
      const block = fetched(store.open(stored).bytes);
      for (const previous of parseBlock(block.bytes).previous) add(previous);
      shardBlocks.set(key, block);
    };
    tops.forEach(add);
    found.push({ mcSeqno, masterchain, shardBlocks: [...shardBlocks.values()], tops, globalVersion });
  }
  return found;
}

/** A block from its bytes. */
function fetched(bytes: Buffer): FetchedBlock {
  return { id: parseBlock(bytes).id, bytes };
}

/** A masterchain block and any other blocks as one seqno. */
export function seqnoOf(
  masterchain: Buffer,
  shardBlocks: readonly Buffer[],
  globalVersion: number,
): FetchedSeqno {
  const parsed = parseBlock(masterchain);
  return {
    mcSeqno: parsed.id.seqno,
    masterchain: fetched(masterchain),
    shardBlocks: shardBlocks.map(fetched),
    tops: shardTops(parsed),
    globalVersion,
  };
}

/** A local chain and all its seqnos. */
export interface LocalSeqnos {
  readonly seqnos: readonly FetchedSeqno[];
  readonly store: ChainStore;
  readonly zeroStates: readonly Buffer[];
  close(): Promise<void>;
}

const GLOBAL_VERSION = 13;

/** Creates a chain of two shards: with the whole demo, or with a few nearly empty blocks. */
export async function openLocalSeqnos(kind: 'demo' | 'quiet'): Promise<LocalSeqnos> {
  const folder = makeTemporaryDirectory('decode');
  const vm = sharedVm();
  if (kind === 'demo') await copyDemoChain(folder, 2);
  const localnet = await openDemoLocalnet(folder, vm, 2);
  if (kind === 'quiet') await localnet.mine(6);
  const { store } = localnet;
  const seqnos = chainSeqnos(store, GLOBAL_VERSION);
  const firstBlocks = seqnos.flatMap(({ masterchain, shardBlocks }) => [masterchain, ...shardBlocks]);
  const zeroStates = firstBlocks
    .flatMap(({ bytes }) => parseBlock(bytes).previous)
    .filter(({ seqno }) => seqno === 0)
    .map((id) => store.zeroStateBytes(id)!);
  return {
    seqnos,
    store,
    zeroStates,
    async close() {
      await localnet.stop();
      await vm.close();
      await removeTemporaryDirectory(folder);
    },
  };
}
