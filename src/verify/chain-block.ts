import { beginCell, type Cell, Dictionary, type Slice } from '@ton/core';
import {
  type Amount,
  type BlockId,
  bytesOf,
  entries,
  lowestBit,
  MASTERCHAIN,
  readAddress,
  readAmount,
  readBytes,
  WHOLE_SHARD,
} from './core-readers.ts';

export type ChainBlock = Readonly<ReturnType<typeof readChainBlock>>;

/** Reads a block; throws if its root hash differs from its id. */
export function readChainBlock(id: BlockId, root: Cell) {
  if (!root.hash().equals(id.rootHash)) throw new Error('the root hash differs from the block id');
  const slice = root.beginParse();
  slice.skip(32);
  const globalId = slice.loadInt(32);
  const [infoCell, , update, extraCell] = root.refs as [Cell, Cell, Cell, Cell];
  const { columns, previous } = readHeader(infoCell, id);
  const extra = extraCell.beginParse();
  extra.skip(32);
  const transactions = readTransactions(extraCell.refs[2]!);
  const seeds = { rand_seed: readBytes(extra), created_by: readBytes(extra) };
  const custom = extra.loadBit() ? extraCell.refs[3]! : undefined;
  return {
    id,
    previous,
    /** Ordered by account, then lt. */
    transactions,
    /** The newest blocks of all shards, for a masterchain block. */
    tops: custom === undefined ? [] : readShardHashes(custom.beginParse().skip(16 + 1)),
    /** The dictionary of params of the configuration, for a key block. */
    config: custom && readConfig(custom),
    /** Columns of `blocks` from its header and extra part. */
    columns: { global_id: globalId, ...columns, ...seeds, tx_count: transactions.length },
    genUtime: columns.gen_utime,
    isKey: columns.key_block,
    before: readShownStates(update.refs[0]!),
    after: readShownStates(update.refs[1]!),
  };
}

function readHeader(cell: Cell, { workchain, shard, seqno }: BlockId) {
  const slice = cell.beginParse();
  slice.skip(32);
  const version = slice.loadUint(32);
  const bit = () => slice.loadBit();
  const isShard = bit();
  const marks = {
    after_merge: bit(),
    before_split: bit(),
    after_split: bit(),
    want_split: bit(),
    want_merge: bit(),
  };
  const kinds = { key_block: bit(), vert_seqno_incr: bit() };
  const flags = slice.loadUint(8);
  if (slice.loadUint(32) !== seqno) throw new Error('the seqno differs from the block id');
  const vertSeqno = slice.loadUint(32);
  slice.skip(104);
  const numbers = {
    gen_utime: slice.loadUint(32),
    start_lt: slice.loadUintBig(64),
    end_lt: slice.loadUintBig(64),
    validator_list_hash_short: slice.loadInt(32),
    gen_catchain_seqno: slice.loadUint(32),
    min_ref_mc_seqno: slice.loadUint(32),
    prev_key_block_seqno: slice.loadUint(32),
  };
  const masterRef = isShard ? readReference(cell.refs[0]!.beginParse()).seqno : 0;
  const prevCell = cell.refs[isShard ? 1 : 0]!;
  const parts = marks.after_merge ? prevCell.refs.map((ref) => ref.beginParse()) : [prevCell.beginParse()];
  const shards = previousShards(shard, marks.after_split, marks.after_merge);
  const previous = parts.map((part, i) => ({ workchain, shard: shards[i]!, ...readReference(part) }));
  const columns = {
    version,
    ...marks,
    ...kinds,
    flags,
    vert_seqno: vertSeqno,
    ...numbers,
    master_ref_seqno: masterRef,
    prev_shards: previous.map((block) => block.shard),
    prev_seqnos: previous.map((block) => block.seqno),
  };
  return { columns, previous };
}

function readReference(slice: Slice) {
  slice.skip(64);
  return { seqno: slice.loadUint(32), rootHash: readBytes(slice), fileHash: readBytes(slice) };
}

function previousShards(shard: bigint, isAfterSplit: boolean, isAfterMerge: boolean): bigint[] {
  const bit = lowestBit(shard);
  const half = bit >> 1n;
  const shards = isAfterSplit
    ? [(shard - bit) | (bit << 1n)]
    : isAfterMerge
      ? [shard - half, shard + half]
      : [shard];
  return shards.map((one) => BigInt.asIntN(64, one));
}

function readTransactions(accountBlocks: Cell): ChainTransaction[] {
  const root = accountBlocks.beginParse().loadMaybeRef();
  const ofAccount = (slice: Slice) => {
    readAmount(slice);
    slice.skip(4 + 256);
    return entries(slice, 64, (leaf) => {
      readAmount(leaf);
      return readChainTransaction(leaf.loadRef());
    });
  };
  const accounts = entries(root, 256, ofAccount);
  return accounts.flatMap(([, transactions]) => transactions.map(([, transaction]) => transaction));
}

