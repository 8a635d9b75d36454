import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { compileSerializer } from '../../src/http/serializer.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { createPool } from '../../src/lite/pool.ts';
import { parseBlock, shardTops } from '../../src/localnet/store/parse-block.ts';
import { BlockSignatures, blockSignatures } from '../../src/v2/blocks.ts';
import { createTestApp } from '../support/app.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { missingNetwork } from '../support/recorded-network.ts';
import { createSignedChain, testValidator } from '../support/signed-chain.ts';
import { blockJson } from './support/block-json.ts';
import { callV2, TRANSPORTS } from './support/transports.ts';
import { openLocalnetApp, openReplayApp, type V2TestApp } from './support/v2-app.ts';

const SHARD = String(WHOLE_SHARD);
const HOUR_MS = 3_600_000;
const QUARTERS = ['2', '6', 'a', 'e'].map((digit) => String(BigInt.asIntN(64, BigInt(`0x${digit}`) << 60n)));

describe('block operations on a chain with four shards', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  const asked = new Map<string, number>();
  const timesAsked = (method: string): number => asked.get(method) ?? 0;

  beforeAll(async () => {
    context = await openLocalnetApp({
      shards: 4,
      blockMs: HOUR_MS,
      metrics: {
        queryDone: (method) => void asked.set(method, timesAsked(method) + 1),
        serverFailed: () => {},
      },
    });
    await context.running.localnet.drain();
    // A fast machine makes all of these blocks within a second.
    await context.running.localnet.advance(10);
    await mine(3);
  });
  afterAll(() => context.close());

  const store = () => context.running.localnet.store;
  const parsed = (id: BlockId) => parseBlock(store().open(store().block(id)!).bytes);
  const masterchainBlock = (seqno: number): BlockId => store().masterchainBlock(seqno)!.id;
  const tops = (id: BlockId): BlockId[] => shardTops(parsed(id));

  async function mine(count: number): Promise<BlockId> {
    const head = await context.running.localnet.mine(count);
    return context.pool.waitForSeqno(head.seqno, { timeoutMs: 120_000 });
  }

  async function result(method: string, params: object = {}) {
    const { status, body } = await context.call(method, { ...params });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.result;
  }

  async function refusal(method: string, params: object = {}) {
    const { status, body } = await context.call(method, { ...params });
    return `${status} ${body.error}`;
  }

  describe('getMasterchainInfo', () => {
    it('returns the newest block, its state hash and the zero state by every transport', async () => {
      const { head } = store();
      const state = store().state(head);
      if (state === undefined || state === 'gone') throw new Error('the newest state is there');
      const { rootHash, fileHash } = store().zeroState;
      for (const transport of TRANSPORTS) {
        const { body } = await context.call('getMasterchainInfo', {}, transport);
        expect(body.result).toEqual({
          '@type': 'blocks.masterchainInfo',
          last: blockJson(head),
          state_root_hash: state.cells.hash(state.cell).toString('base64'),
          init: blockJson({ workchain: MASTERCHAIN, shard: 0n, seqno: 0, rootHash, fileHash }),
        });
      }
    });

    it('queries a lite server once per new block for all callers', async () => {
      await mine(1);
      const before = timesAsked('getBlockHeader');
      const heads = await Promise.all(Array.from({ length: 20 }, () => result('getMasterchainInfo')));
      expect(new Set(heads.map(({ last }) => last.seqno))).toEqual(new Set([store().head.seqno]));
      await result('getMasterchainInfo');
      expect(timesAsked('getBlockHeader')).toBe(before + 1);
    });
  });

  describe('getConsensusBlock', () => {
    it('returns the head and the time without a query', async () => {
      const { body } = await context.call('getConsensusBlock', {}, 'get');
      expect(body.result).toEqual({
        '@type': 'ext.blocks.consensusBlock',
        consensus_block: store().head.seqno,
        timestamp: expect.closeTo(Date.now() / 1000, -2),
      });
      expect(body.result.timestamp).toSatisfy(Number.isInteger);
      expect(body['@extra']).toMatch(/^\d+:_:/);
    });
  });

  describe('getShards', () => {
    it('lists the shards from left to right at every block and under both names', async () => {
      const newest = await result('getShards', { seqno: store().head.seqno });
      expect(newest.shards.map(({ shard }: { shard: string }) => shard)).toEqual(QUARTERS);
      for (let seqno = 1; seqno <= store().head.seqno; seqno++) {
        const shards = tops(masterchainBlock(seqno)).map(blockJson);
        expect(await result('shards', { seqno })).toEqual({ '@type': 'blocks.shards', shards });
      }
    });
  });

  describe('getBlockHeader', () => {
    it('returns headers of masterchain blocks and of shard blocks before and after a split', async () => {
      const all = Array.from({ length: store().head.seqno }, (_, i) => masterchainBlock(i + 1));
      const halves = all.flatMap(tops).filter((id) => id.seqno > 0 && parsed(id).info.afterSplit);
      expect(halves.length).toBeGreaterThan(0);
      for (const id of [all[0]!, all.at(-1)!, ...halves.slice(-2), ...tops(all.at(-1)!)]) {
        const { workchain, shard, seqno, rootHash, fileHash } = id;
        const place = { workchain, shard: String(shard), seqno };
        const { info, previous } = parsed(id);
        const header = await result('getBlockHeader', place);
        expect(header).toMatchObject({
          '@type': 'blocks.header',
          id: blockJson(id),
          after_split: info.afterSplit,
          is_key_block: info.keyBlock,
          validator_list_hash_short: info.genValidatorListHashShort | 0,
          prev_key_block_seqno: workchain === MASTERCHAIN ? info.prevKeyBlockSeqno : 0,
          start_lt: String(info.startLt),
          end_lt: String(info.endLt),
          gen_utime: info.genUtime,
          prev_blocks: previous.map(blockJson),
        });
        const hashes = { root_hash: rootHash.toString('hex'), file_hash: fileHash.toString('base64url') };
        expect(await result('getBlockHeader', { ...place, ...hashes })).toEqual(header);
      }
    });

    it('ignores a single hash and fails for wrong hashes', async () => {
      const { workchain, seqno, rootHash } = store().head;
      const place = { workchain, shard: SHARD, seqno };
      const root_hash = rootHash.toString('base64');
      const wrong = Buffer.alloc(32, 1).toString('base64');
      expect((await result('getBlockHeader', { ...place, root_hash: wrong })).id).toEqual(
        blockJson(store().head),
      );
      expect(await refusal('getBlockHeader', { ...place, root_hash, file_hash: wrong })).toBe(
        '500 LITE_SERVER_NOTREADY: block handle not in db',
      );
    });
  });

  describe('lookupBlock', () => {
    const look = (params: object) => result('lookupBlock', params);

    it('finds every masterchain block by seqno, logical time and time', async () => {
      // The chain continues meanwhile, and the pool is slightly behind it.
      const { last } = await result('getMasterchainInfo');
      const firstTime = parsed(masterchainBlock(1)).info.genUtime;
      for (let seqno = 2; seqno <= last.seqno; seqno++) {
        const id = masterchainBlock(seqno);
        const { endLt, genUtime } = parsed(id).info;
        const chain = { workchain: MASTERCHAIN, shard: SHARD };
        expect(await look({ ...chain, seqno })).toEqual(blockJson(id));
        expect(await look({ ...chain, lt: String(endLt) })).toEqual(blockJson(id));
        // No block before the first one can prove that it is the first of its second.
        if (genUtime > firstTime)
          expect((await look({ ...chain, unixtime: genUtime })).seqno).toBeLessThanOrEqual(seqno);
      }
    });

    it('finds blocks by a smaller or larger shard around them', async () => {
      const [left, , right] = tops(store().head);
      const around = { workchain: 0, seqno: left!.seqno };
      for (const shard of ['0', '1', '2305843009213693952', '0x1234567890abcdef', '0x2000000000000000'])
        expect(await look({ ...around, shard }), shard).toEqual(blockJson(left!));
      expect(await look({ ...around, seqno: right!.seqno, shard: SHARD })).toEqual(blockJson(right!));
      const anywhere = { workchain: MASTERCHAIN, seqno: store().head.seqno };
      for (const shard of ['0', '-1', '4611686018427387904'])
        expect(await look({ ...anywhere, shard }), shard).toEqual(blockJson(store().head));
    });

    it.each([
      [{ workchain: MASTERCHAIN, seqno: 2 ** 31 - 1 }, 'seqno=2147483647: ltdb: block not found (last known'],
      [
        { workchain: MASTERCHAIN, unixtime: 2 ** 31 - 1 },
        'utime=2147483647: ltdb: block not found (last known',
      ],
      [
        { workchain: MASTERCHAIN, lt: String(2n ** 63n - 1n) },
        'lt=9223372036854775807: ltdb: block not found',
      ],
      [{ workchain: 7, seqno: 5 }, 'seqno=5: seqno not in db'],
      [{ workchain: -(2 ** 31), seqno: 5 }, 'seqno=5: seqno not in db'],
      [
        { workchain: 0, shard: '0', seqno: 99_999_999 },
        'seqno=99999999: ltdb: block not found (possibly out of sync',
      ],
    ])('returns the error of the lite server for %o', async (params, text) => {
      const said = await refusal('lookupBlock', { shard: SHARD, ...params });
      expect(said).toMatch(/^500 LITE_SERVER_NOTREADY: cannot find block /);
      expect(said).toContain(text);
    });

    it('fails for a time before the first block', async () => {
      const params = { workchain: MASTERCHAIN, shard: SHARD, lt: 0 };
      expect(await refusal('lookupBlock', params)).toBe('500 LITE_SERVER_NOTREADY: not in db');
    });
  });

  describe('getOutMsgQueueSize', () => {
    it.each(['getOutMsgQueueSize', 'getOutMsgQueueSizes'])('lists all queues as %s', async (method) => {
      const { head } = store();
      const { shards, ...rest } = await result(method);
      expect(rest).toEqual({ '@type': 'blocks.outMsgQueueSizes', ext_msg_queue_size_limit: 8000 });
      expect(shards).toEqual(
        [head, ...tops(head)].map((id) => ({
          '@type': 'blocks.outMsgQueueSize',
          id: blockJson(id),
          size: 0,
        })),
      );
    });
  });

  describe('results about blocks', () => {
    const isForEver = async (method: string, query: Record<string, string>) => {
      const { headers } = await context.app.inject({ method: 'GET', url: `/api/v2/${method}`, query });
      return headers.etag !== undefined;
    };

    it('are immutable for a block given by seqno or far behind the head', async () => {
      const chain = { workchain: '-1', shard: SHARD };
      const seqno = String(store().head.seqno);
      const { endLt, genUtime } = parsed(store().head).info;
      const [byLt, byTime] = [{ lt: String(endLt) }, { unixtime: String(genUtime) }];
      for (const method of ['getShards', 'getMasterchainBlockSignatures'])
        expect(await isForEver(method, { seqno }), method).toBe(true);
      for (const method of ['lookupBlock', 'getBlockHeader'])
        expect(await isForEver(method, { ...chain, seqno }), method).toBe(true);
      expect(await isForEver('getShardBlockProof', { ...chain, seqno })).toBe(false);
      expect(await isForEver('getShardBlockProof', { ...chain, seqno, from_seqno: seqno })).toBe(true);
      expect(await isForEver('lookupBlock', { ...chain, ...byLt })).toBe(false);
      expect(await isForEver('lookupBlock', { ...chain, ...byTime })).toBe(false);
      await context.running.localnet.advance(10);
      await mine(33);
      expect(await isForEver('lookupBlock', { ...chain, ...byLt })).toBe(true);
      expect(await isForEver('lookupBlock', { ...chain, ...byTime })).toBe(true);
      expect(await isForEver('lookupBlock', { ...chain, ...byLt, workchain: '0' })).toBe(true);
    });
  });

  it('distrust no lite server after all these requests', () => {
    expect(context.pool.servers()).toMatchObject([{ state: 'live', wrongResponses: 0 }]);
  });
});

