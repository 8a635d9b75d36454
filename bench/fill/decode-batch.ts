import { setImmediate as turn } from 'node:timers/promises';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { writeBoc } from '../../src/chain/boc/writer.ts';
import type { BuildingArena } from '../../src/chain/state/building-arena.ts';
import type { BlockInfo } from '../../src/chain/tlb/block.ts';
import { readTransaction } from '../../src/chain/tlb/transaction.ts';
import type { AccountChange, DecodedSeqno } from '../../src/index/write/decoded-seqno.ts';
import { putBlockRow, putShardStateRow } from '../../src/index/write/rows.ts';
import { createSeqnoParts, type SeqnoParts } from '../../src/index/write/seqno-parts.ts';
import type { LatestState, WriteBatch } from '../../src/index/write/write-accounts.ts';
import type { DetectionResult } from '../../src/index/write/write-contracts.ts';
import { finishSeqno, putTransaction } from '../../src/ingest/decode/decode-seqno.ts';
import { type Account, type StateBuilder, sha256 } from './accounts.ts';
import { contractOf } from './contracts.ts';
import type { MadeBatch, MadeSeqno, MadeTransaction } from './lane.ts';
import { LT_PER_SEQNO, ltOfSeqno } from './plan.ts';

/** From this version on messages have flags; mainnet's is 12 or later. */
const GLOBAL_VERSION = 12;
const GLOBAL_ID = -239;
const HALF_SHARDS = [0x4000000000000000n, -0x4000000000000000n] as const;
const VALIDATORS = 100;
/** Between turns of the event loop, so that the batch before can be sent meanwhile. */
const SEQNOS_PER_TURN = 10;

/** What a batch is written with besides its blocks. */
interface BatchExtras {
  /** Accounts whose states are written although no transaction changes them. */
  readonly known: readonly Account[];
  /** Whether the codes of all accounts are written. */
  readonly withCodes: boolean;
}

/** Turns generated seqnos into what the decoder makes of blocks, and the newest states and contracts that go with them. */
export async function decodeBatch(made: MadeBatch, extras: BatchExtras): Promise<WriteBatch> {
  const { arena, states } = made;
  const latest = new Map<Account, LatestState>();
  for (const account of extras.known) latest.set(account, stateBeforeIndex(states, account));
  const seqnos: DecodedSeqno[] = [];
  for (const seqno of made.seqnos) {
    const parts = createSeqnoParts(seqno.seqno, { globalVersion: GLOBAL_VERSION });
    if (seqnos.length === 0 && extras.withCodes)
      for (const { cell, hash } of states.codes()) parts.codes.add(arena, cell, hash);
    for (const one of seqno.transactions) latest.set(one.account, stateAfter(one, seqno));
    seqnos.push(decodeSeqno(arena, seqno, parts));
    if (seqnos.length % SEQNOS_PER_TURN === 0) await turn();
  }
  return {
    seqnos,
    latest: Array.from(latest, ([account, change]) => ({
      change,
      data: writeBoc({ cells: arena, roots: [states.dataCell(account)] }, { order: 'tonlib', crc: false }),
      isMissing: false,
    })),
    earlier: [],
    detected: detectedIn(latest),
  };
}

function stateBeforeIndex(states: StateBuilder, account: Account): LatestState {
  return {
    ...states.current(account),
    account: account.key,
    mcSeqno: 0,
    timestamp: states.originTime,
    lastTransLt: BigInt(account.lastLt),
    lastTransHash: account.lastHash,
  };
}

function stateAfter({ account, after, lt, hash }: MadeTransaction, { seqno, time }: MadeSeqno): LatestState {
  return {
    ...after,
    account: account.key,
    mcSeqno: seqno,
    timestamp: time,
    lastTransLt: BigInt(lt),
    lastTransHash: hash,
  };
}

function detectedIn(latest: ReadonlyMap<Account, LatestState>): DetectionResult {
  const found = Array.from(latest, ([account, { lastTransLt, codeHash, dataHash }]) =>
    contractOf(account).map((contract) => ({
      ...contract,
      account: account.key,
      lastTransLt,
      codeHash: codeHash!,
      dataHash: dataHash!,
    })),
  ).flat();
  return { found, withdrawn: new Map(), undetected: new Set() };
}

