import { describe, expect, it } from 'vitest';
import { type ProgressStats, progressLine } from '../../src/cli/index-command.ts';

const figures: ProgressStats = {
  headSeqno: 5000,
  followedSeqno: 4990,
  indexedSeqnos: 2500,
  wantedSeqnos: 5000,
  seqnosPerSecond: 120.4,
  transactionsPerSecond: 8.26,
  etaSeconds: 20.7,
  trouble: undefined,
};

describe('progress line of the index', () => {
  it('has seqno, percentage, rates and remaining time', () => {
    expect(progressLine(figures)).toBe(
      'index: seqno 4990 of 5000, 50.0 % of 5000, 120 blocks/s, 8.3 transactions/s, 21 s left',
    );
  });

  it('shows long times in two units', () => {
    expect(progressLine({ ...figures, etaSeconds: 93_600 })).toContain('1 d 2 h left');
    expect(progressLine({ ...figures, etaSeconds: 3600 })).toContain(' 1 h left');
    expect(progressLine({ ...figures, etaSeconds: 61 })).toContain('1 min 1 s left');
  });

  it('shows 100 % only when complete', () => {
    expect(progressLine({ ...figures, indexedSeqnos: 4999 })).toContain('99.9 %');
    const done = progressLine({ ...figures, indexedSeqnos: 5000, etaSeconds: undefined });
    expect(done).toContain('100.0 %');
    expect(done).toMatch(/up to date$/);
  });

  it('shows unknown values and errors', () => {
    const unknown = { headSeqno: undefined, followedSeqno: undefined, indexedSeqnos: 0, wantedSeqnos: 0 };
    const line = progressLine({ ...figures, ...unknown, etaSeconds: undefined, trouble: 'no lite server' });
    expect(line).toBe('index: seqno - of -, 0.0 % of 0, 120 blocks/s, 8.3 transactions/s, no lite server');
  });
});
