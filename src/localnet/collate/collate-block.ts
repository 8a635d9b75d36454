import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import { CellBuilder } from '../../chain/boc/builder.ts';
import { writeCellBoc } from '../../chain/boc/writer.ts';
import { blockStartLtAfter } from '../../chain/logical-time.ts';
import { shardPrefixBits } from '../../chain/shards.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import type { BlockInfo } from '../../chain/tlb/block.ts';
import {
  buildExtraCurrencies,
  type CurrencyCollection,
  NO_CURRENCY,
  readExtraCurrencies,
  writeCurrencyCollection,
} from '../../chain/tlb/currency.ts';
import { writeMsgAddress } from '../../chain/tlb/msg-address.ts';
import type { FutureSplitMerge, ShardDescr } from '../../chain/tlb/shard-hashes.ts';
import { BlockDraft, type DraftInput } from './block-draft.ts';
import { burnedOf } from './chain-config.ts';
import { processExternals, type ValidExternal } from './external-messages.ts';
import { type BuiltBlock, finishBlock } from './finish-block.ts';
import { addImmediate, cleanOutQueue, importMessages, processNewMessages } from './internal-messages.ts';
import { buildMasterchainParts } from './masterchain-extra.ts';
import { type MasterchainView, viewRef } from './masterchain-view.ts';
import { neighbourOf, neighboursOf, type OpenState } from './open-state.ts';
import { type Registered, registerShards } from './shard-config.ts';
import { validatorGroupOf } from './validator-group.ts';
import { type BlockIncome, coins, isZero, shardIncome, sumOf } from './value-flow.ts';

interface BlockInput extends Omit<DraftInput, 'startLt'> {
  /** External messages by round; everything that follows from one round is delivered before the next. */
  readonly rounds: readonly (readonly ValidExternal[])[];
  readonly software: BlockInfo['genSoftware'];
}

/** A block with the outcome of the external messages. */
export type CollatedBlock = Awaited<ReturnType<typeof collateShard>>;

/** Delivers messages of the neighbours' queues, then those from outside, and all that follow from them. */
async function deliverMessages(draft: BlockDraft, rounds: BlockInput['rounds']) {
  await importMessages(draft);
  draft.enqueueOnly = !draft.allImported;
  const processed: Awaited<ReturnType<typeof processExternals>> = [];
  for (const externals of [...rounds, []]) {
    processed.push(...(await processExternals(draft, externals)));
    await processNewMessages(draft);
  }
  return processed;
}

interface ShardInput extends BlockInput {
  /** Previous block, which the masterchain references as the newest. */
  readonly previous: ShardDescr | (BlockId & Pick<ShardDescr, 'splitMergeAt'>);
}

export async function collateShard(input: ShardInput) {
  const { view, before, shard, previous } = input;
  const afterSplit = previous.shard !== shard.shard;
  const { genLt, genUtime } = before.state;
  const now = timeAfter(input.now, view, genUtime);
  const beforeSplit = !afterSplit && isBeforeSplit(previous.splitMergeAt, now);
  const draft = new BlockDraft({ ...input, now, startLt: blockStartLtAfter(view.state.genLt, genLt) });
  cleanOutQueue(draft);
  const externals = await deliverMessages(draft, input.rounds);

  const { seqno, rootHash, fileHash } = previous;
  const frame = {
    ...creatorOf(input),
    seqno: seqno + 1,
    previous: { endLt: genLt, seqno, rootHash, fileHash },
    beforeSplit,
    afterSplit,
  };
  const reward = view.config.basechainReward >> BigInt(shardPrefixBits(shard.shard));
  return { block: finishBlock(draft, frame, shardIncome(reward)), externals };
}

/** The part of the header that names who creates a block. */
function creatorOf({ view, shard, software }: Pick<BlockInput, 'view' | 'shard' | 'software'>) {
  const { validators, ...group } = validatorGroupOf(view, shard);
  return { ...group, createdBy: validators[0]!.publicKey, software };
}

interface MasterchainInput extends Omit<BlockInput, 'neighbours'> {
  /** Opens the state of a shard after the block that the masterchain references. */
  readonly stateOf: (descr: ShardDescr) => OpenState;
  /** New blocks of all shards, which the masterchain block references. */
  readonly shardBlocks: readonly BuiltBlock[];
  /** Leaves ticks and tocks out that do nothing. */
  readonly skipIdleTicks: boolean;
}

/** Fees are paid out from this amount on. */
const MIN_RECOVERED = 1_000_000_000n;

export async function collateMasterchain(input: MasterchainInput): Promise<CollatedBlock> {
  const { arena, view, before, shard, shardBlocks } = input;
  const { config } = view;
  const now = timeAfter(input.now, view, before.state.genUtime);
  const seqno = view.id.seqno + 1;
  const registered = registerShards(arena, view.shards, config.workchains, shardBlocks, seqno, now);
  const startLt = blockStartLtAfter(view.state.genLt, ...shardBlocks.map(({ info }) => info.endLt));
  const neighbours = [neighbourOf(before), ...neighboursOf(arena, registered.shards, input.stateOf, shard)];
  const draft = new BlockDraft({ ...input, now, startLt, neighbours });
  const income = incomeOf(draft, registered);

  cleanOutQueue(draft);
  await tickTock(draft, 'tick', input.skipIdleTicks);
  const { feeCollector, minter } = config.addresses;
  const recoverCreateMsg =
    feeCollector === undefined ? -1 : await createSpecialTransaction(draft, income.recovered, feeCollector);
  const mintMsg = minter === undefined ? -1 : await createSpecialTransaction(draft, income.minted, minter);
  const externals = await deliverMessages(draft, input.rounds);
  await tickTock(draft, 'tock', input.skipIdleTicks);
  draft.enqueueOnly = true;
  await processNewMessages(draft);

  const previous = viewRef(view);
  const frame = { ...creatorOf(input), seqno, previous, beforeSplit: false, afterSplit: false };
  const shardCreators = shardBlocks.map(({ createdBy }) => createdBy);
  const decisions = { registered, income, shardCreators, recoverCreateMsg, mintMsg };
  const block = finishBlock(draft, frame, income, (accounts) =>
    buildMasterchainParts(draft, frame, decisions, accounts),
  );
  return { block, externals };
}

