import { Address, beginCell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { MadeChain, type MadeTransaction } from '../support/made-chain.ts';
import { seqnosOf, storeSeqnos } from '../support/store-transactions.ts';
import { borderAccount, openEmptyBorderedIndex } from './support/bordered-index.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { stateOf } from './support/made-rows.ts';

const SEQNOS = 40;
const MIDDLE = 21;
const [OWNER, WALLET, JETTON] = ['owner', 'wallet', 'jetton'].map(borderAccount) as [Buffer, Buffer, Buffer];
const chain = makeChain();

/** In each seqno an owner receives an external message and requests a transfer, which its wallet receives in the next one. */
function makeChain(): MadeTransaction[] {
  const made = new MadeChain();
  const transactions: MadeTransaction[] = [];
  for (let mcSeqno = 1; mcSeqno < SEQNOS; mcSeqno++) {
    const [lt, now] = [BigInt(mcSeqno) * 1000n, 1_700_000_000 + mcSeqno];
    const external = made.external({ to: OWNER, body: { bytes: Buffer.from(`${mcSeqno}`) } });
    const request = { from: OWNER, to: WALLET, lt: lt + 1n, at: now, value: 1n };
    const sent = made.internal({ ...request, body: transferBody(lt) });
    const of = (account: Buffer, later: number) => ({
      account,
      lt: lt + BigInt(later) * 1010n,
      now: now + later,
      mcSeqno: mcSeqno + later,
    });
    transactions.push(made.transaction({ ...of(OWNER, 0), in: external, out: [sent] }));
    transactions.push(made.transaction({ ...of(WALLET, 1), in: sent }));
  }
  return transactions;
}

function transferBody(amount: bigint): Buffer {
  const to = new Address(0, OWNER.subarray(1));
  const body = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).storeCoins(amount).storeAddress(to);
  const comment = beginCell().storeUint(0, 32).storeStringTail('<b>&').endCell();
  return body.storeAddress(to).storeBit(0).storeCoins(0).storeBit(1).storeRef(comment).endCell().toBoc();
}

let test: TestDatabase;
let app: FastifyInstance;
/** Pages that were read. */
let bodiesRead = 0;

const LISTS = [
  'messages?limit=200',
  'messages?limit=200&direction=in&sort=asc',
  'messages?limit=200&direction=out',
  'messages?limit=10&offset=3&opcode=0x0f8a7ea5',
  'jetton/transfers?limit=200',
  'jetton/transfers?limit=10&offset=2&sort=asc',
  // The first one, one that is received where the index begins, and one that is received where it ends.
  ...[1, MIDDLE - 1, SEQNOS - 1].flatMap((seqno) =>
    ['', '&direction=in', '&direction=out', '&opcode=0x0f8a7ea5', '&opcode=1'].map(
      (filter) => `messages?msg_hash=${sentAt(seqno)}${filter}`,
    ),
  ),
];

/** The hash of the request that is sent in a seqno. */
function sentAt(seqno: number): string {
  const { transaction } = chain.find((one) => one.mcSeqno === seqno && one.account.equals(OWNER))!;
  return encodeURIComponent(transaction.outMessages[0]!.hash.toString('base64'));
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
  await database.primary
    .insertInto('jetton_wallets')
    .values({
      ...stateOf('wallet', 1),
      account: WALLET,
      jetton: JETTON,
      owner: OWNER,
      balance: 0,
      mintless_is_claimed: null,
    })
    .execute();
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
  // The last transfer is requested, but not received yet.
  await storeSeqnos(test, seqnosOf(chain, { first: MIDDLE, last: SEQNOS - 1 }));
});

afterAll(async () => {
  await app?.close();
  await test?.drop();
});

describe('messages and transfers that were shown before', () => {
  it('are shown again without reading their pages', async () => {
    const first = await responses(app);
    const read = bodiesRead;
    expect(read).toBeGreaterThan(0);
    expect(await responses(app)).toEqual(first);
    // Only the message that was not received yet is read again.
    expect(bodiesRead - read).toBeLessThan(read);
    expect(await freshResponses()).toEqual(first);
  });

  it('are escaped as the reference server escapes them, each time', async () => {
    for (const bodies of [await freshResponses(), await responses(app)]) {
      for (const body of bodies) expect(body).not.toMatch(/[<>&]/);
      for (const body of [bodies[0], bodies[4]]) expect(body).toContain(String.raw`\u003cb\u003e\u0026`);
    }
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

  it('come with the metadata of their response', async () => {
    const before = await responses(app);
    await test.database.primary.updateTable('jetton_wallets').set({ balance: 123_456_789 }).execute();
    const after = await responses(app);
    expect(after).toEqual(await freshResponses());
    expect(before[4]).not.toContain('123456789');
    expect(after[4]).toContain('123456789');
  });

  it('get the receiver that is indexed later', async () => {
    const before = await responses(app);
    await storeSeqnos(test, seqnosOf(chain, { first: SEQNOS, last: SEQNOS }));
    const after = await responses(app);
    expect(after).toEqual(await freshResponses());
    const receivers = (body: string) => body.split('"in_msg_tx_hash"').length;
    expect(receivers(after[0]!)).toBe(receivers(before[0]!) + 1);
  });

  it('get the senders and trace ids that earlier blocks show', async () => {
    const before = await responses(app);
    const traceOf = (body: string) => JSON.parse(body).jetton_transfers.at(-1).trace_id;
    await storeSeqnos(test, seqnosOf(chain, { first: 1, last: MIDDLE - 1 }));
    const after = await responses(app);
    expect(after).toEqual(await freshResponses());
    const oldest = JSON.parse(before[4]!).jetton_transfers.at(-1);
    const same = JSON.parse(after[4]!).jetton_transfers.find(
      (one: { transaction_hash: string }) => one.transaction_hash === oldest.transaction_hash,
    );
    expect(same.trace_id).not.toBe(traceOf(before[4]!));
    const read = bodiesRead;
    expect(await responses(app)).toEqual(after);
    expect(bodiesRead).toBe(read);
  });

  it('are read again when blocks were taken back', async () => {
    const shown = await responses(app);
    const read = bodiesRead;
    await sql`update index_origin set history_id = gen_random_uuid()`.execute(test.database.primary);
    expect(await responses(app)).toEqual(shown);
    expect(bodiesRead).toBeGreaterThan(read);
  });
});
