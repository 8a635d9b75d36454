import { beginCell, Cell } from '@ton/core';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import type { ChainStep } from '../../../src/localnet/store/chain-store.ts';
import { type BlockParts, type BuiltBlock, buildBlock, nameOf } from '../../support/chain-builder/block.ts';
import { bagOf, prunedBranch } from '../../support/chain-builder/cells.ts';
import { LEFT, RIGHT } from '../../support/chain-builder/sample-chain.ts';
import { buildShardState } from '../../support/chain-builder/states.ts';

/** A network whose blocks have full state updates: a basechain that splits and merges. */
export interface UpdatingChain {
  readonly zeroStates: readonly Buffer[];
  readonly steps: readonly ChainStep[];
  readonly blocks: readonly BuiltBlock[];
}

type Earlier = Pick<BuiltBlock, 'id' | 'endLt' | 'startLt' | 'utime' | 'state'> & { readonly bytes: Buffer };

const FIRST_UTIME = 1_700_000_000;

/** Builds the network: four basechain blocks in three masterchain blocks. */
export function updatingChain(): UpdatingChain {
  const baseZero = zeroState(0, undefined);
  const mcZero = zeroState(-1, [baseZero]);
  let masterchain: Earlier = mcZero;
  const blocks: BuiltBlock[] = [];

  const shardBlock = (
    seqno: number,
    shard: bigint,
    prev: readonly Earlier[],
    afterSplit = false,
  ): BuiltBlock => {
    const place = { workchain: 0, shard, seqno, ...times(seqno) };
    const newState = buildShardState({
      ...place,
      lt: place.endLt,
      queueSize: BigInt(seqno),
      masterRef: masterchain,
    });
    const [first, second] = prev.map(({ state }) => state);
    const oldState = second === undefined ? first! : joined(first!, second);
    return keep({ ...place, prev, afterSplit, masterRef: masterchain, oldState, newState });
  };
  const masterchainBlock = (shards: readonly BuiltBlock[]): void => {
    const seqno = masterchain.id.seqno + 1;
    const place = { workchain: -1, shard: WHOLE_SHARD, seqno, ...times(seqno) };
    const parts = { shards, config: new Map([[0, beginCell().storeUint(0, 256).endCell()]]) };
    const newState = buildShardState({
      ...place,
      lt: place.endLt,
      queueSize: 0n,
      masterchain: { ...parts, oldBlocks: [{ ...mcZero, keyBlock: true }] },
    });
    masterchain = keep({
      ...place,
      prev: [masterchain],
      oldState: masterchain.state,
      newState,
      masterchain: parts,
    });
  };
  const keep = (parts: BlockParts): BuiltBlock => {
    const block = withWholeUpdate(buildBlock(parts));
    blocks.push(block);
    return block;
  };

  const first = shardBlock(1, WHOLE_SHARD, [baseZero]);
  masterchainBlock([first]);
  const halves = [shardBlock(2, LEFT, [first], true), shardBlock(2, RIGHT, [first], true)];
  masterchainBlock(halves);
  masterchainBlock([shardBlock(3, WHOLE_SHARD, halves)]);
  return { zeroStates: [mcZero.bytes, baseZero.bytes], steps: stepsOf(blocks), blocks };
}

function stepsOf(blocks: readonly BuiltBlock[]): ChainStep[] {
  const steps: ChainStep[] = [];
  let shards: ChainStep['shards'] = [];
  for (const { id, bytes } of blocks)
    if (id.workchain === 0) shards = [...shards, { load: () => bytes }];
    else {
      steps.push({ masterchain: { load: () => bytes }, shards });
      shards = [];
    }
  return steps;
}

function times(seqno: number) {
  const startLt = BigInt(seqno) * 1000n;
  return { utime: FIRST_UTIME + seqno, startLt, endLt: startLt + 10n };
}

/** The same block with an update that contains the whole new state. */
function withWholeUpdate(block: BuiltBlock): BuiltBlock {
  const { oldState, newState } = block.parts;
  const [info, valueFlow, update, extra] = block.root.refs as [Cell, Cell, Cell, Cell];
  const whole = new Cell({ exotic: true, bits: update.bits, refs: [prunedBranch(oldState), newState] });
  const root = new Cell({ bits: block.root.bits, refs: [info, valueFlow, whole, extra] });
  const bytes = bagOf(root);
  return { ...block, root, bytes, id: nameOf(block.id, root, bytes) };
}

function joined(left: Cell, right: Cell): Cell {
  return beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).endCell();
}

function zeroState(workchain: number, shards: readonly Earlier[] | undefined): Earlier {
  const place = { workchain, shard: WHOLE_SHARD, seqno: 0 };
  const masterchain = shards && {
    shards,
    config: new Map([[0, beginCell().storeUint(0, 256).endCell()]]),
    oldBlocks: [],
  };
  const state = buildShardState({
    ...place,
    utime: FIRST_UTIME,
    lt: 0n,
    ...(masterchain && { masterchain }),
  });
  const bytes = bagOf(state);
  return { id: nameOf(place, state, bytes), startLt: 0n, endLt: 0n, utime: FIRST_UTIME, state, bytes };
}