function decodeSeqno(arena: BuildingArena, made: MadeSeqno, parts: SeqnoParts): DecodedSeqno {
  const { seqno, time } = made;
  const blocks = [
    blockId(seqno, WHOLE_SHARD, MASTERCHAIN),
    ...HALF_SHARDS.map((shard) => blockId(seqno, shard, 0)),
  ];
  const counts = blocks.map(() => 0);
  for (const [account, list] of Map.groupBy(made.transactions, (one) => one.account)) {
    const block = blockOf(account);
    const [first, last] = [list[0]!, list.at(-1)!];
    const read = list.map(({ cell }) => readTransaction(arena, cell, account.workchain));
    const { prevTransLt, prevTransHash } = read[0]!;
    const change: AccountChange = {
      ...stateAfter(last, made),
      prevTransLt,
      prevTransHash,
      block,
      before: first.before,
      code: undefined,
      data: undefined,
      dataIsWhole: false,
    };
    parts.accounts.push(change);
    for (const [i, one] of list.entries()) {
      const states = {
        after: one === last ? change : undefined,
        before: one === first ? change.before : undefined,
      };
      putTransaction(parts, blocks[block]!, read[i]!, { account: account.key, isSystem: false, states });
    }
    counts[block]! += list.length;
  }
  for (const [block, id] of blocks.entries())
    putBlockRow(parts.blocks, {
      mcSeqno: seqno,
      id,
      globalId: GLOBAL_ID,
      info: blockInfo(id, time, blocks),
      extra: blockExtra(id),
      transactions: counts[block]!,
    });
  const [masterchain, ...tops] = blocks as [BlockId, ...BlockId[]];
  putShardStateRow(parts.shardStates, {
    mcSeqno: seqno,
    masterchain: { id: masterchain },
    tops,
  });
  return finishSeqno(parts, { genUtime: time, blockCount: blocks.length, hasKeyBlock: false });
}

/** The position of the block of an account: 0 is the masterchain block. */
function blockOf({ workchain, hash }: Account): number {
  if (workchain === MASTERCHAIN) return 0;
  return hash[0]! < 0x80 ? 1 : 2;
}

/** Blocks have no cells, so their hashes are those of their names. */
function blockId(seqno: number, shard: bigint, workchain: number): BlockId {
  const name = `${workchain},${shard},${seqno}`;
  return { workchain, shard, seqno, rootHash: sha256(`root ${name}`), fileHash: sha256(`file ${name}`) };
}

function blockExtra({ workchain, shard, seqno }: BlockId) {
  return {
    inMsgDescr: -1,
    outMsgDescr: -1,
    accountBlocks: -1,
    randSeed: sha256(`seed ${workchain},${shard},${seqno}`),
    createdBy: sha256(`validator ${seqno % VALIDATORS}`),
    masterchain: -1,
  };
}

function blockInfo(id: BlockId, genUtime: number, blocks: readonly BlockId[]): BlockInfo {
  const { workchain, shard, seqno } = id;
  const startLt = BigInt(ltOfSeqno(seqno));
  const endLt = startLt + BigInt(LT_PER_SEQNO - 1);
  const before = blockId(seqno - 1, shard, workchain);
  const master = blocks[0]!;
  const isMaster = workchain === MASTERCHAIN;
  return {
    version: 0,
    notMaster: !isMaster,
    afterMerge: false,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: false,
    wantMerge: false,
    keyBlock: false,
    vertSeqnoIncr: false,
    flags: 1,
    seqno,
    vertSeqno: 0,
    workchain,
    shard,
    genUtime,
    startLt,
    endLt,
    genValidatorListHashShort: 1,
    genCatchainSeqno: 1,
    minRefMcSeqno: seqno - 1,
    prevKeyBlockSeqno: 0,
    genSoftware: undefined,
    masterRef: isMaster ? undefined : { ...master, seqno: seqno - 1, endLt: startLt },
    prevRefs: [{ ...before, endLt: startLt }],
    prevVertRef: undefined,
  };
}
