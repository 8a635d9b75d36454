import { expect, test } from 'vitest';
import { describeFailure } from '../../src/db/errors.ts';
import { createFailureLog, createThrottledLog } from '../../src/lib/retry.ts';
import { createQuietLog } from '../support/quiet-log.ts';

test('createFailureLog logs the first failure, then one per minute, and the recovery', () => {
  const log = createQuietLog();
  let nowMs = 0;
  const troubles = createFailureLog(log, () => nowMs, describeFailure);
  troubles.clear();
  for (nowMs = 0; nowMs < 150_000; nowMs += 1000)
    troubles.add(Object.assign(new Error('could not extend file'), { code: '53100' }));
  troubles.clear();
  troubles.clear();
  const text = 'Indexing paused: the database disk is full';
  expect(log.texts()).toEqual([text, text, text, 'Indexing resumed']);
});

test('createThrottledLog passes one warning per minute', () => {
  const log = createQuietLog();
  let nowMs = 0;
  const calm = createThrottledLog(log, () => nowMs);
  for (nowMs = 0; nowMs < 90_000; nowMs += 100) calm.warn({}, 'no lite server');
  calm.info({}, 'something else');
  expect(log.texts()).toEqual(['no lite server', 'no lite server', 'something else']);
});

test('describeFailure names the failure for operators', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(describeFailure(refused)).toContain('database unavailable');
  expect(describeFailure(new Error('no workers'))).toBe('no workers');
  expect(describeFailure('odd')).toBe('odd');
});
