import type { ClientBase } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventFacts } from '../../src/indexer/decode/read-event.ts';
import { settleWaiting, writeEvents } from '../../src/indexer/token-events.ts';
import { WriteStatsRecorder } from '../../src/indexer/write/copy-in.ts';
import { rowsOf } from './support/index-tables.ts';
import {
  accountOf,
  countRows,
  dropMissing,
  type EventTestContext,
  eventOf,
  openEventTestContext,
  putItem,
  putMissing,
  putWallet,
} from './support/token-events.ts';

let context: EventTestContext;
beforeAll(async () => {
  context = await openEventTestContext();
});
afterAll(() => context?.close());
beforeEach(() => context.begin());

/** Writes events in a separate transaction; returns the number of rows sent. */
async function write(events: readonly EventFacts[], detected: readonly Buffer[] = []): Promise<number> {
  const { client, commit } = await context.open();
  const book = new WriteStatsRecorder();
  await writeEvents(client, events, { detected }, book);
  await commit();
  return book.result().rows;
}

const KINDS = ['jetton_transfer', 'jetton_burn', 'nft_transfer'] as const;
const hex = (name: string): string => accountOf(name).toString('hex');
const rowsIn = (table: string) => rowsOf(context.db, `select * from ${table} order by account, lt`);

/** Columns of every row, from the event of `eventOf`. */
const common = (account: string, mcSeqno: number) => ({
  account: hex(account),
  lt: `${mcSeqno}00`,
  mc_seqno: mcSeqno,
  now: `${1_700_000_000 + mcSeqno}`,
  aborted: false,
  query_id: `${2n ** 64n - 1n}`,
  response_destination: hex('answer'),
  custom_payload: Buffer.from('custom').toString('hex'),
});
const forwarded = { forward_payload: Buffer.from('forward').toString('hex') };
const EXPECTED = {
  jetton_transfers: (account: string, mcSeqno: number) => ({
    ...common(account, mcSeqno),
    ...forwarded,
    jetton: hex('jetton'),
    amount: `${2n ** 119n}`,
    source: hex('owner'),
    destination: hex('receiver'),
    forward_ton_amount: '5',
  }),
  jetton_burns: (account: string, mcSeqno: number) => ({
    ...common(account, mcSeqno),
    jetton: hex('jetton'),
    amount: `${2n ** 119n}`,
    owner: hex('owner'),
  }),
  nft_transfers: (account: string, mcSeqno: number) => ({
    ...common(account, mcSeqno),
    ...forwarded,
    collection: hex('collection'),
    index: `${2n ** 255n}`,
    old_owner: hex('owner'),
    new_owner: hex('receiver'),
    forward_amount: '5',
  }),
};

