import { afterAll, expect, it } from 'vitest';
import { createClassifier } from '../../src/classify/classifier.ts';
import { createImportRun, untilFewUnclassified } from '../../src/ingest/import-run.ts';
import { isLongRun } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { sharedDecoder } from '../support/shared-decoder.ts';
import { until } from '../support/until.ts';
import { useToyIndex } from './support/toy-index.ts';

const MAX_UNCLASSIFIED = 200_000;
const IDLE_MS = 500;
const index = useToyIndex();
const stop = new AbortController();
afterAll(() => stop.abort());

function openRun(mayClaim?: () => Promise<void>) {
  return createImportRun({
    db: index.db,
    decoder: sharedDecoder(),
    writer: index.writers[0]!,
    origin: { zeroState: Buffer.alloc(32), firstSeqno: 1, partitionSeqnos: 100 },
    log: createQuietLog(),
    signal: stop.signal,
    mayClaim,
  });
}

it('an import claims nothing until it may', async () => {
  await index.begin(100);
  const allowed = Promise.withResolvers<void>();
  const claimed = openRun(() => allowed.promise).claim([{ first: 1, last: 9 }]);
  // Another one claims the first ones meanwhile.
  expect(await openRun().claim([{ first: 1, last: 4 }])).toMatchObject({ firstSeqno: 1, lastSeqno: 4 });
  allowed.resolve();
  expect(await claimed).toMatchObject({ firstSeqno: 5, lastSeqno: 9 });
});

/** Expects an import to claim nothing for a while, and to claim once one trace less waits. */
async function expectWaiting(traces: () => number | undefined, removeOne: () => unknown): Promise<void> {
  const run = openRun(() => untilFewUnclassified(traces, stop.signal));
  let isClaimed = false;
  const claimed = run.claim([{ first: 1, last: 9 }]).finally(() => {
    isClaimed = true;
  });
  await new Promise((done) => setTimeout(done, IDLE_MS));
  expect(isClaimed).toBe(false);
  expect(await index.db.selectFrom('index_chunks').select('owner').execute()).toEqual([]);
  await removeOne();
  expect(await claimed).toMatchObject({ firstSeqno: 1, lastSeqno: 9 });
  expect(traces()).toBe(MAX_UNCLASSIFIED);
}

it('an import claims nothing while more than 200 000 traces wait for their actions', async () => {
  await index.begin(100);
  let traces = MAX_UNCLASSIFIED + 1;
  await expectWaiting(
    () => traces,
    () => traces--,
  );
});

it.runIf(isLongRun)('an import claims nothing while a queue has more than 200 000 traces', async () => {
  await index.begin(100);
  // Of traces that are not due yet, the classifier takes none.
  await index.client.query(
    `insert into unclassified_traces (trace_id, mc_seqno_end, nodes, next_try)
     select decode(lpad(to_hex(i), 64, '0'), 'hex'), 1, 1, now() + interval '1 hour' from generate_series(0, $1) i`,
    [MAX_UNCLASSIFIED],
  );
  const classifier = createClassifier({
    url: index.url,
    log: createQuietLog(),
    isBackground: true,
    timing: { countMs: 300 },
  });
  const traces = () => classifier.progress().queue?.traces;
  classifier.start();
  try {
    await until(() => traces() === MAX_UNCLASSIFIED + 1);
    await expectWaiting(traces, () =>
      index.client.query('delete from unclassified_traces where trace_id = $1', [Buffer.alloc(32)]),
    );
  } finally {
    await classifier.close();
  }
});

it('an import that waits for actions ends with its signal', async () => {
  const end = new AbortController();
  const waiting = untilFewUnclassified(() => MAX_UNCLASSIFIED + 1, end.signal);
  end.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
});
