import { Failure } from '../lib/errors.ts';
import { withTimeout } from '../lib/wait.ts';

const CACHE_MS = 1000;

/** Public result of one check. A process with a warning is ready: requests are no better off elsewhere. */
interface CheckReport {
  readonly status: 'ok' | 'warning' | 'failing';
  readonly text?: string;
}

export interface ReadyReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckReport>>;
}

/** A check that failed, warned or recovered; the error is for the log only. */
export interface HealthChange {
  readonly name: string;
  readonly status: CheckReport['status'];
  readonly text?: string;
  readonly error?: unknown;
}

/**
 * Creates an empty list of named checks, which decide whether this process should get requests. `onChange` is called once
 * when a check fails, warns or recovers; a check that passes from the start is no change.
 */
export function createHealth({ onChange }: { onChange?: (change: HealthChange) => void } = {}) {
  const checks = new Map<string, HealthCheck>();
  const statuses = new Map<string, CheckReport['status']>();
  let shared: { readonly report: Promise<ReadyReport>; untilMs: number } | undefined;
  let stopping = false;

  function note(change: HealthChange): void {
    if ((statuses.get(change.name) ?? 'ok') === change.status) return;
    statuses.set(change.name, change.status);
    try {
      onChange?.(change);
    } catch {
      // A failing log must not make the process look unhealthy.
    }
  }

  async function reportOf(name: string, check: HealthCheck): Promise<CheckReport> {
    try {
      const outcome = (await check()) || undefined;
      if (typeof outcome === 'object') {
        note({ name, status: 'warning', text: outcome.warning });
        return { status: 'warning', text: outcome.warning };
      }
      note({ name, status: 'ok' });
      return outcome === undefined ? { status: 'ok' } : { status: 'ok', text: outcome };
    } catch (error) {
      note({ name, status: 'failing', error });
      const text = publicText(error);
      return text === undefined ? { status: 'failing' } : { status: 'failing', text };
    }
  }

  async function runAll(): Promise<ReadyReport> {
    const reports = await Promise.all(
      [...checks].map(async ([name, check]) => [name, await reportOf(name, check)] as const),
    );
    return {
      ready: reports.every(([, { status }]) => status !== 'failing'),
      checks: Object.fromEntries(reports),
    };
  }

  function currentRun(): Promise<ReadyReport> {
    if (shared === undefined || performance.now() >= shared.untilMs) {
      const run = { report: runAll(), untilMs: Number.POSITIVE_INFINITY };
      shared = run;
      run.report.then(() => {
        run.untilMs = performance.now() + CACHE_MS;
      });
    }
    return shared.report;
  }

  return {
    add: (name: string, check: HealthCheck): void => {
      checks.set(name, createBoundedCheck(check));
      shared = undefined;
    },
    /** Runs all checks, or shares a run that is in progress or at most a second old; never rejects. */
    ready: async (): Promise<ReadyReport> => {
      const report = stopping ? undefined : await currentRun();
      // Read again after the wait: a shutdown may have begun meanwhile.
      if (report !== undefined && !stopping) return report;
      return { ready: false, checks: { process: { status: 'failing', text: 'stopping' } } };
    },
    /** From now on the process is not ready. */
    stop: (): void => {
      stopping = true;
    },
  };
}

/** Only the message of a `Failure` is public; any other may contain hosts and users. */
function publicText(error: unknown): string | undefined {
  return error instanceof Failure ? error.message : undefined;
}

const CHECK_TIMEOUT_MS = 2000;
/** A run that hangs is abandoned after this, so that the check can recover. */
const ABANDON_MS = 30_000;

/** The outcome of a check: nothing, a public text, or a warning. */
// biome-ignore lint/suspicious/noConfusingVoidType: a check without a text returns nothing
export type CheckOutcome = string | { readonly warning: string } | void;

/** Resolves if the part works; rejects if it does not. */
type HealthCheck = () => Promise<CheckOutcome>;

/**
 * Creates a check that settles within two seconds. A slower run goes on and the next caller waits for it again: a
 * database that hangs must not accumulate the queries of its own checks.
 */
function createBoundedCheck(check: HealthCheck): HealthCheck {
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

  return () => withTimeout(CHECK_TIMEOUT_MS, start(), () => new Failure('timeout', 'timed out'));
}

/**
 * The report of a server from those of its processes: what fails in some of them only is a warning, since the others
 * serve meanwhile.
 */
export function mergeReports(reports: readonly ReadyReport[], processes: number): ReadyReport {
  const ready = reports.some((report) => report.ready);
  const names = new Set(reports.flatMap(({ checks }) => Object.keys(checks)));
  const checks = Object.fromEntries(
    [...names].map((name) => [
      name,
      mergeChecks(
        reports.flatMap((report) => report.checks[name] ?? []),
        ready,
      ),
    ]),
  );
  const text = `${reports.length} of ${processes} answer`;
  const status = reports.length < processes ? 'warning' : 'ok';
  return { ready, checks: { ...checks, workers: { status, text } } };
}

function mergeChecks(all: readonly CheckReport[], isServerReady: boolean): CheckReport {
  const failing = all.filter(({ status }) => status === 'failing');
  const [failed] = failing;
  if (failed === undefined) return all.find(({ status }) => status === 'warning') ?? all[0]!;
  if (!isServerReady || failing.length === all.length) return failed;
  const reason = failed.text === undefined ? '' : `: ${failed.text}`;
  return { status: 'warning', text: `failing in ${failing.length} of ${all.length} workers${reason}` };
}