function incomeOf(draft: BlockDraft, { totalFees }: Registered): BlockIncome {
  const { arena, view, before } = draft.input;
  const { config } = view;
  const created = coins(config.masterchainReward);
  const importedBurned = burnedOf(config.burning, totalFees.fees.grams - totalFees.create.grams);
  const imported = coins(totalFees.fees.grams - importedBurned);
  const due = sumOf(arena, created, imported, before.totals.totalValidatorFees);
  const { feeCollector, minter } = config.addresses;
  const isPaid = feeCollector !== undefined && due.grams >= MIN_RECOVERED;
  return {
    created,
    feesImported: totalFees.fees,
    recovered: isPaid ? due : NO_CURRENCY,
    minted: minter === undefined ? NO_CURRENCY : toMint(draft),
    importedBurned,
  };
}

/** Extra currencies still to be minted according to the config. */
function toMint({ input }: BlockDraft): CurrencyCollection {
  const { arena, view } = input;
  const minted = new Map(
    readExtraCurrencies(arena, view.extra.globalBalance).map(({ id, amount }) => [id, amount]),
  );
  const missing = view.config.toMint
    .map(({ id, amount }) => ({ id, amount: amount - (minted.get(id) ?? 0n) }))
    .filter(({ id, amount }) => id !== 0 && amount > 0n);
  return missing.length === 0 ? NO_CURRENCY : { grams: 0n, extra: buildExtraCurrencies(arena, missing) };
}

async function tickTock(draft: BlockDraft, which: 'tick' | 'tock', skipIdle: boolean): Promise<void> {
  const { arena, startLt, view } = draft.input;
  const lt = which === 'tick' ? startLt + 1n : draft.maxLt;
  const tasks = view.config.special
    .map((id) => draft.accounts.get(id))
    .filter(({ current }) => {
      const account = readAccount(arena, current.account);
      return account?.state.kind === 'active' && account.state.init.special?.[which] === true;
    })
    .map((account) => ({ account, cause: { tickTock: which }, lt }));
  await draft.maker.prepare(tasks);
  for (const task of tasks) {
    const made = await (skipIdle ? draft.maker.makeUnlessIdle(task) : draft.maker.make(task));
    if (made === undefined) continue;
    if (!('cell' in made)) throw new Error(`a ${which} transaction was not made: ${made.text}`);
    const initiator = masterchainAccount(task.account.id);
    draft.note(made, { depth: 0, initiator, initiatorLt: made.lt }, false);
  }
}

const ZERO_HASH = Buffer.alloc(32);

/**
 * Pays an amount out of nowhere to a masterchain account: the fees of blocks to their collector, new currencies to
 * their minter. Gives the cell of the InMsg, -1 if the amount is nothing.
 */
async function createSpecialTransaction(
  draft: BlockDraft,
  amount: CurrencyCollection,
  account: Buffer,
): Promise<number> {
  if (isZero(amount)) return -1;
  const { arena, startLt } = draft.input;
  const cell = buildMessage(draft, amount, account);
  const hash = Buffer.from(arena.hash(cell));
  const cause = { message: writeCellBoc(arena, cell) };
  const made = await draft.maker.make({ account: draft.accounts.get(account), cause, lt: startLt + 1n });
  if (!('cell' in made)) throw new Error(`a special transaction was not made: ${made.text}`);
  const initiator = masterchainAccount(account);
  draft.note(made, { depth: 0, initiator, initiatorLt: made.lt }, false);
  return addImmediate(draft, { cell, hash, metadata: undefined, fwdFee: 0n }, made.cell).inMsg;
}

function buildMessage(draft: BlockDraft, amount: CurrencyCollection, account: Buffer): number {
  const { arena, startLt, now } = draft.input;
  // An internal message that bounces, without fees.
  const builder = new CellBuilder().uint(0b0110, 4);
  writeMsgAddress(builder, masterchainAccount(ZERO_HASH));
  writeMsgAddress(builder, masterchainAccount(account));
  writeCurrencyCollection(builder, amount);
  builder.coins(0n).coins(0n).uint64(startLt).uint(now, 32);
  return arena.build(builder.boolean(false).boolean(false));
}

function masterchainAccount(hash: Buffer) {
  return { kind: 'std', workchain: MASTERCHAIN, hash, anycast: undefined } as const;
}

/** The last block before a split must not come in the last seconds of the time for it. */
const SPLIT_MARGIN_SECONDS = 13;
/** From this version on blocks may have the time of the previous block. */
const SAME_TIME_VERSION = 13;

/** Time of a block: not before that of its predecessors and of the referenced masterchain block. */
function timeAfter(now: number, { config, state }: MasterchainView, before: number): number {
  const step = config.version >= SAME_TIME_VERSION ? 0 : 1;
  return Math.max(now, state.genUtime + step, before + step);
}

export function isBeforeSplit(plan: FutureSplitMerge | undefined, now: number): boolean {
  if (plan?.kind !== 'split') return false;
  return now >= plan.utime && now + SPLIT_MARGIN_SECONDS < plan.utime + plan.interval;
}
