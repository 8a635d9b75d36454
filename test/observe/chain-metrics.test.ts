import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createLiteMetrics, createVmMetrics, type LiteServerStats } from '../../src/observe/chain-metrics.ts';

const SERVER: LiteServerStats = {
  index: 0,
  state: 'live',
  lagBlocks: 1,
  latencyMs: 20,
  inFlight: 3,
  queued: 0,
  oldestSeqno: undefined,
};

it('metrics of lite servers count queries and failures, and read gauges on demand', async () => {
  const registry = new Registry();
  const metrics = createLiteMetrics(registry);
  expect(await registry.metrics()).not.toContain('tongate_lite_head_seqno{');
  metrics.countsOf('everybody').queryDone('getAccountState', 'ok', 0.02);
  metrics.countsOf('pro').queryDone('getAccountState', 'timeout', 5);
  metrics.countsOf('pro').serverFailed(2, 'proof');
  metrics.observe(() => [
    {
      group: 'everybody',
      headSeqno: 7,
      headAgeSeconds: 1.5,
      servers: [SERVER, { ...SERVER, index: 1, state: 'down' }],
    },
    { group: 'pro', headSeqno: undefined, headAgeSeconds: undefined, servers: [] },
  ]);
  const lines = (await registry.metrics()).split('\n');
  const duration = 'tongate_lite_query_duration_seconds';
  expect(lines).toEqual(
    expect.arrayContaining([
      `${duration}_bucket{le="0.025",group="everybody",method="getAccountState",outcome="ok"} 1`,
      `${duration}_count{group="pro",method="getAccountState",outcome="timeout"} 1`,
      'tongate_lite_server_failures_total{group="pro",server="2",fault="proof"} 1',
      'tongate_lite_head_seqno{group="everybody"} 7',
      'tongate_lite_head_age_seconds{group="everybody"} 1.5',
      'tongate_lite_servers{group="pro"} 0',
      'tongate_lite_server_live{group="everybody",server="0"} 1',
      'tongate_lite_server_live{group="everybody",server="1"} 0',
      'tongate_lite_server_lag_blocks{group="everybody",server="0"} 1',
      'tongate_lite_server_latency_seconds{group="everybody",server="0"} 0.02',
      'tongate_lite_server_in_flight{group="everybody",server="0"} 3',
    ]),
  );
  expect(lines.join()).not.toContain('tongate_lite_server_oldest_seqno{');
  expect(lines.join()).not.toContain('tongate_lite_head_seqno{group="pro"}');
});

it('metrics of the virtual machine count runs, and show the TVM versions', async () => {
  const registry = new Registry();
  const metrics = createVmMetrics(registry);
  metrics.jobDone('ok', 1, 0.002);
  metrics.jobDone('timeout', 1, 8);
  metrics.threadEnded('timeout');
  metrics.observe(() => ({ threads: 2, busy: 1, queued: 4, tvmVersion: 13, networkVersion: 14 }));
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'tongate_vm_job_duration_seconds_count{outcome="ok"} 1',
      'tongate_vm_job_duration_seconds_sum{outcome="timeout"} 8',
      'tongate_vm_thread_ends_total{reason="timeout"} 1',
      'tongate_vm_threads 2',
      'tongate_vm_busy_threads 1',
      'tongate_vm_queued_jobs 4',
      'tongate_vm_version 13',
      'tongate_network_version 14',
    ]),
  );
});
