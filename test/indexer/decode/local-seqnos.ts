import { join } from 'node:path';
import type { FetchedSeqno } from '../../../src/indexer/fetch/fetched-seqno.ts';
import { prepareDemo } from '../../../src/localnet/demo/prepare-demo.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { parseBlock } from '../../../src/localnet/store/new-block.ts';
import { createVm } from '../../../src/vm/create-vm.ts';
import { openGround } from '../../localnet/demo/demo-ground.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { chainSeqnos } from './chain-seqnos.ts';

/** A local chain and all its seqnos. */
export interface LocalSeqnos {
  readonly seqnos: readonly FetchedSeqno[];
  readonly store: ChainStore;
  readonly zeroStates: readonly Buffer[];
  close(): Promise<void>;
}

const GLOBAL_VERSION = 13;

/** Makes a chain of two shards: with everything that the demo does, or with a few blocks in which little happens. */
export async function openLocalSeqnos(kind: 'demo' | 'quiet'): Promise<LocalSeqnos> {
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('decode');
  const vm = createVm({ log, threads: 1 });
  const localnet = await openGround(folder, vm, 2);
  if (kind === 'demo') await prepareDemo(localnet, join(folder, 'demo.json'), log);
  else await localnet.mine(6);
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
