import { Failure } from '../lib/failure.ts';

const CHECK_TIMEOUT_MS = 2000;
/** A run that never ends is given up after this, so that the check can succeed again. */
const ABANDON_MS = 30_000;

/** Answers when the part works, with a text for the public if it has one; throws when it does not. */
// biome-ignore lint/suspicious/noConfusingVoidType: a check without a text returns nothing
export type HealthCheck = () => Promise<string | void>;

/**
 * Makes a check that answers or throws within two seconds. A run that takes longer goes on and the next caller
 * waits for it again: a database that hangs must not collect the queries of its own checks.
 */
export function createBoundedCheck(check: HealthCheck): HealthCheck {
  let running: { readonly result: ReturnType<HealthCheck>; readonly sinceMs: number } | undefined;

  function start(): ReturnType<HealthCheck> {
    if (running !== undefined && performance.now() - running.sinceMs < ABANDON_MS) return running.result;
    const run = { result: (async () => check())(), sinceMs: performance.now() };
    const forget = () => {
      if (running === run) running = undefined;
    };
    run.result.then(forget, forget);
    running = run;
    return run.result;
  }

  return async () => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Failure('timeout', 'timed out')), CHECK_TIMEOUT_MS);
    try {
      return await Promise.race([start(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
