/**
 * Loaded into a measured server with `--import`: answers a message of the benchmark with what the process has
 * used so far. All threads count, so a logger in a worker thread is not free.
 */
import { performance } from 'node:perf_hooks';

export interface Usage {
  readonly cpuMicroseconds: number;
  /** Of it, what the thread of the event loop used. */
  readonly loopCpuMicroseconds: number;
  /** Time the event loop was busy, in ms since the start of the process. */
  readonly busyMs: number;
}

process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const loop = process.threadCpuUsage();
  const usage: Usage = {
    cpuMicroseconds: user + system,
    loopCpuMicroseconds: loop.user + loop.system,
    busyMs: performance.eventLoopUtilization().active,
  };
  process.send?.(usage);
});
// A benchmark that was killed leaves nothing behind.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel must not keep a server alive that wants to end.
process.channel?.unref();
