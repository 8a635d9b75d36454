import { hash } from 'node:crypto';
import { MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { crc32c } from '../boc/checksums.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { CatchainConfig } from './config.ts';
import { Dictionary, type DictionaryCodec, dictionaryEntries, indexKey } from './dictionary.ts';

// validators#11 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
//   list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
// validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total }
//   { main >= 1 } total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;

/** A set of validators: config params 32 to 37. */
export type ValidatorSet = Readonly<ReturnType<typeof readValidatorSet>>;

const INDEX_BITS = 16;
const PLAIN_TAG = 0x11;
const WITH_WEIGHT_TAG = 0x12;

// Nodes reject heavier sets, so that three times a weight still fits 64 bits.
const MAX_TOTAL_WEIGHT = 1n << 61n;

/** Reads a validator set with the checks of a node. */
export function readValidatorSet(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== PLAIN_TAG && tag !== WITH_WEIGHT_TAG) throw new CellError('unknown tag of a validator set');
  const since = slice.uint(32);
  const until = slice.uint(32);
  const total = slice.uint(16);
  const main = slice.uint(16);
  if (main < 1 || main > total) throw new CellError('validator set has a wrong number of main validators');
  const declaredWeight = tag === WITH_WEIGHT_TAG ? slice.uint64() : undefined;
  const validators: Validator[] = [];
  // In the older version the root of the dictionary is inlined.
  const list = tag === WITH_WEIGHT_TAG ? slice.maybeRef() : cell;
  if (list >= 0)
    for (const { key, value } of dictionaryEntries(
      list === cell ? slice : new Slice(cells, list),
      INDEX_BITS,
    ))
      append(validators, key, value);
  if (validators.length !== total) throw new CellError('validator set has a wrong number of validators');
  let totalWeight = 0n;
  for (const { weight } of validators) totalWeight += weight;
  if (totalWeight > MAX_TOTAL_WEIGHT) throw new CellError('total weight of a validator set is too large');
  if (declaredWeight !== undefined && declaredWeight !== totalWeight)
    throw new CellError('validator set declares a wrong total weight');
  return {
    since,
    until,
    /** How many of the first validators validate the masterchain. */
    main,
    validators: validators as readonly Validator[],
    totalWeight,
  };
}

export function buildValidatorSet(arena: BuildingArena, set: ValidatorSet): number {
  const { since, until, main, validators, totalWeight } = set;
  const list = new Dictionary(arena, VALIDATORS).build(
    validators.map((validator, i) => [indexKey(i), validator]),
  );
  const builder = new CellBuilder().uint(WITH_WEIGHT_TAG, 8).uint(since, 32).uint(until, 32);
  builder.uint(validators.length, 16).uint(main, 16).uint64(totalWeight).maybeRef(list);
  return arena.build(builder);
}

// validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
// validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
// ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;

export interface Validator {
  readonly publicKey: Buffer;
  readonly weight: bigint;
  /** Zeros where the set has none. */
  readonly adnlAddress: Buffer;
}

const VALIDATOR_TAG = 0x53;
const VALIDATOR_WITH_ADNL_TAG = 0x73;
const PUBLIC_KEY_TAG = 0x8e81278a;
const NO_ADDRESS = Buffer.alloc(32);

function append(validators: Validator[], key: Buffer, value: Slice): void {
  if (key.readUInt16BE() !== validators.length) throw new CellError('validator set has a gap in its numbers');
  const tag = value.uint(8);
  if (tag !== VALIDATOR_TAG && tag !== VALIDATOR_WITH_ADNL_TAG)
    throw new CellError('unknown tag of a validator');
  if (value.uint(32) !== PUBLIC_KEY_TAG) throw new CellError('unknown tag of a validator key');
  const publicKey = value.hash();
  const weight = value.uint64();
  if (weight === 0n) throw new CellError('validator without weight');
  const adnlAddress = tag === VALIDATOR_WITH_ADNL_TAG ? value.hash() : NO_ADDRESS;
  value.end();
  validators.push({ publicKey, weight, adnlAddress });
}

