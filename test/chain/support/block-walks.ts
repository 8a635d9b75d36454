import type { Cells } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from '../../../src/chain/tlb/currency.ts';
import { walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { SHARD_FEE_CREATED, type ShardFeeCreated } from '../../../src/chain/tlb/masterchain-block.ts';
import { type ImportFees, type InMsg, type OutMsg, readInMsg } from '../../../src/chain/tlb/msg-descr.ts';
import { readOutMsg } from './block-readers.ts';

/** Visits the inbound messages of a block in ascending order of their hashes; `hash` is used again, so copy it. */
export function walkInMsgDescr(
  cells: Cells,
  descr: number,
  visit: (hash: Buffer, message: InMsg, fees: ImportFees) => void,
): void {
  const root = new Slice(cells, descr).maybeRef();
  if (root < 0) return;
  walkDictionary(cells, root, 256, (hash, value) => {
    const fees = readImportFees(value);
    visit(hash, readInMsg(value), fees);
  });
}

/** The sum over all inbound messages of a block. */
export function totalImportFees(cells: Cells, descr: number): ImportFees {
  const slice = new Slice(cells, descr);
  slice.maybeRef();
  return readImportFees(slice);
}

function readImportFees(slice: Slice): ImportFees {
  return { feesCollected: slice.coins(), valueImported: readCurrencyCollection(slice) };
}

/** Visits the outbound messages of a block in ascending order of their hashes; `hash` is used again, so copy it. */
export function walkOutMsgDescr(
  cells: Cells,
  descr: number,
  visit: (hash: Buffer, message: OutMsg, exported: CurrencyCollection) => void,
): void {
  const root = new Slice(cells, descr).maybeRef();
  if (root < 0) return;
  walkDictionary(cells, root, 256, (hash, value) => {
    const exported = readCurrencyCollection(value);
    visit(hash, readOutMsg(value), exported);
  });
}

/** The sum over all outbound messages of a block. */
export function totalExported(cells: Cells, descr: number): CurrencyCollection {
  const slice = new Slice(cells, descr);
  slice.maybeRef();
  return readCurrencyCollection(slice);
}

/** What one shard's blocks collected and created. */
interface ShardFees extends ShardFeeCreated {
  readonly workchain: number;
  readonly shard: bigint;
}

const KEY_BITS = 32 + 64;

/** Reads the fees of all shards from the root of their dictionary, which is -1 when there are none. */
export function readShardFees(cells: Cells, root: number): ShardFees[] {
  const found: ShardFees[] = [];
  if (root >= 0)
    walkDictionary(cells, root, KEY_BITS, (key, value) => {
      // The sum over the entry stands before the entry, and is the same.
      SHARD_FEE_CREATED.read(value);
      const { fees, create } = SHARD_FEE_CREATED.read(value);
      found.push({ workchain: key.readInt32BE(0), shard: key.readBigInt64BE(4), fees, create });
    });
  return found;
}
