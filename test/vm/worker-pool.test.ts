import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { VmClosed, VmCrash, VmOverloaded, VmRunTooLong, VmTimeout } from '../../src/vm/errors.ts';
import { encodeGetMethod } from '../../src/vm/runs.ts';
import { type SharedBoc, shareBoc } from '../../src/vm/shared-inputs.ts';
import { createWorkerPool, type PoolOptions, type WorkerPool } from '../../src/vm/worker-pool.ts';
import type { Work } from '../../src/vm/worker-thread.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { codeRun } from './built-data.ts';

const SCRIPTED = new URL('./scripted-worker.ts', import.meta.url);
const patient = { timeoutMs: 60_000 };

const pools: WorkerPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** A pool of scripted threads, and what it logged and counted. */
function open(options: Partial<PoolOptions> = {}) {
  const log = createQuietLog();
  const outcomes: string[] = [];
  const ends: string[] = [];
  const pool = createWorkerPool({
    file: SCRIPTED,
    threads: 1,
    queueLimit: 10_000,
    startLimitMs: 20_000,
    runLimitMs: 20_000,
    maxRuns: 1_000_000,
    maxMemoryBytes: 1_000_000,
    log,
    metrics: {
      jobDone: (outcome) => outcomes.push(outcome),
      threadEnded: (reason) => ends.push(reason),
    },
    ...options,
  });
  pools.push(pool);
  const run = (script: string | string[], limits: Parameters<WorkerPool['run']>[1] = patient) =>
    pool.run(work([script].flat()), limits).then((replies) => replies.map(logOf).join());
  return { pool, run, log, outcomes, ends };
}

function work(scripts: string[], texts: SharedBoc[] = []): Work {
  return { runs: scripts.map((address) => ({ ...encodeGetMethod(codeRun('')), address })), texts };
}

const logOf = (reply: object): unknown => ('log' in reply ? reply.log : undefined);

