import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../../src/chain/boc/writer.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { applyMerkleUpdate } from '../../../src/chain/state/merkle-updates.ts';
import { type BlockRoot, previousBlocks, readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { readTransaction } from '../../../src/chain/tlb/transaction.ts';
import { collateMasterchain, collateShard } from '../../../src/localnet/collate/collate-block.ts';
import { checkExternal, type ValidExternal } from '../../../src/localnet/collate/external-messages.ts';
import type { BuiltBlock } from '../../../src/localnet/collate/finish-block.ts';
import {
  endLtAt,
  type MasterchainView,
  openMasterchainView,
} from '../../../src/localnet/collate/masterchain-view.ts';
import {
  neighbourOf,
  neighboursOf,
  type OpenState,
  openState,
  splitState,
} from '../../../src/localnet/collate/open-state.ts';
import type { EndLtAt } from '../../../src/localnet/collate/processed-upto.ts';
import { parseZeroState } from '../../../src/localnet/store/parse-block.ts';
import { VmContextReader } from '../../../src/localnet/vm-context.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { type Block, readBlock } from '../../chain/support/block-readers.ts';
import { walkInMsgDescr } from '../../chain/support/block-walks.ts';
import { RECORDING } from '../support/recorded-network.ts';

interface RecordedBlock {
  readonly id: BlockId;
  readonly bag: CellBag;
  readonly root: BlockRoot;
  readonly block: Block;
  readonly previous: BlockId;
  readonly rounds: ValidExternal[][];
}

const PARTS = ['info', 'valueFlow', 'extra'] as const;

/**
 * Makes the blocks of the recorded network anew, each on the recorded state before it and with the recorded messages,
 * time and seed. Gives, for each block, the parts whose hash is another than the recorded one.
 */
export async function* collateRecording(vm: Vm): AsyncGenerator<{ name: string; different: string[] }> {
  const arena = new BuildingArena();
  const states = new Map<string, number>();
  const contexts = new VmContextReader();
  const opened = new Map<number, MasterchainView>();
  for (const workchain of [MASTERCHAIN, 0]) {
    const name = nameOf({ workchain, shard: WHOLE_SHARD, seqno: 0 });
    const zero = parseZeroState(readFileSync(join(RECORDING, 'states', `${name}.boc`)));
    states.set(name, arena.add(zero.bag, zero.bag.root));
    if (workchain === MASTERCHAIN)
      opened.set(0, openMasterchainView(arena, zero.id, states.get(name)!, contexts));
  }
  const openAfter = (id: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): OpenState =>
    openState(arena, states.get(nameOf(id))!);
  const knownAt =
    (last: number): EndLtAt =>
    (seqno, place) =>
      endLtAt(opened.get(Math.min(seqno, last))!, place);
  const inputOf = ({ block, id, rounds }: RecordedBlock, view: MasterchainView) => ({
    arena,
    vm,
    view,
    shard: { workchain: id.workchain, shard: id.shard },
    endLtAt: knownAt(view.id.seqno),
    now: block.info.genUtime,
    randSeed: block.extra.randSeed,
    software: block.info.genSoftware,
    rounds,
  });
  const settle = (recorded: RecordedBlock, made: BuiltBlock): { name: string; different: string[] } => {
    const { bag, root, block, id, previous } = recorded;
    const ours = readBoc(made.boc);
    const ourRoot = readBlockRoot(ours, ours.root);
    const different: string[] = PARTS.filter(
      (part) => !ours.hash(ourRoot[part]).equals(bag.hash(root[part])),
    );
    if (!arena.hash(made.state).equals(block.stateUpdate.newHash)) different.push('state');
    states.set(nameOf(id), applyMerkleUpdate(arena, states.get(nameOf(previous))!, bag, root.stateUpdate));
    return { name: nameOf(id), different };
  };

  for (const { seqno, new_shard_blocks: names } of recordedIndex()) {
    const shardBlocks: BuiltBlock[] = [];
    for (const { shard, seqno: shardSeqno } of names) {
      if (shardSeqno === 0) continue;
      const recorded = readRecorded(`0_${shard}_${shardSeqno}`);
      const { id, block, previous } = recorded;
      const view = opened.get(block.info.masterRef!.seqno)!;
      const input = inputOf(recorded, view);
      const whole = openAfter(previous);
      // A shard may be ahead of what the masterchain knows of it.
      const shards = view.shards.map((descr) =>
        descr.shard === previous.shard ? { ...descr, ...previous } : descr,
      );
      const { block: made } = await collateShard({
        ...input,
        before: block.info.afterSplit ? splitState(arena, whole, id.shard) : whole,
        neighbours: [
          neighbourOf(openState(arena, view.root)),
          ...neighboursOf(arena, shards, openAfter, input.shard),
        ],
        previous: {
          ...previous,
          splitMergeAt: view.shards.find((known) => known.shard === previous.shard)?.splitMergeAt,
        },
      });
      yield settle(recorded, made);
      const { valueFlow: flow, extra, info } = block;
      shardBlocks.push({
        id,
        info,
        flow,
        createdBy: extra.createdBy,
        boc: Buffer.alloc(0),
        state: -1,
        transactions: 0,
      });
    }
    const recorded = readRecorded(nameOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }));
    const view = opened.get(seqno - 1)!;
    const before = openState(arena, view.root);
    const input = {
      ...inputOf(recorded, view),
      before,
      stateOf: openAfter,
      shardBlocks,
      skipIdleTicks: false,
    };
    yield settle(recorded, (await collateMasterchain(input)).block);
    const root = states.get(nameOf(recorded.id))!;
    opened.set(seqno, openMasterchainView(arena, recorded.id, root, contexts));
  }
}

