import { expect, test } from 'vitest';
import { createMetrics } from '../../src/observe/metrics.ts';
import { createRequestMeter } from '../../src/observe/request-rates.ts';
import { createSamples } from '../../src/observe/samples.ts';

test('rates and quantiles are those of the time since the last sample', () => {
  let now = 0;
  const metrics = createMetrics({ runtime: false });
  metrics.requestDone('v2', 'getShards', 200, 9);
  const meter = createRequestMeter(metrics.requestTotals, () => now);
  for (let call = 0; call < 98; call++) metrics.requestDone('v2', 'getShards', 200, 0.002);
  metrics.requestDone('v3', 'blocks', 500, 0.2);
  metrics.requestDone('v3', 'blocks', 429, 0.2);
  now = 5000;
  const rates = meter.sample();
  expect(rates).toMatchObject({ requestsPerSecond: 20, errorsPerSecond: 0.2, limitedPerSecond: 0.2 });
  expect(rates.p50Seconds).toBeGreaterThan(0.001);
  expect(rates.p50Seconds).toBeLessThan(0.0025);
  expect(rates.p99Seconds).toBeGreaterThan(0.1);
  expect(rates.p99Seconds).toBeLessThanOrEqual(0.25);
  now = 10_000;
  expect(meter.sample()).toMatchObject({
    requestsPerSecond: 0,
    p50Seconds: undefined,
    p99Seconds: undefined,
  });
});

test('operations have their rates of the last minute and their requests of the last hour', () => {
  let now = 0;
  const metrics = createMetrics({ runtime: false });
  const meter = createRequestMeter(metrics.requestTotals, () => now);
  for (let minute = 0; minute < 70; minute++)
    for (let step = 0; step < 12; step++) {
      metrics.requestDone('v2', 'getShards', 200, 0.01);
      if (minute === 0) metrics.requestDone('v3', 'blocks', 200, 0.01);
      now += 5000;
      meter.sample();
    }
  const [shards, ...others] = meter.operations();
  expect(shards).toMatchObject({ interface: 'v2', operation: 'getShards' });
  expect(shards!.requestsPerSecond).toBeCloseTo(0.2, 1);
  expect(shards!.byMinute).toHaveLength(60);
  expect(shards!.byMinute.slice(0, -1).every((count) => count === 12)).toBe(true);
  // What was called more than an hour ago is not shown.
  expect(others).toEqual([]);
});

test('samples keep the newest values, oldest first', () => {
  const samples = createSamples(['a', 'b'], 3);
  expect(samples.read()).toEqual({ at: [], series: { a: [], b: [] } });
  for (let at = 1; at <= 5; at++) samples.add(at, { a: at * 10, b: at === 4 ? 4 : undefined });
  expect(samples.read()).toEqual({ at: [3, 4, 5], series: { a: [30, 40, 50], b: [null, 4, null] } });
});
