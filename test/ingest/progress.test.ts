import { expect, test } from 'vitest';
import { ProgressTracker } from '../../src/ingest/progress.ts';

test('progress combines the database coverage with later writes', () => {
  let nowMs = 0;
  const progress = new ProgressTracker(() => nowMs);
  expect(progress.read(undefined)).toMatchObject({
    state: 'waiting',
    percent: 0,
    etaSeconds: undefined,
    lag: undefined,
    indexedSeqnos: 0,
    gaps: 0,
  });
  progress.from = 101;
  progress.state = 'following';
  progress.setRanges([
    { first: 151, last: 160 },
    { first: 191, last: 200 },
  ]);
  nowMs = 10_000;
  progress.addWritten({ seqnos: 20, transactions: 500, requested: 3 });
  expect(progress.read(200)).toMatchObject({
    state: 'following',
    head: 200,
    followed: 200,
    lag: 0,
    gaps: 2,
    indexedSeqnos: 40,
    percent: 40,
    seqnosPerSecond: 2,
    transactionsPerSecond: 50,
    etaSeconds: 30,
    statesRequested: 3,
  });
  expect(progress.read(220)).toMatchObject({ state: 'catching-up', lag: 20 });
  progress.setRanges([{ first: 101, last: 220 }]);
  expect(progress.read(220)).toMatchObject({ followed: 220, gaps: 0, percent: 100, etaSeconds: 0 });
  nowMs = 60_000;
  expect(progress.read(220)).toMatchObject({ seqnosPerSecond: 0, transactionsPerSecond: 0 });
  progress.reset();
  expect(progress.read(7)).toMatchObject({ followed: undefined, from: undefined, indexedSeqnos: 0 });
});

test('progress counts many small writes in little memory', () => {
  let nowMs = 0;
  const progress = new ProgressTracker(() => nowMs);
  for (let i = 0; i < 5000; i++) {
    nowMs += 2;
    progress.addWritten({ seqnos: 1, transactions: 2, requested: 0 });
  }
  expect(progress.read(1).seqnosPerSecond).toBeCloseTo(500);
  expect(progress.read(1).transactionsPerSecond).toBeCloseTo(1000);
});

test('the last error is cleared by a write', () => {
  const progress = new ProgressTracker(() => 0);
  progress.lastError = 'no lite server';
  expect(progress.read(1).lastError).toBe('no lite server');
  progress.addWritten({ seqnos: 1, transactions: 0, requested: 0 });
  expect(progress.read(1).lastError).toBeUndefined();
});