const VALIDATORS: DictionaryCodec<Validator> = {
  keyBits: INDEX_BITS,
  write(builder, { publicKey, weight, adnlAddress }) {
    const hasAddress = adnlAddress.some((byte) => byte !== 0);
    builder.uint(hasAddress ? VALIDATOR_WITH_ADNL_TAG : VALIDATOR_TAG, 8);
    builder.uint(PUBLIC_KEY_TAG, 32).hash(publicKey).uint64(weight);
    if (hasAddress) builder.hash(adnlAddress);
  },
};

const MAGIC = -1877581587;
const HEADER_BYTES = 12;
const VALIDATOR_BYTES = 32 + 8 + 32;

/**
 * The short hash of a list of validators, as in block headers (`gen_validator_list_hash_short`), block signatures and,
 * for catchain seqno 0, the masterchain state. It depends on the order.
 */
export function validatorSetHash(validators: readonly Validator[], catchainSeqno: number): number {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + validators.length * VALIDATOR_BYTES);
  bytes.writeInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(catchainSeqno, 4);
  bytes.writeUInt32LE(validators.length, 8);
  let at = HEADER_BYTES;
  for (const { publicKey, weight, adnlAddress } of validators) {
    publicKey.copy(bytes, at);
    bytes.writeBigUInt64LE(weight, at + 32);
    adnlAddress.copy(bytes, at + 40);
    at += VALIDATOR_BYTES;
  }
  return crc32c(bytes);
}

/** The validators that sign masterchain blocks of a catchain seqno, in the order of the group. */
export function masterchainValidators(
  set: ValidatorSet,
  config: Pick<CatchainConfig, 'shuffleMcValidators'>,
  catchainSeqno: number,
): Validator[] {
  const main = set.validators.slice(0, set.main);
  if (!config.shuffleMcValidators) return main;
  const next = createPrng(MASTERCHAIN, WHOLE_SHARD, catchainSeqno);
  const order: number[] = [];
  for (let i = 0; i < main.length; i++) {
    const j = Number(next(BigInt(i + 1)));
    // For j = i the second line replaces what the first one wrote.
    order[i] = order[j]!;
    order[j] = i;
  }
  return order.map((index) => main[index]!);
}

/** The validator group of a shard, chosen by weight. In a shard each has weight one, whatever its weight in the set. */
export function shardValidators(
  set: ValidatorSet,
  config: Pick<CatchainConfig, 'shardValidatorsNum'>,
  workchain: number,
  shard: bigint,
  catchainSeqno: number,
): Validator[] {
  const next = createPrng(workchain, shard, catchainSeqno);
  const left = [...set.validators];
  const chosen: Validator[] = [];
  let weightLeft = set.totalWeight;
  for (let count = Math.min(config.shardValidatorsNum, left.length); count > 0; count--) {
    let position = next(weightLeft);
    let index = 0;
    while (position >= left[index]!.weight) position -= left[index++]!.weight;
    const [validator] = left.splice(index, 1);
    weightLeft -= validator!.weight;
    chosen.push({ ...validator!, weight: 1n });
  }
  return chosen;
}

/** A deterministic generator of numbers below a bound: SHA-512 of a counter and the id of the group. */
function createPrng(workchain: number, shard: bigint, catchainSeqno: number): (below: bigint) => bigint {
  const seed = Buffer.alloc(48);
  seed.writeBigInt64BE(BigInt.asIntN(64, shard), 32);
  seed.writeInt32BE(workchain, 40);
  seed.writeUInt32BE(catchainSeqno, 44);
  let words = Buffer.alloc(0);
  let counter = 0;
  let at = 0;
  return (below) => {
    if (at === words.length) {
      seed.writeUInt32BE(counter++, 28);
      words = hash('sha512', seed, 'buffer');
      at = 0;
    }
    const word = words.readBigUInt64BE(at);
    at += 8;
    return (below * word) >> 64n;
  };
}
