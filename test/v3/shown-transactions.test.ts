import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropPartitionsBefore } from '../../src/index/partitions.ts';
import { formatAccount } from '../../src/v3/values.ts';
import type { TestDatabase } from '../support/database.ts';
import { MadeChain, type MadeTransaction } from '../support/made-chain.ts';
import { seqnosOf, storeSeqnos } from '../support/store-transactions.ts';
import { borderAccount, openEmptyBorderedIndex, WIDTH } from './support/bordered-index.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';

const SEQNOS = 40;
const MIDDLE = 21;
/** Where a partition begins. */
const BORDER = 2 * WIDTH;
const [SENDER, RECEIVER] = [borderAccount('one'), borderAccount('two')];
const chain = makeChain();

/** In each seqno one account receives an external message and sends another, which arrives in the next seqno. */
function makeChain(): MadeTransaction[] {
  const made = new MadeChain();
  const before = { balance: 1n };
  const transactions: MadeTransaction[] = [];
  for (let mcSeqno = 1; mcSeqno < SEQNOS; mcSeqno++) {
    const [lt, now] = [BigInt(mcSeqno) * 1000n, 1_700_000_000 + mcSeqno];
    const external = made.external({ to: SENDER, body: { bytes: Buffer.from(`${mcSeqno}`) } });
    const sent = made.internal({ from: SENDER, to: RECEIVER, lt: lt + 1n, at: now, value: 1n, body: {} });
    const of = (account: Buffer, later: number) => ({
      account,
      lt: lt + BigInt(later) * 1010n,
      now: now + later,
      mcSeqno: mcSeqno + later,
      ...(mcSeqno === 1 ? { before } : { previous: { lt: lt + BigInt(later) * 1010n - 1000n } }),
      after: { balance: BigInt(mcSeqno) },
    });
    transactions.push(made.transaction({ ...of(SENDER, 0), in: external, out: [sent] }));
    transactions.push(made.transaction({ ...of(RECEIVER, 1), in: sent }));
  }
  return transactions;
}

let test: TestDatabase;
let app: FastifyInstance;
/** Pages that were read. */
let bodiesRead = 0;

const LISTS = [
  `transactions?account=${encodeURIComponent(formatAccount(SENDER))}&limit=100`,
  'transactions?limit=200&sort=asc',
  `traces?limit=50`,
  `transactions?lt=${MIDDLE}010`,
  `transactions?hash=${inUrl(chain.at(-1)!.hash)}`,
  // One is received where the index begins at first: its trace changes when the sender is indexed.
  ...[2, BORDER, MIDDLE, SEQNOS].flatMap((seqno) => {
    const { sender, receiver } = ofReceiver(seqno);
    const { hash, transaction } = receiver;
    const { hash: inHash } = transaction.inMessage!;
    return [
      `traces?tx_hash=${inUrl(hash)}`,
      `traces?msg_hash=${inUrl(inHash)}`,
      `traces?msg_hash=${inUrl(inHash)}&include_actions=true&include_metadata=false`,
      `traces?trace_id=${inUrl(hash)}`,
      `traces?trace_id=${inUrl(sender.hash)}`,
    ];
  }),
];

/** The trace of the message that is received in a seqno. */
function ofReceiver(seqno: number) {
  const at = chain.findIndex(({ account, mcSeqno }) => mcSeqno === seqno && account.equals(RECEIVER));
  return { sender: chain[at - 1]!, receiver: chain[at]! };
}

function inUrl(hash: Buffer): string {
  return encodeURIComponent(hash.toString('base64'));
}

/** The hashes of the transactions of a response. */
function shownHashes(body: string): string[] {
  const { transactions = [], traces = [] } = JSON.parse(body);
  return [
    ...transactions.map(({ hash }: { hash: string }) => hash),
    ...traces.flatMap((trace: { transactions_order: string[] }) => trace.transactions_order),
  ];
}

async function responses(from: FastifyInstance): Promise<string[]> {
  const found: string[] = [];
  for (const path of LISTS) {
    const { statusCode, body } = await from.inject(`/api/v3/${path}`);
    expect(statusCode, body).toBe(200);
    found.push(body);
  }
  return found;
}

/** What a server responds that has just been started. */
async function freshResponses(): Promise<string[]> {
  const fresh = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  const found = await responses(fresh);
  await fresh.close();
  return found;
}

beforeAll(async () => {
  test = await openEmptyBorderedIndex();
  const { database } = test;
  const read: typeof database.read = (work) =>
    database.read((db) =>
      work(
        db.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            bodiesRead += result.rows.filter((row) => 'traces' in row && 'body' in row).length;
            return result;
          },
        }),
      ),
    );
  app = await buildV3App({ ports: { ...NO_INDEX, database: { ...database, read } } });
  await storeSeqnos(test, seqnosOf(chain, { first: MIDDLE, last: SEQNOS }));
});

afterAll(async () => {
  await app.close();
  await test.drop();
});

describe('transactions and traces that were shown before', () => {
  it('are shown again without reading their pages', async () => {
    const first = await responses(app);
    const read = bodiesRead;
    expect(await responses(app)).toEqual(first);
    // The state before the first transaction of an account may become known later.
    expect(bodiesRead - read).toBeLessThan(read);
    expect(await freshResponses()).toEqual(first);
  });

  it('get the traces and states that earlier blocks show', async () => {
    const before = await responses(app);
    await storeSeqnos(test, seqnosOf(chain, { first: 1, last: MIDDLE - 1 }));
    const after = await responses(app);
    expect(after).toEqual(await freshResponses());
    expect(after[3]).not.toEqual(before[3]);
    const read = bodiesRead;
    expect(await responses(app)).toEqual(after);
    expect(bodiesRead).toBe(read);
  });

  it('have the same tags as when they were shown first', async () => {
    const fresh = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
    for (const path of LISTS) {
      const tags = [];
      for (const from of [fresh, fresh, app]) tags.push((await from.inject(`/api/v3/${path}`)).headers.etag);
      expect(tags[0]).toMatch(/^W\/"/);
      expect(tags).toEqual([tags[0], tags[0], tags[0]]);
    }
    await fresh.close();
  });

  it('are read again when blocks were taken back', async () => {
    const shown = await responses(app);
    const read = bodiesRead;
    await sql`update index_origin set history_id = gen_random_uuid()`.execute(test.database.primary);
    expect(await responses(app)).toEqual(shown);
    expect(bodiesRead).toBeGreaterThan(read);
  });

  it('are gone with their pages', async () => {
    await responses(app);
    await dropPartitionsBefore(test.database.primary, { seqno: BORDER, width: WIDTH });
    const left = (await responses(app)).map(shownHashes);
    expect(left).toEqual((await freshResponses()).map(shownHashes));
    const { sender, receiver } = ofReceiver(BORDER);
    const crossing = LISTS.indexOf(`traces?trace_id=${inUrl(sender.hash)}`);
    expect(left[crossing]).toEqual([receiver.hash.toString('base64')]);
  });
});
