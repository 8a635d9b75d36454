import { accountKey } from '../address.ts';
import { MASTERCHAIN } from '../block-id.ts';
import { readBoc } from '../boc/bag.ts';
import { CellError, type Cells, undefinedOnCellError } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { walkDictionary } from '../tlb/dictionary.ts';
import { readBehindOpcode } from '../tlb/message.ts';
import { accountKeyOf } from '../tlb/msg-address.ts';
import { hasSucceeded, type Transaction } from '../tlb/transaction.ts';
import { ELECTOR } from './elector.ts';

// state:uint8 nominators_count:uint16 stake_amount_sent:Coins validator_amount:Coins
//   config:^[ validator:uint256 validator_reward_share:uint16 max_nominators_count:uint16
//     min_validator_stake:Coins min_nominator_stake:Coins ]
//   nominators:(HashmapE 256 [ amount:Coins pending_deposit_amount:Coins ]) withdraw_requests:(HashmapE 256 [])
//   stake_at:uint32 saved_validator_set_hash:uint256 validator_set_changes_count:uint8
//   validator_set_change_time:uint32 stake_held_for:uint32 config_proposal_votings:(HashmapE 256 …)

/** The money of a nominator in a pool, in nanotons. */
interface Nominator {
  /** Takes part in the current stake. */
  readonly balance: bigint;
  /** Deposited while a stake was out; becomes balance when it returns. */
  readonly pending: bigint;
}

/** The data of a nominator pool, as far as its events depend on it. */
type NominatorPool = Readonly<ReturnType<typeof readData>>;

/** Hex code hashes of nominator pools: the public contract, and that of the local chain, which keeps the same data. */
export const NOMINATOR_POOL_CODES: ReadonlySet<string> = new Set([
  '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf',
  '19f49c147f8c120178c4228367e3050c3651b9e6c19609315abff70f9c7ee75a',
]);

const CODE_HASHES = [...NOMINATOR_POOL_CODES].map((hex) => Buffer.from(hex, 'hex'));

/** Whether an account with this code is a nominator pool. Must be quick: the indexer asks it about every changed account. */
export function isNominatorPoolCode(codeHash: Buffer | undefined): boolean {
  return codeHash !== undefined && CODE_HASHES.some((hash) => hash.equals(codeHash));
}

/**
 * Pools have forty nominators or so. Anybody can deploy one with thousands in its data, which are read again at every
 * transaction: that is not a pool.
 */
const MAX_NOMINATORS = 1000;
const KEY_BITS = 256;
const BASECHAIN = 0;

/** Reads the data of a nominator pool; undefined if it is not laid out like that of one. */
export function readNominatorPool(data: Buffer): NominatorPool | undefined {
  return undefinedOnCellError(() => {
    const bag = readBoc(data);
    return readData(new Slice(bag, bag.root));
  });
}

function readData(slice: Slice) {
  // State, number of nominators and the stake that was sent.
  slice.skip(8 + 16);
  slice.coins();
  const validatorAmount = slice.coins();
  const config = slice.refSlice();
  // Fields are in read order: an object literal evaluates them from top to bottom.
  return {
    validatorAmount,
    /** 33 bytes. */
    validator: accountKey(MASTERCHAIN, config.hash()),
    /** In 1/10000. */
    validatorRewardShare: config.uint(16),
    /** By account in hex, ascending. */
    nominators: readNominators(slice.cells, slice.maybeRef()),
    /** Accounts in hex. */
    withdrawRequests: readKeys(slice.cells, slice.maybeRef()),
    /** The election that the stake was sent for: a unix time, or 0. */
    stakeAt: slice.uint(32),
  };
}

/** Reads the dictionary of nominators, whose accounts are in the basechain; -1 stands for an empty one. */
export function readNominators(cells: Cells, root: number): Map<string, Nominator> {
  const entries = new Map<string, Nominator>();
  if (root >= 0)
    walkDictionary(cells, root, KEY_BITS, (key, value) => {
      if (entries.size === MAX_NOMINATORS) throw new CellError('too many nominators');
      entries.set(accountHex(key), { balance: value.coins(), pending: value.coins() });
    });
  return entries;
}

function readKeys(cells: Cells, root: number): Set<string> {
  const entries = new Set<string>();
  if (root >= 0)
    walkDictionary(cells, root, KEY_BITS, (key) => {
      if (entries.size === MAX_NOMINATORS) throw new CellError('too many requests');
      entries.add(accountHex(key));
    });
  return entries;
}

function accountHex(hash: Buffer): string {
  return accountKey(BASECHAIN, hash).toString('hex');
}

export const NOMINATOR_EVENT_TYPES = [
  'reward',
  'deposit',
  'withdrawal',
  'pending_deposit_activation',
  'withdrawal_request',
] as const;

type NominatorEventType = (typeof NOMINATOR_EVENT_TYPES)[number];

/** The money of a nominator in a pool, and whether he wants it back. */
interface Position extends Nominator {
  readonly hasRequest: boolean;
}

interface NominatorEvent {
  /** 33 bytes. */
  readonly nominator: Buffer;
  readonly type: NominatorEventType;
  /** Nanotons; negative for a loss. */
  readonly amount: bigint;
  readonly before: Position;
  readonly after: Position;
}