describe('block operations without a live lite server', () => {
  it('fail with the error of the contract', async () => {
    const zeroState = {
      workchain: -1,
      shard: WHOLE_SHARD,
      seqno: 0,
      rootHash: Buffer.alloc(32),
      fileHash: Buffer.alloc(32),
    };
    const config = {
      liteServers: [{ index: 0, host: '127.0.0.1', port: 1, publicKey: Buffer.alloc(32, 1) }],
      zeroState,
      initBlock: zeroState,
      hardforks: [],
    };
    const pool = createPool({
      config,
      connect: createConnection,
      log: createQuietLog(),
      timing: { startMs: 10 },
    });
    const app = await createTestApp({ ports: { pool: () => pool } });
    expect(await callV2(app, 'get', 'getConsensusBlock', {})).toMatchObject({
      status: 500,
      body: { ok: false, code: 500, error: 'no workers alive' },
    });
    expect(await callV2(app, 'get', 'getMasterchainInfo', {})).toMatchObject({
      status: 542,
      body: { ok: false, error: 'no workers available (archival=0 mode=Single)' },
    });
    await app.close();
    await pool.close();
  });
});

const RECORDED_SHARD = '-9223372036854775808';
const RIGHT = '-4611686018427387904';

/** Not covered by the comparison with recorded responses: the recording ends at another block. */
describe.skipIf(missingNetwork !== '')(`block operations on a recorded network${missingNetwork}`, () => {
  let context: V2TestApp;
  beforeAll(async () => {
    context = await openReplayApp();
  });
  afterAll(() => context.close());

  async function result(method: string, params: Readonly<Record<string, unknown>> = {}) {
    const { status, body } = await context.call(method, params);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.result;
  }

  it('getMasterchainInfo returns the last recorded block', async () => {
    expect(await result('getMasterchainInfo')).toMatchObject({
      last: { seqno: 125, root_hash: 'MTcA48l1fj0/BCIuyBvreqkZdx9Qyn9rOcpHVyW7jqI=' },
      state_root_hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      init: { shard: '0', seqno: 0, root_hash: 'E0DFXShrXxb8JVKimMa9k6FtEopUQQk8JuGudy8TuUE=' },
    });
    expect((await result('getConsensusBlock')).consensus_block).toBe(125);
  });

  it('getOutMsgQueueSize returns empty queues', async () => {
    const { shards, ext_msg_queue_size_limit: limit } = await result('getOutMsgQueueSize');
    expect(shards.map(({ id, size }: { id: { shard: string }; size: number }) => [id.shard, size])).toEqual([
      [RECORDED_SHARD, 0],
      ['4611686018427387904', 0],
      [RIGHT, 0],
    ]);
    expect(limit).toBe(8000);
  });

  it('lookupBlock finds blocks by a larger shard', async () => {
    const found = await result('lookupBlock', { workchain: 0, shard: RECORDED_SHARD, seqno: 67 });
    expect(found).toMatchObject({ shard: RIGHT, root_hash: 'p1vLyUlObBoHcZv/Pp0S8omZEhTSFz/Oq6n3AppIFAc=' });
  });

  it('getBlockHeader returns signed 32-bit numbers', async () => {
    const header = await result('getBlockHeader', { workchain: 0, shard: '4611686018427387904', seqno: 23 });
    expect(header.validator_list_hash_short).toBe(-998941288);
  });
});

const VALIDATOR = testValidator('anna', 10n);
const write = compileSerializer(BlockSignatures);

describe('blockSignatures', () => {
  it.each(['ordinary', 'simplex'] as const)('writes the signatures of the consensus protocol: %s', (form) => {
    const chain = createSignedChain([VALIDATOR], { form });
    const block = chain.addBlock();
    const [step] = chain.proof(chain.zeroState, block).steps;
    if (step?.kind !== 'forward') throw new Error('the chain goes forward');
    const set = step.signatures;
    const [{ nodeIdShort, signature }] = set.signatures as [(typeof set.signatures)[0]];
    const shared = {
      id: blockJson(block),
      signatures: [
        {
          '@type': 'blocks.signature',
          node_id_short: nodeIdShort.toString('base64'),
          signature: signature.toString('base64'),
        },
      ],
    };
    expect(JSON.parse(write(blockSignatures(block, set)))).toEqual(
      set.kind === 'ordinary'
        ? { '@type': 'blocks.blockSignatures', ...shared }
        : {
            '@type': 'blocks.blockSignatures.simplex',
            ...shared,
            session_id: set.sessionId.toString('base64'),
            slot: set.slot,
            candidate: set.candidate.toString('base64'),
          },
    );
  });
});
