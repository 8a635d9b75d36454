import { createHash } from 'node:crypto';
import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { blockText, type CheckOptions, proving, refuse } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/**
 * A whole block as bytes that are not looked into: their hash is that of the block's name. They have memory of their
 * own, which may be handed to another thread.
 */
export async function getBlockBytes(ask: Ask, block: BlockId, { verify }: CheckOptions): Promise<Buffer> {
  const { id, data } = await askFor(ask, { method: 'getBlock', id: block }, 'VALIDATE_BLOCK_PROOF');
  proving('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(id, block)) refuse('Liteserver responded with wrong block');
    if (verify && !createHash('sha256').update(data).digest().equals(block.fileHash))
      refuse(`data of block ${blockText(block)} has incorrect file hash`);
  });
  const bytes = Buffer.allocUnsafeSlow(data.length);
  data.copy(bytes);
  return bytes;
}