export const VALIDATOR_EVENT_TYPES = ['reward', 'penalty', 'deposit', 'withdrawal'] as const;

type ValidatorEventType = (typeof VALIDATOR_EVENT_TYPES)[number];

/** A change of what a pool keeps for its validator. */
interface ValidatorEvent {
  /** 33 bytes. */
  readonly validator: Buffer;
  readonly type: ValidatorEventType;
  /** Nanotons. */
  readonly balanceBefore: bigint;
  readonly balanceAfter: bigint;
  readonly queryId: bigint | undefined;
  /** Unix time of the election that the stake was sent for. */
  readonly cycleStart: number | undefined;
  readonly validatorRewardShare: number;
}

export interface PoolEvents {
  readonly nominators: readonly NominatorEvent[];
  readonly validator: ValidatorEvent | undefined;
}

/** A pool that was just deployed had nothing. */
const EMPTY_POOL: Pick<NominatorPool, 'nominators' | 'withdrawRequests' | 'validatorAmount' | 'stakeAt'> = {
  nominators: new Map(),
  withdrawRequests: new Set(),
  validatorAmount: 0n,
  stakeAt: 0,
};

/** The events of a transaction, from the data of the pool before and after it; undefined before stands for no pool. */
export function poolEvents(
  transaction: Pick<Transaction, 'inMessage' | 'description'>,
  before: NominatorPool | undefined,
  after: NominatorPool,
): PoolEvents {
  const cause = causeOf(transaction);
  const old = before ?? { ...after, ...EMPTY_POOL };
  const accounts = new Set([...old.nominators.keys(), ...after.nominators.keys()]);
  for (const account of after.withdrawRequests) accounts.add(account);
  const nominators = [...accounts].sort().flatMap((account) => {
    const from = positionIn(old, account);
    const to = positionIn(after, account);
    const steps = cause.isReward ? rewardSteps(from, to) : otherSteps(from, to);
    return steps.map((step) => ({ ...step, nominator: Buffer.from(account, 'hex') }));
  });
  return { nominators, validator: validatorEvent(cause, old, after) };
}

function positionIn({ nominators, withdrawRequests }: typeof EMPTY_POOL, account: string): Position {
  const { balance = 0n, pending = 0n } = nominators.get(account) ?? {};
  return { balance, pending, hasRequest: withdrawRequests.has(account) };
}

type Step = Omit<NominatorEvent, 'nominator'>;

/** The stake came back: first what it earned or lost, then pending deposits join the balance. */
function rewardSteps(before: Position, after: Position): Step[] {
  const steps: Step[] = [];
  const earned = after.balance + after.pending - before.balance - before.pending;
  const rewarded = { ...before, balance: before.balance + earned };
  if (earned !== 0n) steps.push({ type: 'reward', amount: earned, before, after: rewarded });
  const activated = before.pending - after.pending;
  if (activated > 0n)
    steps.push({ type: 'pending_deposit_activation', amount: activated, before: rewarded, after });
  return steps;
}

function otherSteps(before: Position, after: Position): Step[] {
  const steps: Step[] = [];
  const isRequested = after.hasRequest && !before.hasRequest;
  const paid = isRequested ? { ...after, hasRequest: false } : after;
  const change = after.balance + after.pending - before.balance - before.pending;
  if (change > 0n) steps.push({ type: 'deposit', amount: change, before, after: paid });
  if (change < 0n) steps.push({ type: 'withdrawal', amount: -change, before, after: paid });
  if (isRequested) steps.push({ type: 'withdrawal_request', amount: 0n, before: paid, after });
  return steps;
}

const BY_OPCODE: ReadonlyMap<number | undefined, ValidatorEventType> = new Map([
  [4, 'deposit'],
  [5, 'withdrawal'],
]);

function validatorEvent(
  { isReward, opcode, queryId }: ReturnType<typeof causeOf>,
  before: NominatorPool,
  after: NominatorPool,
): ValidatorEvent | undefined {
  const change = after.validatorAmount - before.validatorAmount;
  if (change === 0n) return undefined;
  const type = isReward ? (change > 0n ? 'reward' : 'penalty') : BY_OPCODE.get(opcode);
  if (type === undefined) return undefined;
  return {
    validator: before.validator,
    type,
    balanceBefore: before.validatorAmount,
    balanceAfter: after.validatorAmount,
    queryId,
    cycleStart: isReward && before.stakeAt !== 0 ? before.stakeAt : undefined,
    validatorRewardShare: before.validatorRewardShare,
  };
}

const STAKE_RETURNED = 0xf96f7324;

/** The order that a pool got, and whether it is the stake that the elector returned. */
function causeOf(transaction: Pick<Transaction, 'inMessage' | 'description'>) {
  const { inMessage } = transaction;
  const opcode = inMessage?.opcode;
  if (inMessage?.info.kind !== 'internal') return { isReward: false, opcode, queryId: undefined };
  const isFromElector = accountKeyOf(inMessage.info.src)?.equals(ELECTOR) === true;
  return {
    isReward: hasSucceeded(transaction) && isFromElector && opcode === STAKE_RETURNED,
    opcode,
    queryId: opcode === undefined ? undefined : readBehindOpcode(inMessage, (body) => body.uint64()),
  };
}
