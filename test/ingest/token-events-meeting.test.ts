import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropPartitionsBefore } from '../../src/index/partitions.ts';
import { WriteStatsRecorder } from '../../src/index/write/copy-in.ts';
import { settleWaiting, type TokenEvent, writeEvents } from '../../src/index/write/token-events.ts';
import {
  accountOf,
  countRows,
  dropMissing,
  type EventTestContext,
  eventOf,
  openEventTestContext,
  putMissing,
  putWallet,
} from './support/token-events.ts';

let context: EventTestContext;
beforeAll(async () => {
  context = await openEventTestContext();
});
afterAll(() => context?.close());
beforeEach(() => context.begin());

/** Writes events in a transaction that the caller commits. */
async function beginWrite(events: readonly TokenEvent[]) {
  const { client, commit } = await context.open();
  return { written: writeEvents(client, events, { detected: [] }, new WriteStatsRecorder()), commit };
}

/** Detects an account, like the late detection; `hold` runs before the commit. */
async function recognise(name: string, hold: () => Promise<void> = async () => {}): Promise<void> {
  const { client, db, commit } = await context.open();
  await putWallet(db, name);
  await dropMissing(db, name);
  await settleWaiting(client, [accountOf(name)]);
  await hold();
  await commit();
}

describe('concurrent writing of a waiting event and detection of its account', () => {
  it('give a row if the event comes first', async () => {
    await putMissing(context.db, 'wallet');
    const { written, commit } = await beginWrite([eventOf('jetton_transfer', 'wallet', 7)]);
    await written;
    const recognised = recognise('wallet');
    await context.untilBlocked(1);
    await commit();
    await recognised;
    expect(await countRows(context.db)).toEqual({ jetton_transfers: 1 });
  });

  it('give a row if the account comes first', async () => {
    await putMissing(context.db, 'wallet');
    const isSettled = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const recognised = recognise('wallet', () => {
      isSettled.resolve();
      return goOn.promise;
    });
    await isSettled.promise;
    const { written, commit } = await beginWrite([eventOf('jetton_transfer', 'wallet', 7)]);
    await context.untilBlocked(1);
    goOn.resolve();
    await Promise.all([recognised, written]);
    await commit();
    expect(await countRows(context.db)).toEqual({ jetton_transfers: 1 });
  });

  it('lose nothing with many transactions', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `wallet ${i}`);
    await putMissing(context.db, ...names);
    const lane = async (offset: number) => {
      for (let turn = 0; turn < 10; turn++) {
        const events = names.map((name) => eventOf('jetton_transfer', name, 1 + offset + turn));
        const { written, commit } = await beginWrite(events);
        await written;
        await commit();
      }
    };
    const judging = async () => {
      for (const name of names) await recognise(name);
    };
    await Promise.all([lane(0), lane(10), lane(20), judging()]);
    expect(await countRows(context.db)).toEqual({ jetton_transfers: 12 * 30 });
  });
});

describe('waiting events of dropped seqnos', () => {
  const drop = (seqno: number) => dropPartitionsBefore(context.db, { seqno, width: 10 });
  const write = async () => {
    await putMissing(context.db, 'wallet');
    const { written, commit } = await beginWrite([9, 10].map((at) => eventOf('jetton_burn', 'wallet', at)));
    await written;
    await commit();
  };

  it('are dropped with them', async () => {
    await write();
    expect(await drop(15)).toBe(10);
    expect(await countRows(context.db)).toEqual({ waiting_events: 1 });
    await recognise('wallet');
    expect(await countRows(context.db)).toEqual({ jetton_burns: 1 });
  });

  it('give no rows without a partition', async () => {
    await write();
    await drop(15);
    const { written, commit } = await beginWrite([eventOf('jetton_burn', 'wallet', 3)]);
    await written;
    await commit();
    await recognise('wallet');
    expect(await countRows(context.db)).toEqual({ jetton_burns: 1 });
  });

  it('do not block a transaction that settles them', async () => {
    await write();
    const isSettled = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const recognised = recognise('wallet', () => {
      isSettled.resolve();
      return goOn.promise;
    });
    await isSettled.promise;
    const dropped = drop(15);
    await context.untilBlocked(1);
    goOn.resolve();
    await Promise.all([recognised, dropped]);
    expect(await countRows(context.db)).toEqual({ jetton_burns: 1 });
  });
});
