import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createPendingMetrics } from '../../src/observe/pending-metrics.ts';

it('metrics of pending messages count outcomes and show the present state', async () => {
  const registry = new Registry();
  const metrics = createPendingMetrics(registry);
  metrics.arrived('shown');
  metrics.arrived('shown');
  metrics.arrived('line_full');
  metrics.ended('indexed');
  metrics.shown(0.02);
  metrics.emulated(0.004);
  metrics.emulation('whole', 5, 0.01);
  metrics.storeError();
  metrics.feed('broken');
  metrics.observe(() => ({ traces: 7, bytes: 900, waiting: 3, checkedSeqno: 1, feedConnected: true }));
  const text = await registry.metrics();
  for (const line of [
    'tongate_pending_messages_total{outcome="shown"} 2',
    'tongate_pending_messages_total{outcome="line_full"} 1',
    'tongate_pending_ends_total{reason="indexed"} 1',
    'tongate_pending_shown_seconds_bucket{le="0.025"} 1',
    'tongate_pending_emulation_seconds_bucket{le="0.005"} 1',
    'tongate_emulation_duration_seconds_count{outcome="whole"} 1',
    'tongate_emulated_transactions_total 5',
    'tongate_pending_store_errors_total 1',
    'tongate_pending_feed_messages_total{outcome="broken"} 1',
    'tongate_pending_traces 7',
    'tongate_pending_bytes 900',
    'tongate_pending_waiting 3',
    'tongate_pending_feed_connected 1',
  ])
    expect(text.split('\n')).toContain(line);
});
