import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/lib/fair-queue.ts';

interface Job {
  readonly name: string;
  readonly payer: { readonly id: string; readonly rps: number } | undefined;
}

const job = (name: string, id?: string, rps = 1): Job => ({ name, payer: id ? { id, rps } : undefined });

/** Takes all waiting jobs one after another; each takes the milliseconds that `cost` says. */
function drain(queue: FairQueue<Job>, cost: (job: Job) => number = () => 1): string {
  const names: string[] = [];
  for (let [next] = queue.takeSome(1); next !== undefined; [next] = queue.takeSome(1)) {
    names.push(next.name);
    queue.done(next, cost(next));
  }
  return names.join(' ');
}

function queueOf(...jobs: Job[]): FairQueue<Job> {
  const queue = new FairQueue<Job>();
  for (const one of jobs) queue.offer(one, 1000);
  return queue;
}

describe('fair queue', () => {
  it('serves the jobs of one payer in order, and equal payers in turn', () => {
    const queue = queueOf(job('a1', 'a'), job('a2', 'a'), job('a3', 'a'), job('b1', 'b'), job('b2', 'b'));
    expect(drain(queue)).toBe('a1 b1 a2 b2 a3');
  });

  it('lets heavy payers wait behind light ones', () => {
    const queue = queueOf(job('h1', 'h'), job('h2', 'h'), ...[1, 2, 3, 4].map((n) => job(`l${n}`, 'l')));
    expect(drain(queue, ({ payer }) => (payer?.id === 'h' ? 3000 : 10))).toBe('h1 l1 l2 l3 l4 h2');
  });

  it('remembers a heavy payer that has nothing waiting', () => {
    const queue = queueOf(job('h1', 'h'));
    drain(queue, () => 3000);
    for (const one of [job('h2', 'h'), job('l1', 'l'), job('l2', 'l')]) queue.offer(one, 1000);
    expect(drain(queue)).toBe('l1 l2 h2');
  });

  it('lets nobody save turns while it is away', () => {
    const queue = queueOf(...[1, 2, 3].map((n) => job(`a${n}`, 'a')));
    drain(queue, () => 1000);
    // `b` was away all the time, and `a` is not behind by what it used alone.
    for (const n of [4, 5]) queue.offer(job(`a${n}`, 'a'), 1000);
    const [first] = queue.takeSome(1);
    queue.done(first!, 1);
    for (const n of [1, 2]) queue.offer(job(`b${n}`, 'b'), 1000);
    expect(first!.name).toBe('a4');
    expect(drain(queue)).toMatch(/^b1 (a5 b2|b2 a5)$/);
  });

  it('shares the time in proportion to the rates of the payers', () => {
    const jobs = Array.from({ length: 30 }, (_, n) => n).flatMap((n) => [
      job(`s${n}`, 's', 1),
      job(`f${n}`, 'f', 10),
    ]);
    const served = drain(queueOf(...jobs), () => 100).split(' ');
    expect(served.slice(0, 11).filter((name) => name.startsWith('s')).length).toBeLessThanOrEqual(2);
  });

  it('starts only so many jobs of one payer at a time', async () => {
    const queue = new FairQueue<Job>({ maxRunning: 1 });
    const jobs = [job('a1', 'a'), job('a2', 'a'), job('b1', 'b')];
    for (const one of jobs) queue.offer(one, 1000);
    expect(queue.takeSome(3)).toEqual([jobs[0], jobs[2]]);
    const taken = queue.take();
    queue.done(jobs[0]!, 1);
    expect(await taken).toBe(jobs[1]);
    expect(queue.size).toBe(0);
  });

  it('drops the last job of the payer with the most when it is full', () => {
    const queue = queueOf(job('a1', 'a'), job('a2', 'a'), job('a3', 'a'), job('b1', 'b'));
    expect(queue.offer(job('c1', 'c'), 4)?.name).toBe('a3');
    expect(queue.offer(job('a4', 'a'), 4)?.name).toBe('a4');
    expect(queue.size).toBe(4);
    expect(drain(queue)).toBe('a1 b1 c1 a2');
  });

  it('gives jobs back to the front of their payer', () => {
    const queue = queueOf(job('a1', 'a'), job('a2', 'a'), job('a3', 'a'));
    queue.giveBack(queue.takeSome(2));
    expect(drain(queue)).toBe('a1 a2 a3');
    for (const one of [job('a1', 'a'), job('b1', 'b'), job('c1', 'c')]) queue.offer(one, 1000);
    queue.giveBack(queue.takeSome(2));
    expect(drain(queue)).toBe('a1 b1 c1');
  });

  it('hands a job to a taker that waits, and removes jobs', async () => {
    const queue = new FairQueue<Job>();
    const taken = queue.take();
    queue.offer(job('own'), 0);
    expect((await taken)?.name).toBe('own');
    const late = job('late', 'a');
    queue.offer(late, 1);
    expect([queue.remove(late), queue.remove(late), queue.size]).toEqual([true, false, 0]);
    queue.offer(late, 1);
    expect(queue.close()).toEqual([late]);
    expect(await queue.take()).toBeUndefined();
  });
});