/** Threads of this process that belong to a pool, where the system tells. */
function poolThreads(): number {
  const tasks = '/proc/self/task';
  const names = readdirSync(tasks).map((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim());
  return names.filter((name) => name.includes('tongate-vm')).length;
}

describe('a pool of threads', () => {
  it('answers every run of a job in order', async () => {
    const { pool, run, outcomes } = open();
    expect(pool.state()).toEqual({ threads: 0, busy: 0, queued: 0 });
    expect(await run(['a', 'b', 'c'])).toBe('a,b,c');
    expect(await pool.run(work([]), patient)).toEqual([]);
    expect(pool.state()).toEqual({ threads: 1, busy: 0, queued: 0 });
    expect(outcomes).toEqual(['ok', 'ok']);
  });

  it('starts all threads when told to, and one when one is enough', async () => {
    const { pool, run } = open({ threads: 3 });
    for (const script of ['a', 'b', 'c']) await run(script);
    expect(pool.state().threads).toBe(1);
    await pool.warm();
    expect(pool.state()).toEqual({ threads: 3, busy: 0, queued: 0 });
  });

  it('turns jobs away when too many wait', async () => {
    const { pool, run, outcomes } = open({ queueLimit: 2 });
    await pool.warm();
    const jobs = ['sleep 50', 'a', 'b', 'c'].map((script) => run(script));
    expect(pool.state()).toEqual({ threads: 1, busy: 0, queued: 2 });
    await expect(jobs[3]).rejects.toBeInstanceOf(VmOverloaded);
    expect(await Promise.all(jobs.slice(0, 3))).toEqual(['slept', 'a', 'b']);
    expect(outcomes.sort()).toEqual(['ok', 'ok', 'ok', 'overloaded']);
  });

  it('gives up jobs whose time is over, waiting or running, and no others', async () => {
    const { pool, run, outcomes, ends } = open();
    await pool.warm();
    const running = run('sleep 1000', { timeoutMs: 50 });
    const waiting = run('a', { timeoutMs: 60 });
    const other = run('b');
    await expect(running).rejects.toBeInstanceOf(VmTimeout);
    await expect(waiting).rejects.toMatchObject({ kind: 'timeout' });
    expect(pool.state()).toMatchObject({ busy: 1, queued: 1 });
    expect(await other).toBe('b');
    expect(outcomes).toEqual(['timeout', 'timeout', 'ok']);
    expect(ends).toEqual([]);
  });

  it('gives up jobs whose caller has gone', async () => {
    const { pool, run, outcomes } = open();
    const gone = new AbortController();
    const jobs = [run('sleep 50'), run('a', { ...patient, signal: gone.signal })];
    gone.abort(new Error('gone'));
    await expect(jobs[1]).rejects.toThrow('gone');
    await expect(run('b', { ...patient, signal: gone.signal })).rejects.toThrow('gone');
    expect(pool.state().queued).toBe(0);
    expect(await jobs[0]).toBe('slept');
    expect(outcomes).toEqual(['aborted', 'aborted', 'ok']);
  });

  it('ends a thread whose run takes too long, and only its job fails', async () => {
    const { pool, run, log, ends } = open({ threads: 2, runLimitMs: 300 });
    await pool.warm();
    const hanging = run('hang');
    const others = Array.from({ length: 20 }, (_, i) => run(`job ${i}`));
    await expect(hanging).rejects.toBeInstanceOf(VmRunTooLong);
    await expect(hanging).rejects.toThrow('the run took more than 300 ms');
    expect((await Promise.all(others)).length).toBe(20);
    expect(ends).toEqual(['timeout']);
    expect(log.texts()).toEqual(['a thread of the virtual machine failed']);
    await pool.warm();
    expect(pool.state()).toEqual({ threads: 2, busy: 0, queued: 0 });
  });

  it('does jobs elsewhere that were given to a thread behind one that takes long', async () => {
    const { pool, run, outcomes } = open({ threads: 2 });
    await pool.warm();
    // Both threads are busy at first, so that the others wait and are given out several at a time.
    const first = [run('sleep 30'), run('sleep 30')];
    const long = run('sleep 1000');
    const others = Array.from({ length: 12 }, (_, i) => run(`job ${i}`));
    expect(await Promise.race([long, Promise.all(others)])).toEqual(others.map((_, i) => `job ${i}`));
    expect(await Promise.all([...first, long])).toEqual(['slept', 'slept', 'slept']);
    expect(outcomes).toEqual(Array(15).fill('ok'));
  });

  it('counts the time of each run of a job by itself', async () => {
    const { run } = open({ runLimitMs: 1000 });
    expect(await run(Array(8).fill('sleep 150'))).toBe(Array(8).fill('slept').join());
    await expect(run(['sleep 100', 'hang', 'a'])).rejects.toBeInstanceOf(VmRunTooLong);
    expect(await run('a')).toBe('a');
  });

  it.each(['exit 0', 'exit 7', 'throw'])('survives a thread that ends: %s', async (script) => {
    const { run, log, ends } = open();
    const jobs = [run('a'), run(script), run('b')];
    await expect(jobs[1]).rejects.toBeInstanceOf(VmCrash);
    await expect(jobs[1]).rejects.toMatchObject({ kind: 'internal', message: 'the virtual machine failed' });
    expect(await Promise.all([jobs[0], jobs[2]])).toEqual(['a', 'b']);
    expect(ends).toEqual(['crash']);
    const what = script === 'throw' ? 'thrown on purpose' : `ended with ${script.slice(5)}`;
    expect((log.lines[0]!.details.err as VmCrash).details!.what).toContain(what);
  });

  it('loses no job to a thread that ends while it has none', async () => {
    const { run, ends } = open();
    expect(await run('later 10')).toBe('later');
    await delay(100);
    expect(await run('a')).toBe('a');
    expect(ends).toEqual([]);
  });

  it('fails jobs, one at a time, when threads cannot start', async () => {
    const { run, log } = open({ file: new URL('./no-such-worker.ts', import.meta.url) });
    const results = await Promise.allSettled([run('a'), run('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(log.texts()).toContain('a thread of the virtual machine does not start');
  });

  it('replaces threads that have done or hold enough', async () => {
    const { pool, run, ends } = open({ maxRuns: 3, maxMemoryBytes: 2000 });
    await run(['a', 'b']);
    await run('c');
    expect(await run('d')).toBe('d');
    expect(ends).toEqual(['runs']);
    await run('grow 500');
    expect(await run('grow 600')).toBe('grown');
    expect(await run('e')).toBe('e');
    expect(ends).toEqual(['runs', 'runs']);
    expect(await run('grow 5000')).toBe('grown');
    expect(await run('f')).toBe('f');
    expect(ends).toEqual(['runs', 'runs', 'memory']);
    expect(pool.state().threads).toBe(1);
  });

  it('sends what jobs share once to each thread, and lets it forget what is old', async () => {
    const { pool } = open();
    const texts = Array.from({ length: 100 }, (_, i) => shareBoc(Buffer.from(`bag ${i}`)));
    const held = async (use: SharedBoc[]): Promise<string[]> => {
      const [reply] = await pool.run(work(['texts'], use), patient);
      return JSON.parse(String(logOf(reply!)));
    };
    const keys = (from: number, to: number) => texts.slice(from, to).map(({ key }) => key);
    expect(await held(texts.slice(0, 2))).toEqual(keys(0, 2));
    expect(await held(texts.slice(1, 3))).toEqual(keys(0, 3));
    for (const text of texts) await held([text]);
    expect(await held([texts[36]!])).toEqual(keys(36, 100));
    // The one just used stays longest; all of a job are there even if they are more than are kept.
    expect(await held([texts[0]!])).toEqual([...keys(36, 37), ...keys(38, 100), ...keys(0, 1)]);
    expect((await held(texts)).sort()).toEqual(keys(0, 100).sort());
  });

  it('settles every job whatever happens to the threads', async () => {
    const scripts = fc.sample(
      fc.oneof(
        { weight: 300, arbitrary: fc.nat().map((n) => `job ${n}`) },
        { weight: 20, arbitrary: fc.nat(3).map((ms) => `sleep ${ms}`) },
        { weight: 3, arbitrary: fc.constantFrom('exit 1', 'throw', 'later 1') },
        { weight: 1, arbitrary: fc.constantFrom('hang', 'grow 2000000') },
      ),
      { numRuns: 1000, seed: 42 },
    );
    const { pool, run } = open({ threads: 2, runLimitMs: 200 });
    const results = await Promise.allSettled(scripts.map((script) => run(script)));
    const wrong = results.filter((result, i) => {
      const script = scripts[i]!;
      const mayFail = /^(exit|throw|hang)/.test(script);
      // A thread that is about to end takes the job it has then with it.
      if (result.status === 'rejected') return !(mayFail || result.reason instanceof VmCrash);
      return mayFail || (script.startsWith('job') && result.value !== script);
    });
    expect(wrong).toEqual([]);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(950);
    expect(pool.state()).toMatchObject({ busy: 0, queued: 0 });
  });

  it('leaves no thread behind when it is closed, and no job', async () => {
    const { pool, run } = open({ threads: 2 });
    await pool.warm();
    if (process.platform === 'linux') expect(poolThreads()).toBe(2);
    const jobs = ['hang', 'hang', 'a'].map((script) => run(script));
    const settled = Promise.allSettled(jobs);
    await delay(20);
    await pool.close();
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(VmClosed) });
    if (process.platform === 'linux') expect(poolThreads()).toBe(0);
    expect(pool.state()).toEqual({ threads: 0, busy: 0, queued: 0 });
    await expect(run('a')).rejects.toBeInstanceOf(VmClosed);
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
