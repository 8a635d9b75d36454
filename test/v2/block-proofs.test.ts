import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockId, WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { checkBlockLink } from '../../src/lite/methods/block-proofs.ts';
import { followShardLinks } from '../../src/lite/methods/shards.ts';
import { createSignersCache } from '../../src/lite/methods/signatures.ts';
import { parseBlock, shardTops } from '../../src/localnet/store/parse-block.ts';
import type { shardBlockProof } from '../../src/v2/blocks.ts';
import { blockJson } from './support/block-json.ts';
import { openLocalnetApp } from './support/v2-app.ts';

const SHARD = String(WHOLE_SHARD);
const HOUR_MS = 3_600_000;
/** Start of a bag of cells without a checksum. */
const WITHOUT_CRC = /^te6ccg/;

type Proof = Static<typeof shardBlockProof.schema>;

describe('block proofs on a local chain', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  let head: BlockId;
  beforeAll(async () => {
    context = await openLocalnetApp({ shards: 2, blockMs: HOUR_MS });
    await context.running.localnet.drain();
    head = await context.running.localnet.mine(3);
    await context.pool.waitForSeqno(head.seqno, { timeoutMs: 120_000 });
  });
  afterAll(() => context.close());

  const store = () => context.running.localnet.store;
  const masterchainBlock = (seqno: number): BlockId => store().masterchainBlock(seqno)!.id;
  const tops = (id: BlockId): BlockId[] => shardTops(parseBlock(store().open(store().block(id)!).bytes));

  async function result(method: string, params: object) {
    const { status, body } = await context.call(method, { ...params });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.result;
  }

  async function refusal(method: string, params: object) {
    const { status, body } = await context.call(method, { ...params });
    return `${status} ${body.error}`;
  }

  describe('getMasterchainBlockSignatures', () => {
    it('returns valid signatures of old blocks and of the newest one', async () => {
      for (let seqno = 2; seqno <= head.seqno; seqno++) {
        const set = store().signatures(masterchainBlock(seqno))!;
        if (set.kind !== 'simplex') throw new Error('the local chain has the newer consensus');
        expect(await result('getMasterchainBlockSignatures', { seqno })).toEqual({
          '@type': 'blocks.blockSignatures.simplex',
          id: blockJson(masterchainBlock(seqno)),
          signatures: set.signatures.map(({ nodeIdShort, signature }) => ({
            '@type': 'blocks.signature',
            node_id_short: nodeIdShort.toString('base64'),
            signature: signature.toString('base64'),
          })),
          session_id: set.sessionId.toString('base64'),
          slot: set.slot,
          candidate: set.candidate.toString('base64'),
        });
      }
    });

    it('fails for the first block and for a block that does not exist yet', async () => {
      expect(await refusal('getMasterchainBlockSignatures', { seqno: 1 })).toBe(
        '500 LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) seqno=0: ltdb: block not found',
      );
      expect(await refusal('getMasterchainBlockSignatures', { seqno: 100_000_000 })).toBe(
        `500 LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) seqno=99999999: ltdb: block not found (last known masterchain block: ${head.seqno})`,
      );
    });

    it('treats a missing seqno in a query string as 0', async () => {
      const { status, body } = await context.call('getMasterchainBlockSignatures', {}, 'get');
      expect([status, body.error]).toEqual([422, 'failed to validate request: seqno should be positive']);
    });
  });

  describe('getShardBlockProof', () => {
    const place = ({ workchain, shard, seqno }: BlockId) => ({ workchain, shard: String(shard), seqno });

    /** Verifies a proof as a client that trusts only the start block. */
    async function follow(proof: Proof, from: BlockId) {
      expect(proof.from).toEqual(blockJson(from));
      for (const { proof: bytes, dest_proof, state_proof } of proof.mc_proof)
        for (const bag of [bytes, dest_proof, state_proof]) expect(bag).toMatch(WITHOUT_CRC);
      let at = from;
      for (const link of proof.mc_proof) {
        const to = idOf(link.to);
        const { to_key_block: toKeyBlock } = link;
        const [destProof, body, stateProof] = [link.dest_proof, link.proof, link.state_proof].map(bytesOf);
        await checkBlockLink(
          {
            kind: 'back',
            toKeyBlock,
            from: at,
            to,
            destProof: destProof!,
            proof: body!,
            stateProof: stateProof!,
          },
          createSignersCache(),
        );
        at = to;
      }
      expect(blockJson(at)).toEqual(proof.mc_id);
      const links = proof.links.map((link) => ({ id: idOf(link.id), proof: bytesOf(link.proof) }));
      return blockJson(followShardLinks(at, links, { verify: true }));
    }

    it('proves any shard block from the newest block', async () => {
      for (let seqno = 2; seqno <= head.seqno; seqno++) {
        for (const block of tops(masterchainBlock(seqno)).filter((top) => top.seqno > 0)) {
          const proof = await result('getShardBlockProof', place(block));
          expect(await follow(proof, head)).toEqual(blockJson(block));
        }
      }
    });

    it('proves a shard block from an older block', async () => {
      const from = masterchainBlock(head.seqno - 1);
      const [block] = tops(masterchainBlock(head.seqno - 2));
      const proof = await result('getShardBlockProof', { ...place(block!), from_seqno: from.seqno });
      expect(proof.mc_proof).toHaveLength(1);
      expect(await follow(proof, from)).toEqual(blockJson(block!));
    });

    it('has no links from a block to itself, and no mc_proof for a shard block of the start block', async () => {
      const [top] = tops(head);
      const { mc_id, mc_proof, links } = await result('getShardBlockProof', place(top!));
      expect({ mc_id, mc_proof }).toEqual({ mc_id: blockJson(head), mc_proof: [] });
      expect(links).toHaveLength(1);
      expect(await result('getShardBlockProof', place(head))).toEqual({
        '@type': 'blocks.shardBlockProof',
        from: blockJson(head),
        mc_id: blockJson(head),
        links: [],
        mc_proof: [],
      });
    });

    it('proves masterchain blocks including the first one', async () => {
      for (const seqno of [1, 2, head.seqno - 1]) {
        const proof = await result('getShardBlockProof', place(masterchainBlock(seqno)));
        expect(proof.links).toEqual([]);
        expect(await follow(proof, head)).toEqual(blockJson(masterchainBlock(seqno)));
      }
    });

    it('rejects a start before the block to prove', async () => {
      const asked = { ...place(tops(head)[0]!), from_seqno: 2 };
      expect(await refusal('getShardBlockProof', asked)).toBe('500 from mc block is too old');
    });

    it('names the start block when it is not found', async () => {
      const asked = place(masterchainBlock(2));
      const words =
        '500 lookup from block error: LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000)';
      expect(await refusal('getShardBlockProof', { ...asked, from_seqno: 0 })).toBe(
        `${words} seqno=0: ltdb: block not found`,
      );
      expect(await refusal('getShardBlockProof', { ...asked, from_seqno: 1_000_000 })).toContain(
        `${words} seqno=1000000: ltdb`,
      );
    });

    it.each([
      [{}, 'failed to parse get request: workchain required'],
      [{ workchain: 0 }, 'failed to parse get request: shard required'],
      [{ workchain: 0, shard: SHARD }, 'failed to parse get request: seqno required'],
      [{ workchain: 'x', shard: SHARD, seqno: 1 }, 'failed to parse get request: failed to parse workchain'],
      [{ workchain: 0, shard: 'x', seqno: 1 }, 'failed to parse get request: failed to parse shard'],
      [{ workchain: 0, shard: SHARD, seqno: 'x' }, 'failed to parse get request: failed to parse seqno'],
      [{ workchain: 0, shard: SHARD, seqno: 0 }, 'failed to validate request: seqno should be positive'],
      [
        { workchain: 0, shard: SHARD, seqno: 1, from_seqno: -1 },
        'failed to validate request: from_seqno should be non-negative',
      ],
      [
        { workchain: 0, shard: SHARD, seqno: 1, from_seqno: 'x' },
        'failed to parse get request: failed to parse from_seqno',
      ],
    ])('rejects %o', async (params, text) => {
      const { status, body } = await context.call('getShardBlockProof', params, 'get');
      expect([status, body.error]).toEqual([422, text]);
    });
  });

  it('distrusts no lite server after all these requests', () => {
    expect(context.pool.servers()).toMatchObject([{ state: 'live', wrongResponses: 0 }]);
  });
});

function idOf({ workchain, shard, seqno, root_hash, file_hash }: Proof['from']): BlockId {
  const [rootHash, fileHash] = [bytesOf(root_hash), bytesOf(file_hash)];
  return { workchain, shard: BigInt(shard), seqno, rootHash, fileHash };
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
