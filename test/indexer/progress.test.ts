import { expect, test } from 'vitest';
import { ProgressTracker } from '../../src/indexer/progress.ts';

test('progress combines the database coverage with later writes', () => {
  let nowMs = 0;
  const book = new ProgressTracker(() => nowMs);
  expect(book.read(undefined)).toMatchObject({
    state: 'waiting',
    percent: 0,
    etaSeconds: undefined,
    lag: undefined,
    indexedSeqnos: 0,
    gaps: 0,
  });
  book.from = 101;
  book.state = 'following';
  book.setRanges([
    { first: 151, last: 160 },
    { first: 191, last: 200 },
  ]);
  nowMs = 10_000;
  book.addWritten({ seqnos: 20, transactions: 500, asked: 3 });
  expect(book.read(200)).toMatchObject({
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
    asked: 3,
  });
  expect(book.read(220)).toMatchObject({ state: 'catching-up', lag: 20 });
  book.setRanges([{ first: 101, last: 220 }]);
  expect(book.read(220)).toMatchObject({ followed: 220, gaps: 0, percent: 100, etaSeconds: 0 });
  nowMs = 60_000;
  expect(book.read(220)).toMatchObject({ seqnosPerSecond: 0, transactionsPerSecond: 0 });
  book.reset();
  expect(book.read(7)).toMatchObject({ followed: undefined, from: undefined, indexedSeqnos: 0 });
});

test('progress counts many small writes in little memory', () => {
  let nowMs = 0;
  const book = new ProgressTracker(() => nowMs);
  for (let i = 0; i < 5000; i++) {
    nowMs += 2;
    book.addWritten({ seqnos: 1, transactions: 2, asked: 0 });
  }
  expect(book.read(1).seqnosPerSecond).toBeCloseTo(500);
  expect(book.read(1).transactionsPerSecond).toBeCloseTo(1000);
});

test('the last error is cleared by a write', () => {
  const book = new ProgressTracker(() => 0);
  book.lastError = 'no lite server';
  expect(book.read(1).lastError).toBe('no lite server');
  book.addWritten({ seqnos: 1, transactions: 0, asked: 0 });
  expect(book.read(1).lastError).toBeUndefined();
});
