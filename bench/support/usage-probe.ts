import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/**
 * Loaded into a measured server with `--import`: replies to the message `usage` with the resources that the process has
 * used so far. CPU time includes all threads, for example a logger in a worker thread.
 */

/** Resources used since the start of the process. */
export interface Usage {
  readonly cpuMicroseconds: number;
  /** The share of the main thread. */
  readonly loopCpuMicroseconds: number;
  /** Time in which the event loop had work. */
  readonly busyMs: number;
  /** Resident memory now. */
  readonly residentBytes: number;
  /** Delay of the event loop since the message before that 99 % of its turns did not exceed. */
  readonly loopDelayP99Ms: number;
}

const DELAY_RESOLUTION_MS = 5;
const delays = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
delays.enable();

process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const loop = process.threadCpuUsage();
  const usage: Usage = {
    cpuMicroseconds: user + system,
    loopCpuMicroseconds: loop.user + loop.system,
    busyMs: performance.eventLoopUtilization().active,
    residentBytes: process.memoryUsage.rss(),
    loopDelayP99Ms: Math.max(0, delays.percentile(99) / 1e6 - DELAY_RESOLUTION_MS),
  };
  delays.reset();
  process.send?.(usage);
});
// Do not outlive a benchmark that was killed.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel must not keep the process alive.
process.channel?.unref();
