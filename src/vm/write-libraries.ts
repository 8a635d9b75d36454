import { beginCell, Dictionary } from '@ton/core';
import { toCoreCell } from '../chain/boc/core-cell.ts';
import { readBoc } from '../chain/boc/read-boc.ts';
import { type SharedBoc, shareBoc } from './shared-boc.ts';

/** Puts libraries, each a bag of cells, together in the form that runs take; undefined for none. */
export function writeLibraries(libraries: readonly Uint8Array[]): SharedBoc | undefined {
  if (libraries.length === 0) return undefined;
  const byHash = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const library of libraries) {
    const bag = readBoc(library);
    byHash.set(Buffer.from(bag.hash(bag.root)), toCoreCell(bag, bag.root));
  }
  return shareBoc(beginCell().storeDictDirect(byHash).endCell().toBoc({ idx: false, crc32: false }));
}