function recordedIndex(): { seqno: number; new_shard_blocks: { shard: string; seqno: number }[] }[] {
  return JSON.parse(readFileSync(join(RECORDING, 'index.json'), 'utf8')).masterchain;
}

function readRecorded(name: string): RecordedBlock {
  const bytes = readFileSync(join(RECORDING, 'blocks', `${name}.boc`));
  const bag = readBoc(bytes);
  const block = readBlock(bag, bag.root);
  const { workchain, shard, seqno } = block.info;
  const rootHash = Buffer.from(bag.hash(bag.root));
  const id = { workchain, shard, seqno, rootHash, fileHash: hash('sha256', bytes, 'buffer') };
  const [previous] = previousBlocks(block.info);
  const root = readBlockRoot(bag, bag.root);
  return { id, bag, root, block, previous: previous!, rounds: roundsOf(bag, block) };
}

/**
 * The messages from outside of a block. The node takes in those that come while it waits after it has delivered what
 * followed from those before, so their transactions come right after a message that was delivered.
 */
function roundsOf(bag: CellBag, { extra }: Block): ValidExternal[][] {
  const delivered = new Set<bigint>();
  const externals: { lt: bigint; external: ValidExternal }[] = [];
  walkInMsgDescr(bag, extra.inMsgDescr, (_hash, message) => {
    if (message.kind === 'imm') {
      const { info } = readTransaction(bag, message.transaction, 0).inMessage!;
      if (info.kind === 'internal') delivered.add(info.createdLt);
    }
    if (message.kind !== 'ext') return;
    const { lt } = readTransaction(bag, message.transaction, 0);
    const body = writeCellBoc(bag, message.message);
    const external = checkExternal({ id: String(lt), body });
    if (typeof external === 'string') throw new Error(external);
    externals.push({ lt, external });
  });
  externals.sort((a, b) => (a.lt < b.lt ? -1 : 1));
  const rounds: ValidExternal[][] = [];
  let begun = 0n;
  for (const { lt, external } of externals)
    if (rounds.length === 0 || (delivered.has(lt - 1n) && lt > begun)) {
      rounds.push([external]);
      begun = lt;
    } else rounds.at(-1)!.push(external);
  return rounds;
}

function nameOf({ workchain, shard, seqno }: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): string {
  return `${workchain}_${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')}_${seqno}`;
}
