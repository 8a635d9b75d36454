import { Failure } from '../lib/errors.ts';
import { VmCrash, VmRunTooLong } from '../vm/errors.ts';
import type { GetMethodResult, GetMethodRun } from '../vm/runs.ts';
import type { RunLimits, Vm } from '../vm/vm.ts';
import type { BatchScope } from './chain-facts.ts';

/** About 5 ms of a thread. */
const RUNS_PER_JOB = 16;

interface WaitingRun extends PromiseWithResolvers<GetMethodResult> {
  readonly run: GetMethodRun;
  readonly limits: RunLimits;
}

/**
 * Sends the get-methods that are asked for in one turn of the event loop to a thread together: the way to it and back takes
 * longer than half of them. If a thread was ended by one of them, each gets a job of its own.
 */
export function runTogether(
  vm: Pick<Vm, 'runGetMethod' | 'runGetMethods'>,
  scope: BatchScope,
): Pick<Vm, 'runGetMethod'> {
  let waiting: WaitingRun[] = [];
  let flush: NodeJS.Immediate | undefined;

  function send(): void {
    clearImmediate(flush);
    flush = undefined;
    const job = waiting;
    waiting = [];
    void runJob(job);
  }

  async function runJob(job: readonly WaitingRun[]): Promise<void> {
    try {
      const results = await vm.runGetMethods(
        job.map(({ run }) => run),
        { timeoutMs: scope.left(), signal: scope.limit },
      );
      for (const [i, { resolve, reject }] of job.entries()) {
        const result = results[i]!;
        if (result instanceof Failure) reject(result);
        else resolve(result);
      }
    } catch (error) {
      const wasEnded = error instanceof VmRunTooLong || error instanceof VmCrash;
      for (const { run, limits, resolve, reject } of job) {
        if (wasEnded) vm.runGetMethod(run, limits).then(resolve, reject);
        else reject(error);
      }
    }
  }

  return {
    runGetMethod(run, limits = {}) {
      const one: WaitingRun = { ...Promise.withResolvers<GetMethodResult>(), run, limits };
      waiting.push(one);
      if (waiting.length === RUNS_PER_JOB) send();
      else flush ??= setImmediate(send);
      return one.promise;
    },
  };
}