export function readShardHashes(slice: Slice): BlockId[] {
  const trees = slice.loadDict(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  const tops: BlockId[] = [];
  for (const [workchain, tree] of trees) readTree(tree, workchain, 0n, 1n << 63n, tops);
  return tops;
}

function readConfig(custom: Cell): Cell | undefined {
  const slice = custom.beginParse();
  slice.skip(16);
  if (!slice.loadBit()) return undefined;
  // Shards, their fees, and messages.
  slice.loadMaybeRef();
  slice.loadMaybeRef();
  readAmount(slice);
  readAmount(slice);
  slice.loadRef();
  slice.skip(256);
  return slice.loadRef();
}

/** Reads what is shown of a binary tree of shards; `half` is the bit that ends the prefix. */
function readTree(tree: Cell, workchain: number, prefix: bigint, half: bigint, tops: BlockId[]): void {
  if (tree.isExotic) return;
  const slice = tree.beginParse();
  if (slice.loadBit()) {
    readTree(slice.loadRef(), workchain, prefix, half >> 1n, tops);
    readTree(slice.loadRef(), workchain, prefix | half, half >> 1n, tops);
    return;
  }
  slice.skip(4);
  const seqno = slice.loadUint(32);
  slice.skip(32 + 64 + 64);
  const shard = BigInt.asIntN(64, prefix | half);
  tops.push({ workchain, shard, seqno, rootHash: readBytes(slice), fileHash: readBytes(slice) });
}

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const;

/** A transaction read from the chain: what the index finds it by. Its hash stands for the rest. */
export type ChainTransaction = Readonly<ReturnType<typeof readChainTransaction>>;

export function readChainTransaction(cell: Cell) {
  const slice = cell.beginParse();
  if (slice.loadUint(4) !== 7) throw new Error('not a transaction');
  const address = readBytes(slice);
  const lt = slice.loadUintBig(64);
  slice.skip(256 + 64);
  const now = slice.loadUint(32);
  const outCount = slice.loadUint(15);
  slice.skip(2);
  const endStatus = STATUSES[slice.loadUint(2)]!;
  const messages = slice.loadRef().beginParse();
  const inMessage = messages.loadMaybeRef();
  const out = messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  readAmount(slice);
  const update = slice.loadRef().beginParse();
  update.skip(8);
  return {
    hash: cell.hash(),
    address,
    lt,
    now,
    endStatus,
    stateBefore: readBytes(update),
    stateAfter: readBytes(update),
    inMessage: inMessage === null ? undefined : readChainMessage(inMessage),
    outMessages: Array.from({ length: outCount }, (_, i) => readChainMessage(out.get(i)!)),
    description: slice.loadRef(),
  };
}

export interface ChainMessage {
  readonly kind: 'internal' | 'external-in' | 'external-out';
  readonly hash: Buffer;
  /** Of an external in message. */
  readonly normalHash: Buffer | undefined;
  readonly source: Buffer | null;
  readonly destination: Buffer | null;
  readonly createdLt: bigint | undefined;
  readonly createdAt: number | undefined;
  /** Nanotons of an internal message. */
  readonly value: bigint | undefined;
  readonly body: Cell;
}

type Info = Omit<ChainMessage, 'hash' | 'normalHash' | 'body'>;

function readChainMessage(cell: Cell): ChainMessage {
  const slice = cell.beginParse();
  const { destinationBits, ...info } = readInfo(slice);
  if (slice.loadBit()) skipInit(slice);
  const body = slice.loadBit() ? slice.loadRef() : slice.asCell();
  const normalHash = info.kind === 'external-in' ? normalHashOf(destinationBits, body) : undefined;
  return { ...info, hash: cell.hash(), normalHash, body };
}

/** The normalised form of an external message (TEP-467). */
function normalHashOf(destination: Slice, body: Cell): Buffer {
  const normal = beginCell()
    .storeUint(0b1000, 4)
    .storeSlice(destination)
    .storeUint(0b000001, 6)
    .storeRef(body);
  return normal.endCell().hash();
}

function readInfo(slice: Slice): Info & { readonly destinationBits: Slice } {
  const isInternal = !slice.loadBit();
  if (isInternal) slice.skip(3);
  const isOut = !isInternal && slice.loadBit();
  const source = readAddress(slice);
  const [destination, destinationBits] = withBits(slice, readAddress);
  const value = isInternal ? readAmount(slice).grams : undefined;
  const places = { source, destination, destinationBits, value };
  if (isInternal) {
    slice.loadCoins();
    slice.loadCoins();
  } else if (!isOut) {
    slice.loadCoins();
    return { ...places, kind: 'external-in', createdLt: undefined, createdAt: undefined };
  }
  const times = { createdLt: slice.loadUintBig(64), createdAt: slice.loadUint(32) };
  return { ...places, kind: isInternal ? 'internal' : 'external-out', ...times };
}

/** A value and the bits that it was read from. */
function withBits<T>(slice: Slice, read: (slice: Slice) => T): [T, Slice] {
  const before = slice.clone();
  const value = read(slice);
  const bits = before.loadBits(before.remainingBits - slice.remainingBits);
  return [value, beginCell().storeBits(bits).asSlice()];
}

/** Skips an initial state, which may be a cell of its own. */
function skipInit(slice: Slice): void {
  if (slice.loadBit()) {
    slice.loadRef();
    return;
  }
  for (const bits of [5, 2]) if (slice.loadBit()) slice.skip(bits);
  for (let i = 0; i < 3; i++) slice.loadMaybeRef();
}

/** An account in a state, or in the part of one that a block shows. */
export interface ChainState {
  readonly hash: Buffer;
  readonly status: 'uninit' | 'frozen' | 'active' | 'nonexist';
  readonly balance: Amount;
  readonly codeHash: Buffer | null;
  readonly dataHash: Buffer | null;
  readonly frozenHash: Buffer | null;
}

const SPLIT_STATE = 0x5f327da5;
const EMPTY_AMOUNT: Amount = { grams: 0n, extra: null };

/**
 * The accounts on one side of a Merkle update, by hex address. Before a merge there are two states; an unchanged one is
 * not shown at all.
 */
function readShownStates(side: Cell): Map<string, ChainState> {
  if (side.isExotic) return new Map();
  if (side.beginParse().preloadUint(32) === SPLIT_STATE)
    return new Map(side.refs.flatMap((ref) => [...readShownStates(ref)]));
  const shown = [...readShardAccounts(side)].filter(([, { cell }]) => !cell.isExotic);
  return new Map(shown.map(([address, { cell }]) => [address, readChainState(cell)]));
}

export interface ShardAccount {
  /** An Account, which may be pruned. */
  readonly cell: Cell;
  readonly lastTransHash: Buffer;
  readonly lastTransLt: bigint;
}

/** The accounts of a state, or of the part of it that is shown, by hex address. */
export function readShardAccounts(state: Cell): Map<string, ShardAccount> {
  const cell = state.refs[1];
  const root = cell === undefined || cell.isExotic ? null : cell.beginParse().loadMaybeRef();
  const accounts = entries(root, 256, (leaf) => {
    readAmount(leaf.skip(5));
    return { cell: leaf.loadRef(), lastTransHash: readBytes(leaf), lastTransLt: leaf.loadUintBig(64) };
  });
  return new Map(accounts.map(([address, entry]) => [bytesOf(address).toString('hex'), entry]));
}

/** The part of a state that only the masterchain has; it begins with the newest blocks of all shards. */
export function stateExtra(state: Cell): Slice {
  return state.refs[3]!.beginParse().skip(16);
}

/** The dictionary of params of the configuration in a state of the masterchain. */
export function readStateConfig(state: Cell): Cell {
  const slice = stateExtra(state);
  slice.loadMaybeRef();
  return slice.skip(256).loadRef();
}

/** The older masterchain blocks that a state of the masterchain shows. */
export function readOldBlocks(state: Cell): BlockId[] {
  const slice = stateExtra(state);
  slice.loadMaybeRef();
  slice.loadRef();
  // Flags and facts about validators.
  const root = slice
    .loadRef()
    .beginParse()
    .skip(16 + 65)
    .loadMaybeRef();
  const place = { workchain: MASTERCHAIN, shard: WHOLE_SHARD };
  // Before a block: whether it is a key block, with its end, once as a sum.
  const blocks = entries(root, 32, (leaf) => readReference(leaf.skip(1 + 64 + 1)));
  return blocks.map(([, reference]) => ({ ...place, ...reference }));
}

/** Reads an Account cell, whose code and data may be pruned. */
export function readChainState(cell: Cell): ChainState {
  const hash = cell.hash(0);
  const nothing = { hash, codeHash: null, dataHash: null, frozenHash: null };
  const slice = cell.beginParse();
  if (!slice.loadBit()) return { ...nothing, status: 'nonexist', balance: EMPTY_AMOUNT };
  readAddress(slice);
  skipStorageInfo(slice);
  slice.skip(64);
  const balance = readAmount(slice);
  if (!slice.loadBit()) {
    if (slice.loadBit()) return { ...nothing, status: 'frozen', balance, frozenHash: readBytes(slice) };
    return { ...nothing, status: 'uninit', balance };
  }
  const { code, data } = readInit(slice);
  return {
    ...nothing,
    status: 'active',
    balance,
    codeHash: code?.hash(0) ?? null,
    dataHash: data?.hash(0) ?? null,
  };
}

/** Code and data of an Account cell; undefined if the account is not active. */
export function readActiveState(cell: Cell): ReturnType<typeof readInit> | undefined {
  const slice = cell.beginParse();
  if (!slice.loadBit()) return undefined;
  readAddress(slice);
  skipStorageInfo(slice);
  slice.skip(64);
  readAmount(slice);
  return slice.loadBit() ? readInit(slice) : undefined;
}

function readInit(slice: Slice): { readonly code: Cell | null; readonly data: Cell | null } {
  for (const bits of [5, 2]) if (slice.loadBit()) slice.skip(bits);
  return { code: slice.loadMaybeRef(), data: slice.loadMaybeRef() };
}

function skipStorageInfo(slice: Slice): void {
  slice.loadVarUintBig(3);
  slice.loadVarUintBig(3);
  if (slice.loadUint(3) === 1) slice.skip(256);
  slice.skip(32);
  if (slice.loadBit()) slice.loadCoins();
}
