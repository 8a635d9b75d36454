import { readFileSync } from 'node:fs';
import { readBoc } from '../../chain/boc/bag.ts';
import { CellError } from '../../chain/boc/cells.ts';
import { walkDictionary } from '../../chain/tlb/dictionary.ts';
import { createAirdropFile } from './airdrop-file.ts';

export interface DumpJob {
  /** The file with the dictionary of airdrops as a bag of cells. */
  readonly dump: string;
  /** The hash of its root in hex. */
  readonly root: string;
  /** The file of airdrops to create. */
  readonly target: string;
}

// _ amount:Coins start_from:uint48 expired_at:uint48 = AirdropItem;
// _ _(HashMap 267 AirdropItem) = Airdrop;
// The key is addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256, without anycast.
const KEY_BITS = 267;
const PREFIX_BITS = 3;
const PREFIX = 0b100;
const TIME_BITS = 48;

/** Less than this on average are cells that are not of such a dictionary, and take much more memory than the file. */
const MIN_BYTES_PER_CELL = 8;
/** Less than this are shared cells, since a key alone has more: the file would be much larger than the dump. */
const MIN_BYTES_PER_OWNER = 32;

/**
 * Converts a dump to a file of airdrops, if it has the right hash; returns how many there are. Throws CellError for
 * anything else. It takes as much memory as the dump, and about 45 bytes for each of its cells.
 */
export function convertDump({ dump, root, target }: DumpJob): number {
  const bytes = readFileSync(dump);
  checkCellCount(bytes);
  const bag = readBoc(bytes);
  if (bag.hash(bag.root).toString('hex') !== root)
    throw new CellError('the dump is not that of the jetton: it has another hash');
  const file = createAirdropFile(target);
  const owner = Buffer.alloc((KEY_BITS - PREFIX_BITS) >> 3);
  let count = 0;
  try {
    walkDictionary(bag, bag.root, KEY_BITS, (key, value) => {
      if (key[0]! >> (8 - PREFIX_BITS) !== PREFIX) throw new CellError('key is not a standard address');
      for (let i = 0; i < owner.length; i++)
        owner[i] = (key[i]! << PREFIX_BITS) | (key[i + 1]! >> (8 - PREFIX_BITS));
      const amount = value.coins();
      const startFrom = Number(value.bigUint(TIME_BITS));
      const expireAt = Number(value.bigUint(TIME_BITS));
      if (++count * MIN_BYTES_PER_OWNER > bytes.length)
        throw new CellError('dictionary shares too many cells');
      file.add({ owner, amount, startFrom, expireAt });
    });
  } finally {
    file.close();
  }
  return count;
}

function checkCellCount(bytes: Buffer): void {
  const refSize = bytes.length > 10 ? bytes[4]! & 7 : 0;
  if (refSize < 1 || refSize > 4) throw new CellError('not a bag of cells');
  const count = bytes.readUIntBE(6, refSize);
  if (count * MIN_BYTES_PER_CELL > bytes.length) throw new CellError('not a dictionary of airdrops');
}
