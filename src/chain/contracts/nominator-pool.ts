import { accountKey } from '../address.ts';
import { MASTERCHAIN } from '../block-id.ts';
import { readBoc } from '../boc/bag.ts';
import { CellError, type Cells, undefinedOnCellError } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { walkDictionary } from '../tlb/dictionary.ts';

// state:uint8 nominators_count:uint16 stake_amount_sent:Coins validator_amount:Coins
//   config:^[ validator:uint256 validator_reward_share:uint16 max_nominators_count:uint16
//     min_validator_stake:Coins min_nominator_stake:Coins ]
//   nominators:(HashmapE 256 [ amount:Coins pending_deposit_amount:Coins ]) withdraw_requests:(HashmapE 256 [])
//   stake_at:uint32 saved_validator_set_hash:uint256 validator_set_changes_count:uint8
//   validator_set_change_time:uint32 stake_held_for:uint32 config_proposal_votings:(HashmapE 256 …)

/** The money of a nominator in a pool, in nanotons. */
export interface Nominator {
  /** Takes part in the current stake. */
  readonly balance: bigint;
  /** Deposited while a stake was out; becomes balance when it returns. */
  readonly pending: bigint;
}

/** The data of a nominator pool, as far as its events depend on it. */
export interface NominatorPool {
  readonly validatorAmount: bigint;
  /** 33 bytes, as below. */
  readonly validator: Buffer;
  /** In 1/10000. */
  readonly validatorRewardShare: number;
  /** By account in hex, ascending. */
  readonly nominators: ReadonlyMap<string, Nominator>;
  /** Accounts in hex. */
  readonly withdrawRequests: ReadonlySet<string>;
  /** The election that the stake was sent for: a unix time, or 0. */
  readonly stakeAt: number;
}

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
export const MAX_NOMINATORS = 1000;
const KEY_BITS = 256;
const BASECHAIN = 0;

/** Reads the data of a nominator pool; undefined if it is not laid out like that of one. */
export function readNominatorPool(data: Buffer): NominatorPool | undefined {
  return undefinedOnCellError(() => {
    const bag = readBoc(data);
    return readData(new Slice(bag, bag.root));
  });
}

function readData(slice: Slice): NominatorPool {
  // State, number of nominators and the stake that was sent.
  slice.skip(8 + 16);
  slice.coins();
  // Fields are in read order: an object literal evaluates them from top to bottom.
  return {
    validatorAmount: slice.coins(),
    ...readConfig(slice.refSlice()),
    nominators: readNominators(slice.cells, slice.maybeRef()),
    withdrawRequests: readKeys(slice.cells, slice.maybeRef()),
    stakeAt: slice.uint(32),
  };
}

function readConfig(slice: Slice): Pick<NominatorPool, 'validator' | 'validatorRewardShare'> {
  return { validator: accountKey(MASTERCHAIN, slice.hash()), validatorRewardShare: slice.uint(16) };
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
