import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropPartitionsBefore } from '../../src/db/partitions.ts';
import type { EventFacts } from '../../src/indexer/decode/read-event.ts';
import { settleWaiting, writeEvents } from '../../src/indexer/token-events.ts';
import { WriteStatsRecorder } from '../../src/indexer/write/copy-in.ts';
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

let ground: EventTestContext;
beforeAll(async () => {
  ground = await openEventTestContext();
});
afterAll(() => ground?.close());
beforeEach(() => ground.begin());

/** Starts to write events; what is begun is committed by the caller. */
async function beginWrite(events: readonly EventFacts[]) {
  const { client, commit } = await ground.open();
  return { written: writeEvents(client, events, { detected: [] }, new WriteStatsRecorder()), commit };
}

/** Recognises an account, as the loop that judges late does; `hold` comes before the commit. */
function recognise(name: string, hold: () => Promise<void> = async () => {}): Promise<void> {
  return ground.db.transaction().execute(async (trx) => {
    await putWallet(trx, name);
    await dropMissing(trx, name);
    await settleWaiting(trx, [accountOf(name)]);
    await hold();
  });
}

describe('one that lets an event wait and one that recognises its account', () => {
  it('find each other, the event first', async () => {
    await putMissing(ground.db, 'wallet');
    const { written, commit } = await beginWrite([eventOf('jetton_transfer', 'wallet', 7)]);
    await written;
    const recognised = recognise('wallet');
    await ground.untilBlocked(1);
    await commit();
    await recognised;
    expect(await countRows(ground.db)).toEqual({ jetton_transfers: 1 });
  });

  it('find each other, the account first', async () => {
    await putMissing(ground.db, 'wallet');
    const isSettled = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const recognised = recognise('wallet', () => {
      isSettled.resolve();
      return goOn.promise;
    });
    await isSettled.promise;
    const { written, commit } = await beginWrite([eventOf('jetton_transfer', 'wallet', 7)]);
    await ground.untilBlocked(1);
    goOn.resolve();
    await Promise.all([recognised, written]);
    await commit();
    expect(await countRows(ground.db)).toEqual({ jetton_transfers: 1 });
  });

  it('lose nothing, however many they are', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `wallet ${i}`);
    await putMissing(ground.db, ...names);
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
    expect(await countRows(ground.db)).toEqual({ jetton_transfers: 12 * 30 });
  });
});

describe('events that wait longer than their seqnos are kept', () => {
  const drop = (seqno: number) => dropPartitionsBefore(ground.db, { seqno, width: 10 });
  const write = async () => {
    await putMissing(ground.db, 'wallet');
    const { written, commit } = await beginWrite([9, 10].map((at) => eventOf('jetton_burn', 'wallet', at)));
    await written;
    await commit();
  };

  it('go with them', async () => {
    await write();
    expect(await drop(15)).toBe(10);
    expect(await countRows(ground.db)).toEqual({ waiting_events: 1 });
    await recognise('wallet');
    expect(await countRows(ground.db)).toEqual({ jetton_burns: 1 });
  });

  it('are no rows without a place', async () => {
    await write();
    await drop(15);
    const { written, commit } = await beginWrite([eventOf('jetton_burn', 'wallet', 3)]);
    await written;
    await commit();
    await recognise('wallet');
    expect(await countRows(ground.db)).toEqual({ jetton_burns: 1 });
  });

  it('do not get in the way of one that makes rows of them at that moment', async () => {
    await write();
    const isSettled = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const recognised = recognise('wallet', () => {
      isSettled.resolve();
      return goOn.promise;
    });
    await isSettled.promise;
    const dropped = drop(15);
    await ground.untilBlocked(1);
    goOn.resolve();
    await Promise.all([recognised, dropped]);
    expect(await countRows(ground.db)).toEqual({ jetton_burns: 1 });
  });
});
