import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { walkDictionary } from './dictionary.ts';
import { dictionaryEntries } from './dictionary-entries.ts';

/** One validator of a set. */
export interface Validator {
  /** Its ed25519 key. */
  readonly publicKey: Buffer;
  readonly weight: bigint;
  /** Zeros where the set does not say it. */
  readonly adnlAddress: Buffer;
}

/** A set of validators: parameters 32 to 37. */
export interface ValidatorSet {
  readonly since: number;
  readonly until: number;
  /** How many of the first validators keep the masterchain. */
  readonly main: number;
  /** In the order of their numbers. */
  readonly validators: readonly Validator[];
  readonly totalWeight: bigint;
}

const INDEX_BITS = 16;
const PLAIN_TAG = 0x11;
const WITH_WEIGHT_TAG = 0x12;
const VALIDATOR_TAG = 0x53;
const VALIDATOR_WITH_ADNL_TAG = 0x73;
const PUBLIC_KEY_TAG = 0x8e81278a;
const NO_ADDRESS = Buffer.alloc(32);
// The node refuses heavier sets, so that three times a weight still fits 64 bits.
const MAX_TOTAL_WEIGHT = 1n << 61n;

/** Reads a validator set in either of its forms, with the checks that a node makes. */
export function readValidatorSet(cells: Cells, cell: number): ValidatorSet {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== PLAIN_TAG && tag !== WITH_WEIGHT_TAG) throw new CellFault('a validator set of an unknown form');
  const since = slice.uint(32);
  const until = slice.uint(32);
  const total = slice.uint(16);
  const main = slice.uint(16);
  if (main < 1 || main > total) throw new CellFault('a validator set with a wrong number of main validators');
  const declaredWeight = tag === WITH_WEIGHT_TAG ? slice.uint64() : undefined;
  const validators = tag === WITH_WEIGHT_TAG ? readList(cells, slice.maybeRef()) : readInlineList(slice);
  if (validators.length !== total) throw new CellFault('a validator set with a wrong number of validators');
  let totalWeight = 0n;
  for (const { weight } of validators) totalWeight += weight;
  if (totalWeight > MAX_TOTAL_WEIGHT) throw new CellFault('a validator set whose weight is too large');
  if (declaredWeight !== undefined && declaredWeight !== totalWeight)
    throw new CellFault('a validator set that declares a wrong weight');
  return { since, until, main, validators, totalWeight };
}

function readList(cells: Cells, root: number): Validator[] {
  const validators: Validator[] = [];
  if (root >= 0) walkDictionary(cells, root, INDEX_BITS, (key, value) => append(validators, key, value));
  return validators;
}

/** In the older form the dictionary has no cell of its own. */
function readInlineList(slice: Slice): Validator[] {
  const validators: Validator[] = [];
  for (const { key, value } of dictionaryEntries(slice, INDEX_BITS)) append(validators, key, value);
  return validators;
}

function append(validators: Validator[], key: Buffer, value: Slice): void {
  if (key.readUInt16BE() !== validators.length)
    throw new CellFault('a validator set whose numbers have a gap');
  const tag = value.uint(8);
  if (tag !== VALIDATOR_TAG && tag !== VALIDATOR_WITH_ADNL_TAG)
    throw new CellFault('a validator of an unknown form');
  if (value.uint(32) !== PUBLIC_KEY_TAG) throw new CellFault('a validator whose key is of an unknown form');
  const publicKey = value.hash();
  const weight = value.uint64();
  if (weight === 0n) throw new CellFault('a validator without weight');
  const adnlAddress = tag === VALIDATOR_WITH_ADNL_TAG ? value.hash() : NO_ADDRESS;
  value.end();
  validators.push({ publicKey, weight, adnlAddress });
}
