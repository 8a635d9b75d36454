import type { ClientBase } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountPrefix, pageNumber, positionOf } from '../../../src/index/format/position.ts';
import { WriteStatsRecorder } from '../../../src/index/write/copy-in.ts';
import { settleWaiting, type TokenEvent, writeEvents } from '../../../src/index/write/token-events.ts';
import { rowsOf } from '../../ingest/support/index-tables.ts';
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
} from '../../ingest/support/token-events.ts';

let context: EventTestContext;
beforeAll(async () => {
  context = await openEventTestContext();
});
afterAll(() => context?.close());
beforeEach(() => context.begin());

/** Writes events in a separate transaction; returns the number of rows sent. */
async function write(events: readonly TokenEvent[], detected: readonly Buffer[] = []): Promise<number> {
  const { client, commit } = await context.open();
  const book = new WriteStatsRecorder();
  await writeEvents(client, events, { detected }, book);
  await commit();
  return book.result().rows;
}

const KINDS = ['jetton_transfer', 'jetton_burn', 'nft_transfer'] as const;
const hex = (name: string): string => accountOf(name).toString('hex');
const rowsIn = (table: string) => rowsOf(context.db, `select * from ${table} order by lt`);

const prefix = (name: string): string => String(accountPrefix(accountOf(name)));

/** The row of an event of `eventOf`. */
const common = (account: string, mcSeqno: number) => ({
  acc8: prefix(account),
  lt: `${mcSeqno}00`,
  now: `${1_700_000_000 + mcSeqno}`,
  at: String(positionOf(pageNumber(mcSeqno, 1), 3)),
  src8: prefix('owner'),
  mc_seqno: mcSeqno,
  aborted: false,
});
const jetton = { token8: prefix('jetton'), jetton: hex('jetton') };
const EXPECTED = {
  jetton_transfers: (account: string, mcSeqno: number) => ({
    ...common(account, mcSeqno),
    ...jetton,
    dst8: prefix('receiver'),
  }),
  jetton_burns: (account: string, mcSeqno: number) => ({ ...common(account, mcSeqno), ...jetton }),
  nft_transfers: (account: string, mcSeqno: number) => ({
    ...common(account, mcSeqno),
    dst8: prefix('receiver'),
    token8: prefix('collection'),
    collection: hex('collection'),
    index: `${2n ** 255n}`,
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
    const less = { dst8: undefined, aborted: true };
    await write([
      ...KINDS.slice(0, 2).map((kind) => eventOf(kind, 'wallet', 7, less)),
      eventOf('nft_transfer', 'item', 7, less),
    ]);
    expect(await rowsIn('jetton_transfers')).toMatchObject([{ dst8: null, aborted: true }]);
    expect(await rowsIn('jetton_burns')).toMatchObject([{ aborted: true }]);
    const none = { dst8: null, token8: null, collection: null, aborted: true };
    expect(await rowsIn('nft_transfers')).toMatchObject([none]);
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

  it('become rows of an item without a collection', async () => {
    await wait();
    const { client, db, commit } = await context.open();
    await putItem(db, 'first', false);
    await dropMissing(db, 'first');
    expect(await settleWaiting(client, [accountOf('first')])).toBe(1);
    await commit();
    const row = { ...EXPECTED.nft_transfers('first', 13), token8: null, collection: null };
    expect(await rowsIn('nft_transfers')).toEqual([row]);
    expect(await countRows(context.db)).toEqual({ nft_transfers: 1, waiting_events: 9 });
  });

  it('stay waiting if settling fails', async () => {
    await wait();
    const { client, db, commit } = await context.open();
    await putWallet(db, 'first');
    expect(await settleWaiting(client, [accountOf('first')])).toBe(2);
    await client.query('rollback');
    await commit();
    expect(await countRows(context.db)).toEqual({ waiting_events: 12 });
  });
});
