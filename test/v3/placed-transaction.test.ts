import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProtocolDecoder } from '../../src/actions/layouts.ts';
import { readUnindexed } from '../../src/chain/placed-transaction.ts';
import { compileSerializer } from '../../src/http/serializer.ts';
import type { RunningLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { createDecodedBodies } from '../../src/v3/decoded-bodies.ts';
import { toUnindexedTransaction, transactionSchema } from '../../src/v3/transaction-json.ts';
import { transactionsOf } from '../localnet/support/demo-localnet.ts';
import type { TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo, startDemoChain } from './support/indexed-demo.ts';

let test: TestDatabase;
let app: FastifyInstance;
let chain: RunningLocalnet;
// biome-ignore lint/suspicious/noExplicitAny: a parsed response
let shown: Map<string, any>;
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  chain = await startDemoChain();
  const { transactions } = (await app.inject({ url: '/api/v3/transactions?limit=1000' })).json();
  shown = new Map(transactions.map((one: { hash: string }) => [one.hash, one]));
});
afterAll(async () => {
  await app?.close();
  await chain?.stop();
  await test?.drop();
});

const EXTERNAL = Buffer.alloc(32, 5);
const STATE = { balance: null, extra_currencies: null, account_status: null };
const UNKNOWN = { ...STATE, frozen_hash: null, data_hash: null, code_hash: null };

describe('a transaction parsed from cells', () => {
  it('matches its row in the index, except for what only the index knows', () => {
    const serialize = compileSerializer(transactionSchema);
    const bodies = createDecodedBodies(createProtocolDecoder());
    let seen = 0;
    for (const [address, list] of transactionsOf(chain.localnet.store)) {
      for (const { raw } of list) {
        const indexed = shown.get(raw.hash().toString('base64'));
        if (indexed === undefined) continue;
        const { trace_id, account_state_before, account_state_after, ...same } = indexed;
        const workchain = Number(address.split(':')[0]);
        const { block_ref, mc_block_seqno: mcSeqno } = indexed;
        const block = {
          shard: BigInt.asIntN(64, BigInt(`0x${block_ref.shard}`)),
          seqno: block_ref.seqno,
        };
        const placed = readUnindexed(
          { workchain, boc: raw.toBoc(), mcSeqno, block, traceId: Buffer.from(trace_id, 'base64') },
          12,
        );
        const standing = { externalHash: EXTERNAL, emulated: false, finality: 'confirmed' } as const;
        const read = (hasTraceId: boolean) =>
          JSON.parse(serialize(toUnindexedTransaction(placed, { ...standing, hasTraceId }, bodies)));
        const expected = {
          ...same,
          trace_external_hash: EXTERNAL.toString('base64'),
          description: { is_tock: false, installed: false, ...same.description },
          account_state_before: { hash: account_state_before.hash, ...UNKNOWN },
          account_state_after: { hash: account_state_after.hash, ...UNKNOWN },
          finality: 'confirmed',
        };
        expect(read(true)).toEqual({ ...expected, trace_id });
        expect(read(false)).toEqual(expected);
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(shown.size * 0.9);
  });

  it('has a placeholder block if it is predicted', () => {
    const { raw } = [...transactionsOf(chain.localnet.store).values()][0]![0]!;
    const placed = readUnindexed(
      { workchain: -1, boc: raw.toBoc(), mcSeqno: 7, block: undefined, traceId: raw.hash() },
      12,
    );
    expect([placed.mcSeqno, placed.block]).toEqual([7, { seqno: 0, shard: -(2n ** 63n) }]);
  });
});
