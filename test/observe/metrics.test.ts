import { Gauge, Registry, register } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/observe/metrics.ts';
import { isCounted, sumCounters, sumMetrics } from '../../src/observe/sum-metrics.ts';

const plain = () => createMetrics({ runtime: false });

describe('createMetrics', () => {
  it('counts requests and their durations', async () => {
    const metrics = plain();
    metrics.requestDone('v2', 'getMasterchainInfo', 200, 0.004);
    metrics.requestDone('v2', 'getMasterchainInfo', 200, 0.3);
    metrics.requestDone('v2', 'getMasterchainInfo', 404, 99);
    metrics.requestDone('v3', 'getMasterchainInfo', 200, 0.005);
    const lines = (await metrics.render()).split('\n');
    const operation = 'interface="v2",operation="getMasterchainInfo"';
    const duration = 'tongate_http_request_duration_seconds';
    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE tongate_http_requests_total counter',
        `tongate_http_requests_total{${operation},status="200"} 2`,
        `tongate_http_requests_total{${operation},status="404"} 1`,
        'tongate_http_requests_total{interface="v3",operation="getMasterchainInfo",status="200"} 1',
        `# TYPE ${duration} histogram`,
        `${duration}_bucket{${operation},le="0.0025"} 0`,
        `${duration}_bucket{${operation},le="0.005"} 1`,
        `${duration}_bucket{${operation},le="0.5"} 2`,
        `${duration}_bucket{${operation},le="30"} 2`,
        `${duration}_bucket{${operation},le="+Inf"} 3`,
        `${duration}_count{${operation}} 3`,
        `${duration}_sum{${operation}} 99.304`,
        // A time on a bound belongs to its bucket.
        `${duration}_bucket{interface="v3",operation="getMasterchainInfo",le="0.005"} 1`,
      ]),
    );
  });

  it('counts rejections and failures of the rate limit store', async () => {
    const metrics = plain();
    metrics.refused('rate_limited');
    metrics.refused('rate_limited');
    metrics.refused('unknown_key');
    metrics.rateStoreError();
    const page = await metrics.render();
    expect(page).toContain('tongate_refused_total{reason="rate_limited"} 2');
    expect(page).toContain('tongate_refused_total{reason="unknown_key"} 1');
    expect(page).toContain('tongate_rate_store_errors_total 1');
  });

  it('reads the state of database pools on demand', async () => {
    const metrics = plain();
    let pools = [{ name: 'primary', total: 4, idle: 1, waiting: 0 }];
    metrics.observePools(() => pools);
    expect(await metrics.render()).toContain(
      'tongate_database_pool_connections{pool="primary",state="total"} 4',
    );
    pools = [{ name: 'replica', total: 2, idle: 2, waiting: 7 }];
    const page = await metrics.render();
    expect(page).toContain('tongate_database_pool_connections{pool="replica",state="waiting"} 7');
    expect(page).not.toContain('pool="primary"');
    expect(page).not.toContain('lag_seconds{');
  });

  it('shows how many reads wait', async () => {
    const metrics = plain();
    metrics.observeWaitingReads(() => ({ quick: 0, slow: 3 }));
    const page = await metrics.render();
    expect(page).toContain('tongate_waiting_reads{turn="quick"} 0');
    expect(page).toContain('tongate_waiting_reads{turn="slow"} 3');
  });

  it('shows the lag of replicas', async () => {
    const metrics = plain();
    metrics.observePools(() => [
      { name: 'primary', total: 1, idle: 1, waiting: 0 },
      { name: 'replica-1', total: 1, idle: 1, waiting: 0, lagMs: 1500 },
    ]);
    const page = await metrics.render();
    expect(page.match(/^tongate_database_replica_lag_seconds\{.*$/gm)).toEqual([
      'tongate_database_replica_lag_seconds{pool="replica-1"} 1.5',
    ]);
  });

  it('includes build info and Node metrics', async () => {
    const page = await createMetrics({ build: { version: '1.2.3', network: 'localnet' } }).render();
    expect(page).toContain('tongate_build_info{version="1.2.3",network="localnet"} 1');
    expect(page).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(page).toMatch(/^process_cpu_seconds_total /m);
    expect(page).toMatch(/^nodejs_heap_size_used_bytes /m);
  });

  it('uses a registry of its own', async () => {
    const one = plain();
    one.requestDone('v2', 'x', 200, 1);
    expect(await plain().render()).not.toContain('operation="x"');
    expect(register.getMetricsAsArray()).toEqual([]);
    expect(one.contentType).toMatch(/^text\/plain/);
  });

  it('escapes label values', async () => {
    const metrics = plain();
    metrics.requestDone('v2', 'a"b\n', 200, 1);
    expect(await metrics.render()).toContain('operation="a\\"b\\n"');
  });
});

it('metrics of several processes are summed, also of those that have ended', async () => {
  const build = { version: '1', network: 'mainnet' };
  const all = [1, 2, 3].map((times) => {
    const metrics = createMetrics({ runtime: false, build });
    for (let at = 0; at < times; at++) metrics.requestDone('v2', 'getBlock', 200, 0.004);
    metrics.observeDatabaseBytes(() => 1000);
    metrics.observePools(() => [{ name: 'primary', total: times, idle: 0, waiting: 0 }]);
    return metrics.registry;
  });
  const [one, two, three] = await Promise.all(all.map((registry) => registry.getMetricsAsJSON()));
  const ended = await sumCounters([one!, two!].map((metrics) => metrics.filter(isCounted)));
  const lines = (await sumMetrics([three!, ended])).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'tongate_http_requests_total{interface="v2",operation="getBlock",status="200"} 6',
      'tongate_http_request_duration_seconds_count{interface="v2",operation="getBlock"} 6',
      'tongate_database_pool_connections{pool="primary",state="total"} 3',
    ]),
  );
  const running = (await sumMetrics([one!, two!])).split('\n');
  expect(running).toEqual(
    expect.arrayContaining([
      'tongate_database_pool_connections{pool="primary",state="total"} 3',
      'tongate_database_bytes 1000',
      'tongate_build_info{version="1",network="mainnet"} 1',
    ]),
  );
});

it('the delay of the event loop of several processes is that of the worst', async () => {
  const all = await Promise.all(
    [0.002, 0.9, 0.004].map(async (seconds) => {
      const registry = new Registry();
      // As prom-client makes it, whose processes have a mean.
      const lag = new Gauge({
        name: 'nodejs_eventloop_lag_p99_seconds',
        help: 'Delay',
        registers: [registry],
        aggregator: 'average',
      });
      lag.set(seconds);
      return registry.getMetricsAsJSON();
    }),
  );
  expect(await sumMetrics(all)).toMatch(/^nodejs_eventloop_lag_p99_seconds 0\.9$/m);
});
