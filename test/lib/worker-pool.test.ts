import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createWorkerPool, type JobLimits, type WorkerPoolOptions } from '../../src/lib/worker-pool.ts';
import type { WorkerFault } from '../../src/lib/worker-thread.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import type { ScriptedReply } from './scripted-worker.ts';

const SCRIPTED = new URL('./scripted-worker.ts', import.meta.url);
const MAX_MEMORY_BYTES = 2000;
const JOBS = sampled(300, 1000);

type Job = readonly string[];

/** The error of a job that was not done. */
class TestFault extends Error {
  readonly fault: WorkerFault;

  constructor(fault: WorkerFault, what: string, cause?: unknown) {
    super(what, { cause });
    this.fault = fault;
  }
}

const folder = makeTemporaryDirectory('worker-pool');
const pools: ReturnType<typeof createWorkerPool<Job, ScriptedReply>>[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});
afterAll(() => removeTemporaryDirectory(folder));

let holds = 0;

/** A job that a thread works on until it is released. */
function hold() {
  const file = join(folder, `released-${holds++}`);
  return { script: `hold ${file}`, release: () => writeFileSync(file, '') };
}

/** A pool of scripted threads, what it logged, and why threads were replaced. */
function open(options: Partial<WorkerPoolOptions<Job, ScriptedReply>> = {}) {
  const log = createQuietLog();
  const ends: string[] = [];
  const pool = createWorkerPool<Job, ScriptedReply>({
    name: 'test',
    file: SCRIPTED,
    threads: 1,
    queueLimit: 10_000,
    jobs: 'short',
    heapMb: 64,
    startLimitMs: 20_000,
    stepLimitMs: 20_000,
    createEncoder: () => ({
      encode: (jobs) => ({ messages: jobs }),
      wearOf: ({ memoryBytes }) => (memoryBytes > MAX_MEMORY_BYTES ? 'memory' : undefined),
    }),
    toError: (fault, what, cause) => new TestFault(fault, what, cause),
    log,
    onThreadEnded: (reason) => ends.push(reason),
    ...options,
  });
  pools.push(pool);
  const run = (script: string | string[], limits?: JobLimits) =>
    pool.run([script].flat(), limits).then(({ texts }) => texts.join());
  return { pool, run, log, ends };
}

