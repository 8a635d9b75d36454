import { describe, expect, it } from 'vitest';
import { type BlockId, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { checkBlockHeader } from '../../../src/lite/methods/blocks.ts';
import {
  checkLookupBlock,
  checkLookupBlockWithProof,
  type LookupBlockResult,
  type LookupKey,
} from '../../../src/lite/methods/lookups.ts';
import { ProofFailure } from '../../../src/lite/methods/proofs.ts';
import { checkShardBlockProof } from '../../../src/lite/methods/shards.ts';
import { answerHeader, answerLookup, answerShardBlockProof } from '../../support/chain-builder/answers.ts';
import { LEFT, RIGHT, sampleChain } from '../../support/chain-builder/sample-chain.ts';

const ON = { verify: true };

describe('checkLookupBlock and checkLookupBlockWithProof', () => {
  const chain = sampleChain();
  const { masterchain, shardBlocks } = chain;
  const head = masterchain.at(-1)!;
  const byName = (seqno: number, shard: bigint) =>
    shardBlocks.find(({ id }) => id.seqno === seqno && id.shard === shard)!;
  const bySeqno = (seqno: number, shard = LEFT): LookupKey => ({
    mode: 1,
    id: { workchain: 0, shard, seqno },
  });
  const byLt = (lt: bigint, shard = LEFT): LookupKey => ({
    mode: 2,
    id: { workchain: 0, shard, seqno: 0 },
    lt,
  });
  const byUtime = (utime: number, shard = LEFT): LookupKey => ({
    mode: 4,
    id: { workchain: 0, shard, seqno: 0 },
    utime,
  });
  const mcSeqno = (seqno: number): LookupKey => ({
    mode: 1,
    id: { workchain: -1, shard: WHOLE_SHARD, seqno },
  });
  const find = (key: LookupKey, reference: BlockId = head.id) =>
    checkLookupBlockWithProof(answerLookup(chain, key, reference), key, reference, ON).block;

  it('accept every block by seqno, from any newer masterchain block', () => {
    for (const block of masterchain)
      for (const reference of masterchain.slice(block.id.seqno - 1))
        expect(find(mcSeqno(block.id.seqno), reference.id)).toEqual(block.id);
    for (const { id } of shardBlocks) expect(find(bySeqno(id.seqno, id.shard))).toEqual(id);
  });

  it('accept the first block that ends at a time or later', () => {
    for (const block of shardBlocks.slice(1)) {
      const { shard } = block.id;
      expect(find(byLt(block.startLt, shard))).toEqual(block.id);
      expect(find(byLt(block.endLt, shard))).toEqual(block.id);
      expect(find(byLt(block.startLt - 500n, shard))).toEqual(block.id);
      expect(find(byUtime(block.utime, shard))).toEqual(block.id);
      expect(find(byUtime(block.utime - 2, shard))).toEqual(block.id);
    }
  });

  it('accept a block of a shard around the requested one, or inside of it', () => {
    expect(find(bySeqno(2, LEFT))).toEqual(byName(2, WHOLE_SHARD).id);
    expect(find(bySeqno(4, WHOLE_SHARD))).toEqual(byName(4, RIGHT).id);
  });

  const lt = byName(4, LEFT).startLt;
  const lies: [string, LookupKey, (answer: LookupBlockResult) => LookupBlockResult, string][] = [
    ['another block', bySeqno(4), () => answerLookup(chain, bySeqno(5), head.id), 'invalid seqno in proof'],
    [
      'a block of another shard',
      bySeqno(4),
      () => answerLookup(chain, bySeqno(4, RIGHT), head.id),
      'incorrect workchain/shard',
    ],
    [
      'a block of the masterchain',
      bySeqno(4),
      () => answerLookup(chain, mcSeqno(4), head.id),
      'incorrect workchain/shard',
    ],
    [
      'a block that is too early',
      byLt(lt),
      () => answerLookup(chain, byLt(lt - 1_000_000n), head.id),
      'header end_lt < lt',
    ],
    [
      'a block that is too late',
      byLt(lt),
      () => answerLookup(chain, byLt(lt + 1_000_000n), head.id),
      'prev header end_lt > lt',
    ],
    [
      'a time that is too early',
      byUtime(1_700_000_018),
      () => answerLookup(chain, byUtime(1_700_000_013), head.id),
      'header gen_utime < utime',
    ],
    [
      'a time that is too late',
      byUtime(1_700_000_018),
      () => answerLookup(chain, byUtime(1_700_000_023), head.id),
      'prev header gen_utime > utime',
    ],
    [
      'the header before of another block',
      byLt(lt),
      (a) => ({ ...a, prevHeader: a.header }),
      'invalid prev header hash in proof',
    ],
    ['no header before', byLt(lt), (a) => ({ ...a, prevHeader: Buffer.alloc(0) }), 'too short'],
    [
      'a header before where none belongs',
      bySeqno(4),
      (a) => ({ ...a, prevHeader: a.header }),
      'unexpected prev header',
    ],
    [
      'the header of another block',
      bySeqno(4),
      (a) => ({ ...a, header: answerLookup(chain, bySeqno(5), head.id).header }),
      'invalid header in proof:  block header for block',
    ],
    [
      'a name that is not the header',
      bySeqno(4),
      (a) => ({ ...a, id: { ...a.id, fileHash: Buffer.alloc(32) } }),
      "response blkid doesn't match header",
    ],
    [
      'a link less',
      bySeqno(4),
      (a) => ({ ...a, shardLinks: a.shardLinks.slice(1) }),
      'has incorrect root hash',
    ],
    ['no links', bySeqno(4), (a) => ({ ...a, shardLinks: [] }), 'incorrect workchain/shard'],
    [
      'too many links',
      bySeqno(4),
      (a) => ({ ...a, shardLinks: Array(9).fill(a.shardLinks[0]) }),
      'chain is too long',
    ],
    [
      'a link to another block',
      bySeqno(4),
      (a) => ({ ...a, shardLinks: [{ ...a.shardLinks[0]!, id: byName(5, RIGHT).id }, a.shardLinks[1]!] }),
      'the cell is pruned',
    ],
    [
      'another masterchain block',
      bySeqno(4),
      (a) => ({ ...a, mcBlockId: masterchain[3]!.id }),
      'has incorrect root hash',
    ],
    [
      'a masterchain block that never was',
      bySeqno(4),
      (a) => ({ ...a, mcBlockId: { ...a.mcBlockId, fileHash: Buffer.alloc(32) } }),
      "couldn't check old mc block id",
    ],
    [
      'a masterchain block that is none',
      bySeqno(4),
      (a) => ({ ...a, mcBlockId: a.id }),
      'mc block id is not from masterchain',
    ],
    ['no proof of the old block', bySeqno(4), (a) => ({ ...a, mcBlockProof: Buffer.alloc(0) }), 'too short'],
    [
      'a state that is not the one of the reference',
      bySeqno(4),
      (a) => ({ ...a, mcBlockProof: answerLookup(chain, bySeqno(4), masterchain[5]!.id).mcBlockProof }),
      'state hash mismatch in block header of (-1,8000000000000000,7)',
    ],
  ];

  it.each(lies)('refuses %s', (_name, key, change, text) => {
    const changed = change(answerLookup(chain, key, head.id));
    expect(() => checkLookupBlockWithProof(changed, key, head.id, ON)).toThrow(ProofFailure);
    expect(() => checkLookupBlockWithProof(changed, key, head.id, ON)).toThrow(text);
    expect(() => checkLookupBlockWithProof(changed, key, head.id, ON)).toThrow(/^VALIDATE_BLOCK_PROOF/);
  });

  it('refuse a proof from a reference block of another chain', () => {
    const answer = answerLookup(chain, mcSeqno(6), head.id);
    expect(() => checkLookupBlockWithProof(answer, mcSeqno(6), masterchain[4]!.id, ON)).toThrow(ProofFailure);
    const itself = answerLookup(chain, mcSeqno(7), head.id);
    expect(itself.mcBlockProof).toHaveLength(0);
    expect(checkLookupBlockWithProof(itself, mcSeqno(7), head.id, ON).block).toEqual(head.id);
    const padded = { ...itself, mcBlockProof: answer.mcBlockProof };
    expect(() => checkLookupBlockWithProof(padded, mcSeqno(7), head.id, ON)).toThrow(
      'unexpected masterchain state proof',
    );
  });

  it('check the header of a look-up without proof', () => {
    const block = byName(4, LEFT);
    const answer = answerHeader(block, 0);
    for (const key of [bySeqno(4), byLt(block.startLt), byLt(1n), byUtime(block.utime), byUtime(5)])
      expect(checkLookupBlock(answer, key, ON).block).toEqual(block.id);
    for (const key of [bySeqno(5), bySeqno(4, RIGHT), byLt(block.endLt + 1n), byUtime(block.utime + 1)])
      expect(() => checkLookupBlock(answer, key, ON)).toThrow(ProofFailure);
  });

  it('return headers with the previous blocks', () => {
    const merged = shardBlocks.at(-1)!;
    const { previous, info } = checkBlockHeader(answerHeader(merged, 0), merged.id, ON);
    expect(previous).toEqual([byName(5, LEFT).id, byName(5, RIGHT).id]);
    expect(info.afterMerge).toBe(true);
    const split = byName(3, RIGHT);
    expect(checkBlockHeader(answerHeader(split, 0), split.id, ON).previous).toEqual([
      byName(2, WHOLE_SHARD).id,
    ]);
    const key = masterchain[2]!;
    expect(checkBlockHeader(answerHeader(key, 0), key.id, ON).info.keyBlock).toBe(true);
    expect(() => checkBlockHeader(answerHeader(split, 0), merged.id, ON)).toThrow('wrong block');
    const renamed = { ...split.id, seqno: 9 };
    expect(() => checkBlockHeader({ ...answerHeader(split, 0), id: renamed }, renamed, ON)).toThrow(
      'block header contains block id (0,c000000000000000,3), expected (0,c000000000000000,9)',
    );
  });

  it('follow the links to a shard block', () => {
    for (const { id } of shardBlocks) {
      const proof = answerShardBlockProof(chain, id);
      expect(proof.links.at(-1)!.id).toEqual(id);
      expect(checkShardBlockProof(proof, id, ON)).toBe(proof);
    }
    const deep = answerShardBlockProof(chain, byName(4, LEFT).id);
    expect(deep.links).toHaveLength(2);
    expect(checkShardBlockProof({ masterchainId: head.id, links: [] }, head.id, ON).links).toEqual([]);
    expect(() => checkShardBlockProof(deep, byName(4, RIGHT).id, ON)).toThrow('got invalid proof chain');
    const zero = { masterchainId: { ...head.id, seqno: 0 }, links: [] };
    expect(() => checkShardBlockProof(zero, zero.masterchainId, ON)).toThrow('seqno=0');
    expect(() =>
      checkShardBlockProof({ ...deep, masterchainId: deep.links[0]!.id }, deep.links[1]!.id, ON),
    ).toThrow('got invalid masterchain block id');
  });
});
