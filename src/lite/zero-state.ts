import type { BlockId } from '../chain/block-id.ts';
import type { ZeroStateId } from '../chain/tl/names.ts';

/** A server whose chain began with another zero state than the configured one. */
export class ForeignNetwork extends Error {
  constructor(expected: BlockId, found: ZeroStateId) {
    super(
      'VALIDATE_ZERO_STATE: Masterchain zerostate mismatch: ' +
        `expected: ${nameOf(expected)}, found ${nameOf(found)} from masterchain info`,
    );
    this.name = 'ForeignNetwork';
  }
}

/** Throws ForeignNetwork when a server's zero state is not the configured one. */
export function checkZeroState(found: ZeroStateId, expected: BlockId): void {
  const same =
    found.workchain === expected.workchain &&
    found.rootHash.equals(expected.rootHash) &&
    found.fileHash.equals(expected.fileHash);
  if (!same) throw new ForeignNetwork(expected, found);
}

/** As nodes print it: the workchain and both hashes in hex. */
function nameOf({ workchain, rootHash, fileHash }: ZeroStateId): string {
  return `${workchain}:${rootHash.toString('hex')}:${fileHash.toString('hex')}`.toUpperCase();
}