describe('events of detected accounts', () => {
  it('become rows', async () => {
    await putWallet(context.db, 'wallet');
    await putItem(context.db, 'item');
    const events = [
      eventOf('jetton_transfer', 'wallet', 7),
      eventOf('jetton_burn', 'wallet', 8),
      eventOf('nft_transfer', 'item', 20),
    ];
    expect(await write(events, [accountOf('wallet'), accountOf('item')])).toBe(3);
    expect(await rowsIn('jetton_transfers')).toEqual([EXPECTED.jetton_transfers('wallet', 7)]);
    expect(await rowsIn('jetton_burns')).toEqual([EXPECTED.jetton_burns('wallet', 8)]);
    expect(await rowsIn('nft_transfers')).toEqual([EXPECTED.nft_transfers('item', 20)]);
    expect(await rowsIn('waiting_events')).toEqual([]);
  });

  it('may lack optional fields', async () => {
    await putWallet(context.db, 'wallet');
    await putItem(context.db, 'item', false);
    const nothing = { destination: undefined, responseDestination: undefined, customPayload: undefined };
    const less = { ...nothing, forwardPayload: undefined, aborted: true };
    await write([
      ...KINDS.slice(0, 2).map((kind) => eventOf(kind, 'wallet', 7, less)),
      eventOf('nft_transfer', 'item', 7, less),
    ]);
    const none = { response_destination: null, custom_payload: null, aborted: true };
    const [transfer] = await rowsIn('jetton_transfers');
    expect(transfer).toMatchObject({ ...none, destination: null, forward_payload: null });
    expect(await rowsIn('jetton_burns')).toMatchObject([none]);
    const [item] = await rowsIn('nft_transfers');
    expect(item).toMatchObject({ ...none, new_owner: null, forward_payload: null, collection: null });
  });

  it('are dropped if the account is not a token', async () => {
    await putWallet(context.db, 'wallet');
    await putItem(context.db, 'item');
    const events = [
      ...KINDS.map((kind, i) => eventOf(kind, 'stranger', 10 + i)),
      eventOf('nft_transfer', 'wallet', 20),
      eventOf('jetton_transfer', 'item', 21),
      eventOf('jetton_burn', 'item', 22),
    ];
    expect(await write(events)).toBe(0);
    expect(await countRows(context.db)).toEqual({});
  });

  it('become rows although a newer state is undetected', async () => {
    await putWallet(context.db, 'wallet');
    await putMissing(context.db, 'wallet');
    await write([eventOf('jetton_transfer', 'wallet', 7), eventOf('nft_transfer', 'wallet', 8)]);
    expect(await countRows(context.db)).toEqual({ jetton_transfers: 1, waiting_events: 1 });
  });

  it('cost no query without events', async () => {
    const query = () => {
      throw new Error('a query');
    };
    await writeEvents({ query } as unknown as ClientBase, [], { detected: [] }, new WriteStatsRecorder());
  });
});

describe('events of undetected accounts', () => {
  const names = ['first', 'second', 'third'];
  /** Three events of each account. */
  const wait = async () => {
    await putMissing(context.db, ...names, 'other');
    const events = [...names, 'other'].flatMap((name) => KINDS.map((kind, i) => eventOf(kind, name, 11 + i)));
    expect(await write(events)).toBe(12);
    expect(await countRows(context.db)).toEqual({ waiting_events: 12 });
  };

  it('become rows or are dropped when the account is detected', async () => {
    await wait();
    await putWallet(context.db, 'first');
    await putItem(context.db, 'second');
    for (const name of names) await dropMissing(context.db, name);
    // The other account has no detected state.
    expect(await write([], [...names, 'other', 'nobody'].map(accountOf))).toBe(3);
    expect(await rowsIn('jetton_transfers')).toEqual([EXPECTED.jetton_transfers('first', 11)]);
    expect(await rowsIn('jetton_burns')).toEqual([EXPECTED.jetton_burns('first', 12)]);
    expect(await rowsIn('nft_transfers')).toEqual([EXPECTED.nft_transfers('second', 13)]);
    const waiting = await rowsOf(context.db, 'select distinct account from waiting_events');
    expect(waiting).toEqual([{ account: hex('other') }]);
  });

  it('become rows if the account is detected and a newer state is not', async () => {
    await wait();
    await putWallet(context.db, 'first');
    await write([], [accountOf('first')]);
    expect(await countRows(context.db)).toEqual({ jetton_transfers: 1, jetton_burns: 1, waiting_events: 10 });
  });

  it('are settled in a Kysely transaction too', async () => {
    await wait();
    const made = await context.db.transaction().execute(async (trx) => {
      await putItem(trx, 'first', false);
      await dropMissing(trx, 'first');
      return settleWaiting(trx, [accountOf('first')]);
    });
    expect(made).toBe(1);
    expect(await rowsIn('nft_transfers')).toMatchObject([{ account: hex('first'), collection: null }]);
    expect(await countRows(context.db)).toEqual({ nft_transfers: 1, waiting_events: 9 });
  });

  it('stay waiting if settling fails', async () => {
    await wait();
    const failed = context.db.transaction().execute(async (trx) => {
      await putWallet(trx, 'first');
      await settleWaiting(trx, [accountOf('first')]);
      throw new Error('on purpose');
    });
    await expect(failed).rejects.toThrow('on purpose');
    expect(await countRows(context.db)).toEqual({ waiting_events: 12 });
  });
});
