import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropPartitionsBefore } from '../../../src/index/partitions.ts';
import { createWriter, type Writer } from '../../../src/index/write/writer.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { beginIndex, putChunk, rowsOf } from '../../ingest/support/index-tables.ts';
import { ToyChain, type ToyMessage, type ToyTransaction, toySeqno } from '../../ingest/support/toy-chain.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { readPlacedSlots } from '../../support/stored-pages.ts';
import { readStoredTransactions } from '../../support/stored-transactions.ts';

const WIDTH = 10;

describe('rows of received messages', () => {
  let context: TestDatabase;
  let writer: Writer;
  let chain: ToyChain;
  beforeAll(async () => {
    context = await createTestDatabase();
  });
  afterAll(() => context?.drop());
  beforeEach(async () => {
    await beginIndex(context.database.primary, 1, WIDTH);
    chain = new ToyChain();
    writer = createWriter({ url: context.url, log: createQuietLog(), metadata: createChainMetadataReader() });
    return () => writer.close();
  });

  const send = (mcSeqno: number, lt: number) =>
    chain.transaction({
      mcSeqno,
      account: 'sender',
      lt,
      in: chain.external('sender', `${lt}`),
      to: ['receiver'],
    });
  const receive = (mcSeqno: number, lt: number, message: ToyMessage | undefined) =>
    chain.transaction({ mcSeqno, account: 'receiver', lt, in: message });

  /** Writes seqnos as one batch of a claim. */
  async function write(
    claim: Awaited<ReturnType<typeof putChunk>>,
    [first, last]: readonly [number, number],
    transactions: readonly ToyTransaction[],
  ): Promise<void> {
    const seqnos = Array.from({ length: last - first + 1 }, (_, at) =>
      toySeqno(
        first + at,
        transactions.filter(({ mcSeqno }) => mcSeqno === first + at),
      ),
    );
    await writer.write(claim, { seqnos, latest: [], earlier: [] });
  }

  /** The transactions with a row for their internal in message, in order; all rows are checked. */
  async function storedReceivers(): Promise<string[]> {
    const db = context.database.primary;
    await readStoredTransactions(db);
    const slots = new Map((await readPlacedSlots(db)).map((one) => [`${one.at}`, one.transaction]));
    const rows = await rowsOf(
      db,
      'select at from messages where ordinal = 0 and created_at is not null order by at',
    );
    return rows.map(({ at }) => slots.get(`${at}`)!.hash.toString('hex'));
  }

  it('are left out if the sender is in the same partition, in this batch or an earlier one', async () => {
    const [first, second] = [send(1, 100), send(1, 110)];
    const claim = await putChunk(context.database.primary, 1, undefined);
    await write(claim, [1, 2], [first, second, receive(2, 200, first.sent[0])]);
    await write(claim, [3, 4], [receive(4, 400, second.sent[0])]);
    expect(await storedReceivers()).toEqual([]);
  });

  it('are stored if no account sent the message or the sender is not in the index', async () => {
    const system = receive(5, 500, chain.system('receiver', 450));
    const orphan = receive(6, 600, chain.foreign('receiver', 550));
    const claim = await putChunk(context.database.primary, 5, undefined);
    await write(claim, [5, 6], [system, orphan]);
    expect(await storedReceivers()).toEqual([system.hash, orphan.hash]);
  });

  it('stay if the sender is indexed later', async () => {
    const sender = send(1, 100);
    const receiver = receive(6, 600, sender.sent[0]);
    const later = await putChunk(context.database.primary, 6, 6);
    const earlier = await putChunk(context.database.primary, 1, 1);
    await write(later, [6, 6], [receiver]);
    await write(earlier, [1, 1], [sender]);
    expect(await storedReceivers()).toEqual([receiver.hash]);
  });

  it.each([
    ['in the same batch', { isOther: false, lasts: [12] }],
    ['in an earlier batch', { isOther: false, lasts: [8, 12] }],
    ['in an earlier batch of another process', { isOther: true, lasts: [8, 12] }],
  ])('are stored if the sender is in an older partition, %s', async (_, { isOther, lasts }) => {
    const [sender, neighbour] = [send(8, 800), send(8, 810)];
    const crossing = receive(11, 1100, sender.sent[0]);
    const transactions = [sender, neighbour, receive(9, 900, neighbour.sent[0]), crossing];
    const claim = await putChunk(context.database.primary, 1, undefined);
    for (const last of lasts) {
      await write(claim, [claim.doneSeqno + 1, last], transactions);
      if (isOther) writer.reset();
    }
    expect(await storedReceivers()).toEqual([crossing.hash]);

    await dropPartitionsBefore(context.database.primary, { seqno: 10, width: WIDTH });
    expect(await storedReceivers()).toEqual([crossing.hash]);
    expect(await rowsOf(context.database.primary, 'select mc_seqno, ordinal from messages')).toEqual([
      { mc_seqno: 11, ordinal: 0 },
    ]);
  });
});
