import Type from 'typebox';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { FoundLibrary } from '../../lite/proofs/libraries.ts';
import { Hash256 } from './block-id.ts';
import { BocText } from './cell-bytes.ts';

/** `smc.libraryResult`: libraries in ascending order of their hashes. */
export const LibraryResult = Type.Object({
  '@type': Type.Literal('smc.libraryResult'),
  result: Type.Array(
    Type.Object({ '@type': Type.Literal('smc.libraryEntry'), hash: Hash256(), data: BocText() }),
  ),
});

/** Writes `smc.libraryResult`. */
export function libraryResult(libraries: readonly FoundLibrary[]) {
  return {
    '@type': 'smc.libraryResult' as const,
    result: libraries.map(({ hash, cells, cell }) => ({
      '@type': 'smc.libraryEntry' as const,
      hash: hash.toString('base64'),
      // Unlike all other cells of v2, libraries come without a checksum.
      data: writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false }).toString('base64'),
    })),
  };
}
