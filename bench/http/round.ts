import { performance } from 'node:perf_hooks';
import autocannon from 'autocannon';
import type { MeasuredProcess } from './measured-process.ts';

export interface Call {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What one server did in one round. */
export interface Round {
  readonly requestsPerSecond: number;
  readonly cpuMicrosecondsPerRequest: number;
  /** Share of the round in which the event loop was busy: near 1 for a server that was the bottleneck. */
  readonly serverBusy: number;
  readonly clientBusy: number;
}

// Enough to keep one Node process busy; no pipelining, because the clients of an API do not pipeline.
export const connections = 64;

/** Calls a server as fast as it answers for some seconds. Any answer but a 2xx makes the round void. */
export async function runRound(server: MeasuredProcess, call: Call, seconds: number): Promise<Round> {
  const usageBefore = await server.usage();
  const loopBefore = performance.eventLoopUtilization();
  const startedMs = performance.now();
  const result = await autocannon({
    url: `${server.url}${call.path}`,
    method: call.method,
    headers: { ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
    connections,
    duration: seconds,
  });
  const elapsedMs = performance.now() - startedMs;
  const clientBusy = performance.eventLoopUtilization(loopBefore).utilization;
  const usage = await server.usage();
  const answered = result['2xx'];
  if (result.non2xx > 0 || result.errors > 0 || answered === 0)
    throw new Error(
      `${call.method} ${server.url}${call.path}: ${answered} good answers, ` +
        `${result.non2xx} refusals, ${result.errors} errors`,
    );
  return {
    requestsPerSecond: (answered * 1000) / elapsedMs,
    cpuMicrosecondsPerRequest: (usage.cpuMicroseconds - usageBefore.cpuMicroseconds) / answered,
    serverBusy: (usage.busyMs - usageBefore.busyMs) / elapsedMs,
    clientBusy,
  };
}