/** Threads of this process that belong to a pool, where the system tells. */
function poolThreads(): number {
  const tasks = '/proc/self/task';
  const names = readdirSync(tasks).map((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim());
  return names.filter((name) => name.includes('tongate-test')).length;
}

describe('worker pool', () => {
  it('replies to jobs in order', async () => {
    const { pool, run } = open();
    expect(pool.state()).toEqual({ threads: 0, busy: 0, queued: 0 });
    expect(await run(['a', 'b', 'c'])).toBe('a,b,c');
    expect(await run([])).toBe('');
    expect(pool.state()).toEqual({ threads: 1, busy: 0, queued: 0 });
  });

  it('starts a thread per job that needs one, and all of them on warm', async () => {
    const { pool, run } = open({ threads: 3 });
    for (const script of ['a', 'b', 'c']) await run(script);
    expect(pool.state().threads).toBe(1);
    await pool.warm();
    expect(pool.state()).toEqual({ threads: 3, busy: 0, queued: 0 });
  });

  it('passes what the first thread prepared to later threads', async () => {
    const { pool, run } = open({ threads: 2 });
    expect(await run('prepared')).toBe('undefined');
    await pool.warm();
    const [first, second] = await Promise.all([run('prepared'), run('prepared')]);
    expect([first, second].sort()).toEqual(['prepared by a thread', 'undefined']);
  });

  it('rejects jobs when too many are waiting', async () => {
    const { pool, run } = open({ queueLimit: 2 });
    await pool.warm();
    const jobs = ['sleep 50', 'a', 'b', 'c'].map((script) => run(script));
    expect(pool.state()).toEqual({ threads: 1, busy: 0, queued: 2 });
    await expect(jobs[3]).rejects.toMatchObject({ fault: 'overloaded' });
    expect(await Promise.all(jobs.slice(0, 3))).toEqual(['slept', 'a', 'b']);
  });

  it('rejects only the jobs whose timeout has passed, waiting or running', async () => {
    const { pool, run, ends } = open();
    await pool.warm();
    const { script, release } = hold();
    const running = run(script, { timeoutMs: 50 });
    const waiting = run('a', { timeoutMs: 60 });
    const other = run('b');
    await expect(running).rejects.toMatchObject({ fault: 'timeout' });
    await expect(waiting).rejects.toMatchObject({ fault: 'timeout' });
    expect(pool.state()).toMatchObject({ busy: 1, queued: 1 });
    release();
    expect(await other).toBe('b');
    expect(ends).toEqual([]);
  });

  it('rejects jobs whose caller has aborted', async () => {
    const { pool, run } = open();
    const gone = new AbortController();
    const jobs = [run('sleep 50'), run('a', { signal: gone.signal })];
    gone.abort(new Error('gone'));
    await expect(jobs[1]).rejects.toThrow('gone');
    await expect(run('b', { signal: gone.signal })).rejects.toThrow('gone');
    expect(pool.state().queued).toBe(0);
    expect(await jobs[0]).toBe('slept');
  });

  it('replaces a thread whose step takes too long, and fails only its job', async () => {
    const { pool, run, log, ends } = open({ threads: 2, stepLimitMs: 300 });
    await pool.warm();
    const hanging = run('hang');
    const others = Array.from({ length: 20 }, (_, i) => run(`job ${i}`));
    await expect(hanging).rejects.toMatchObject({ fault: 'hung', message: 'step took more than 300 ms' });
    expect((await Promise.all(others)).length).toBe(20);
    expect(ends).toEqual(['timeout']);
    expect(log.texts()).toEqual(['Worker thread failed']);
    await pool.warm();
    expect(pool.state()).toEqual({ threads: 2, busy: 0, queued: 0 });
  });

  it('has a spare thread ready when it ends one', async () => {
    const { pool, run } = open({ stepLimitMs: 1000 });
    const first = await run('thread');
    const hanging = run('hang');
    const next = run('thread');
    await vi.waitFor(() => expect(pool.state().threads).toBe(2), 120_000);
    // It is running while the other one still hangs.
    expect(pool.state()).toMatchObject({ busy: 1, queued: 1 });
    await expect(hanging).rejects.toMatchObject({ fault: 'hung' });
    expect(Number(await next)).toBe(Number(first) + 1);
    expect(pool.state().threads).toBe(1);
  });

  it('tells the time of every job once, whatever its end', async () => {
    const { pool, run } = open({ queueLimit: 2, stepLimitMs: 300 });
    await pool.warm();
    const ends: string[] = [];
    const limits = (name: string) => ({
      payer: { id: name, rps: 1 },
      onEnd: (ms: number) => ends.push(`${name} ${ms > 100 ? 'long' : 'short'}`),
    });
    const gone = new AbortController();
    const jobs = [
      run('hang', { ...limits('aborted'), signal: gone.signal }),
      run('a', limits('done')),
      run('b', { ...limits('late'), timeoutMs: 1 }),
      run('c', limits('dropped')),
    ];
    const settled = Promise.allSettled(jobs);
    await delay(20);
    gone.abort(new Error('gone'));
    const results = await settled;
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected']);
    await vi.waitFor(() => expect(ends).toHaveLength(4), 120_000);
    // The caller of the hanging job had gone long before.
    expect(ends.toSorted()).toEqual(['aborted long', 'done short', 'dropped short', 'late short']);
  });

  it('does the jobs of light payers before those of heavy ones', async () => {
    const { pool, run } = open();
    await pool.warm();
    const order: string[] = [];
    const as = (id: string, script: string) =>
      run(script, { payer: { id, rps: 1 } }).then(() => order.push(id));
    const heavy = Array.from({ length: 3 }, () => as('heavy', 'sleep 100'));
    const light = Array.from({ length: 3 }, (_, i) => as(`light ${i}`, 'a'));
    await Promise.all([...heavy, ...light]);
    expect(order).toEqual(['heavy', 'light 0', 'light 1', 'light 2', 'heavy', 'heavy']);
  });

  it.runIf(process.platform === 'linux')('lowers the priority of background threads alone', async () => {
    const [background, usual] = [open({ isBackground: true }), open()];
    const base = getPriority();
    expect(await usual.run('priority')).toBe(String(base));
    expect(await background.run('priority')).toBe(String(Math.max(base, 10)));
  });

  it('reclaims short jobs that are stuck behind a long one', async () => {
    const { pool, run } = open({ threads: 2 });
    await pool.warm();
    // Both threads are busy at first, so that the others wait and are given out several at a time.
    const first = [run('sleep 30'), run('sleep 30')];
    const { script, release } = hold();
    const long = run(script);
    const others = Array.from({ length: 12 }, (_, i) => run(`job ${i}`));
    expect(await Promise.all(others)).toEqual(others.map((_, i) => `job ${i}`));
    release();
    expect(await Promise.all([...first, long])).toEqual(['slept', 'slept', 'held']);
  });

  it('applies the time limit to each step of a job', async () => {
    const { run } = open({ stepLimitMs: 600 });
    expect(await run(Array(8).fill('sleep 80'))).toBe(Array(8).fill('slept').join());
    await expect(run(['sleep 80', 'hang', 'a'])).rejects.toMatchObject({ fault: 'hung' });
    expect(await run('a')).toBe('a');
  });

  it.each(['exit 0', 'exit 7', 'throw'])('fails only the job that ends its thread: %s', async (script) => {
    const { run, log, ends } = open();
    const jobs = [run('a'), run(script), run('b')];
    await expect(jobs[1]).rejects.toMatchObject({ fault: 'crash' });
    expect(await Promise.all([jobs[0], jobs[2]])).toEqual(['a', 'b']);
    expect(ends).toEqual(['crash']);
    const what = script === 'throw' ? 'thrown on purpose' : `exit code ${script.slice(5)}`;
    expect((log.lines[0]!.details.err as Error).message).toContain(what);
  });

  it('does jobs after a thread has ended while idle', async () => {
    const { run, ends } = open();
    expect(await run('later 10')).toBe('later');
    await delay(100);
    expect(await run('a')).toBe('a');
    expect(ends).toEqual([]);
  });

  it('rejects jobs when threads cannot start', async () => {
    const { run, log } = open({ file: new URL('./no-such-worker.ts', import.meta.url) });
    const results = await Promise.allSettled([run('a'), run('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(log.texts()).toContain('Worker thread did not start');
  });

  it('replaces threads that are worn out', async () => {
    const { pool, run, ends } = open();
    await run('grow 500');
    expect(await run('a')).toBe('a');
    expect(ends).toEqual([]);
    expect(await run('grow 600')).toBe('grown');
    expect(await run('b')).toBe('b');
    expect(ends).toEqual(['memory']);
    expect(pool.state().threads).toBe(1);
  });

  describe('with long jobs', () => {
    it('sends a thread its next job while it works on one', async () => {
      const { pool, run } = open({ jobs: 'long' });
      await pool.warm();
      const jobs = ['sleep 100', 'a', 'b'].map((script) => run(script));
      await delay(20);
      expect(pool.state()).toEqual({ threads: 1, busy: 2, queued: 1 });
      expect(await Promise.all(jobs)).toEqual(['slept', 'a', 'b']);
    });

    it('replaces a crashed thread once, and goes on with the jobs that wait', async () => {
      const { pool, run, ends } = open({ jobs: 'long', threads: 2 });
      await pool.warm();
      const scripts = ['throw', 'a', 'b', 'c', 'd', 'e'];
      const results = await Promise.allSettled(scripts.map((script) => run(script)));
      expect(results[0]).toMatchObject({ status: 'rejected', reason: { fault: 'crash' } });
      expect(results.slice(4).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      await pool.warm();
      expect(ends).toEqual(['crash']);
      expect(pool.state()).toEqual({ threads: 2, busy: 0, queued: 0 });
    });

    it('starts one thread at a time per slot when threads cannot start', async () => {
      const file = new URL('./no-such-worker.ts', import.meta.url);
      const { pool, run } = open({ jobs: 'long', file });
      const results = await Promise.allSettled([run('a'), run('b'), run('c')]);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      await pool.close();
      expect(pool.state().threads).toBe(0);
    });
  });

  it.each(['short', 'long'] as const)(
    'settles every %s job whatever happens to the threads',
    async (jobs) => {
      const scripts = fc.sample(
        fc.oneof(
          { weight: 300, arbitrary: fc.nat().map((n) => `job ${n}`) },
          { weight: 20, arbitrary: fc.nat(3).map((ms) => `sleep ${ms}`) },
          { weight: 3, arbitrary: fc.constantFrom('exit 1', 'throw', 'later 1') },
          { weight: 1, arbitrary: fc.constantFrom('hang', 'grow 2000000') },
        ),
        { numRuns: JOBS, seed: 42 },
      );
      // A sample has each of them too.
      for (const [at, script] of ['exit 1', 'throw', 'later 1', 'hang', 'grow 2000000'].entries())
        scripts[at * 50 + 25] = script;
      const { pool, run } = open({ threads: 2, stepLimitMs: 200, jobs });
      const results = await Promise.allSettled(scripts.map((script) => run(script)));
      const wrong = results.filter((result, i) => {
        const script = scripts[i]!;
        const mayFail = /^(exit|throw|hang)/.test(script);
        // A thread that is about to end takes the jobs it has then with it.
        if (result.status === 'rejected')
          return !(mayFail || ['crash', 'hung'].includes((result.reason as TestFault).fault));
        return mayFail || (script.startsWith('job') && result.value !== script);
      });
      expect(wrong).toEqual([]);
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(JOBS * 0.93);
      expect(pool.state()).toMatchObject({ busy: 0, queued: 0 });
    },
  );

  it('ends all threads and rejects all jobs on close', async () => {
    const { pool, run } = open({ threads: 2 });
    await pool.warm();
    if (process.platform === 'linux') expect(poolThreads()).toBe(2);
    const jobs = ['hang', 'hang', 'a'].map((script) => run(script));
    const settled = Promise.allSettled(jobs);
    await delay(20);
    await pool.close();
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: { fault: 'closed' } });
    if (process.platform === 'linux') expect(poolThreads()).toBe(0);
    expect(pool.state()).toEqual({ threads: 0, busy: 0, queued: 0 });
    await expect(run('a')).rejects.toMatchObject({ fault: 'closed' });
    await pool.close();
  });

  it('can be closed while its threads start', async () => {
    const { pool, run } = open({ threads: 2 });
    const jobs = Promise.allSettled([run('a'), run('b')]);
    await pool.close();
    expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    if (process.platform === 'linux') expect(poolThreads()).toBe(0);
  });
});
