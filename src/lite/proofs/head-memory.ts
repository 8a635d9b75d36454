import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { parseHash } from '../../chain/hash/parse-hash.ts';
import type { Log } from '../../lib/log.ts';

/** Remembers the last key block that was proven, so that a start need not prove the whole chain again. */
export interface HeadMemory {
  /** The last key block proven from `anchor`, or undefined when nothing is known. */
  load(anchor: BlockId): Promise<BlockId | undefined>;
  save(anchor: BlockId, keyBlock: BlockId): Promise<void>;
}

/** Keeps the last proven key block in a file. A file that is damaged, or about another anchor, counts as none. */
export function createHeadMemory(path: string, log: Log): HeadMemory {
  return {
    async load(anchor) {
      try {
        const stored = JSON.parse(await readFile(path, 'utf8'));
        const known = fromJson(stored.anchor);
        const keyBlock = fromJson(stored.keyBlock);
        return known !== undefined && sameBlock(known, anchor) ? keyBlock : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          log.warn({ path, err: error }, 'the last proven key block cannot be read and is proven again');
        return undefined;
      }
    },
    async save(anchor, keyBlock) {
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${process.pid}.new`;
      await writeFile(
        temporary,
        `${JSON.stringify({ anchor: toJson(anchor), keyBlock: toJson(keyBlock) })}\n`,
      );
      await rename(temporary, path);
    },
  };
}

function toJson(block: BlockId): object {
  return {
    workchain: block.workchain,
    shard: block.shard.toString(),
    seqno: block.seqno,
    rootHash: block.rootHash.toString('base64'),
    fileHash: block.fileHash.toString('base64'),
  };
}

function fromJson(stored: Record<string, unknown> | undefined): BlockId | undefined {
  if (stored === undefined) return undefined;
  const { workchain, shard, seqno, rootHash, fileHash } = stored;
  const root = parseHash(String(rootHash));
  const file = parseHash(String(fileHash));
  if (!Number.isInteger(workchain) || !Number.isInteger(seqno) || root === undefined || file === undefined)
    return undefined;
  return {
    workchain: workchain as number,
    shard: BigInt(String(shard)),
    seqno: seqno as number,
    rootHash: root,
    fileHash: file,
  };
}
