import type { Payer } from './payer.ts';

/** A job, and who it is for; undefined for work of our own. */
interface PaidJob {
  readonly payer?: Payer | undefined;
}

interface Line<Job> {
  readonly id: string;
  readonly jobs: Set<Job>;
  /** Taken and not done. */
  running: number;
  /** Milliseconds that its jobs took, divided by its rate: who has the least is next. */
  usedMs: number;
  rps: number;
}

/** Counted while a job runs, until its time is known. */
const EXPECTED_MS = 20;
/** Our own work has one line, with the weight of a large customer. */
const OURSELVES: Payer = { id: 'ourselves', rps: 100 };
/** Lines without jobs that are remembered because they were ahead of others. */
const MAX_LINES = 10_000;

/**
 * Jobs that wait, and takers that wait for jobs. The next job is one of the payer whose jobs took the least time so far,
 * in proportion to its rate: a payer with heavy jobs waits behind those with light ones, and gets the rest of the time.
 * A payer that comes back after a pause starts level with the others and has saved nothing. The jobs of a payer are
 * served first come first served, takers last come first served.
 */
export class FairQueue<Job extends PaidJob> {
  readonly #lines = new Map<string, Line<Job>>();
  /** Those with jobs; the one served least recently first. */
  readonly #waiting = new Map<string, Line<Job>>();
  readonly #takers: ((job: Job | undefined) => void)[] = [];
  /** The use of the payer that was served last. */
  #clock = 0;
  #size = 0;
  #closed = false;
  readonly #maxRunning: number;

  /** `maxRunning` bounds how many jobs of one payer are taken and not done. */
  constructor({ maxRunning = Number.POSITIVE_INFINITY }: { readonly maxRunning?: number | undefined } = {}) {
    this.#maxRunning = maxRunning;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Hands a job to a taker or queues it. If more than `limit` wait then, the payer with the most jobs loses its last
   * one, which is returned: nobody can fill the queue for the others.
   */
  offer(job: Job, limit: number): Job | undefined {
    const line = this.#lineOf(job);
    const taker = this.#mayStart(line) ? this.#takers.pop() : undefined;
    if (taker !== undefined) {
      this.#start(line);
      taker(job);
      return undefined;
    }
    line.jobs.add(job);
    this.#waiting.set(line.id, line);
    this.#size++;
    return this.#size > limit ? this.#dropFromLongest(line) : undefined;
  }

  /** Returns whether the job was waiting. */
  remove(job: Job): boolean {
    const line = this.#lines.get(idOf(job));
    if (line === undefined || !line.jobs.delete(job)) return false;
    this.#left(line);
    return true;
  }

  /** The next job, as soon as there is one; undefined when the queue is closed. */
  take(): Promise<Job | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const job = this.#next();
    if (job !== undefined) return Promise.resolve(job);
    const { promise, resolve } = Promise.withResolvers<Job | undefined>();
    this.#takers.push(resolve);
    return promise;
  }

  takeSome(count: number): Job[] {
    const some: Job[] = [];
    while (some.length < count) {
      const next = this.#next();
      if (next === undefined) break;
      some.push(next);
    }
    return some;
  }

  /** Puts jobs that were taken and not done back before all others. */
  giveBack(jobs: readonly Job[]): void {
    const [lines, waiting] = [new Set<Line<Job>>(), [...this.#waiting.values()]];
    for (const job of jobs.toReversed()) {
      this.done(job, 0);
      const line = this.#lineOf(job);
      const others = [...line.jobs];
      line.jobs.clear();
      for (const one of [job, ...others]) line.jobs.add(one);
      lines.add(line);
      this.#size++;
    }
    this.#waiting.clear();
    for (const line of [...[...lines].toReversed(), ...waiting]) this.#waiting.set(line.id, line);
    this.#serveTakers();
  }

  /** Counts the time of a job that was taken. */
  done(job: Job, ms: number): void {
    const line = this.#lines.get(idOf(job));
    if (line === undefined || line.running === 0) return;
    line.running--;
    line.usedMs += (ms - EXPECTED_MS) / line.rps;
    this.#forget(line);
    this.#serveTakers();
  }

  /** Ends the waiting of all takers; returns the jobs that are left. */
  close(): Job[] {
    this.#closed = true;
    for (const taker of this.#takers.splice(0)) taker(undefined);
    const left = [...this.#waiting.values()].flatMap(({ jobs }) => [...jobs]);
    this.#waiting.clear();
    this.#lines.clear();
    this.#size = 0;
    return left;
  }

  #lineOf({ payer: { id, rps } = OURSELVES }: Job): Line<Job> {
    let line = this.#lines.get(id);
    if (line === undefined) {
      line = { id, jobs: new Set(), running: 0, usedMs: this.#clock, rps: 1 };
      this.#lines.set(id, line);
    }
    line.rps = Math.max(1, rps);
    if (line.jobs.size === 0 && line.running === 0) line.usedMs = Math.max(line.usedMs, this.#clock);
    return line;
  }

  #next(): Job | undefined {
    let next: Line<Job> | undefined;
    for (const line of this.#waiting.values()) {
      if (this.#mayStart(line) && (next === undefined || line.usedMs < next.usedMs)) next = line;
    }
    if (next === undefined) return undefined;
    this.#start(next);
    const [job] = next.jobs;
    next.jobs.delete(job!);
    this.#left(next);
    if (next.jobs.size > 0) {
      // To the end, so that equal ones take turns.
      this.#waiting.delete(next.id);
      this.#waiting.set(next.id, next);
    }
    return job;
  }

  #mayStart({ running }: Line<Job>): boolean {
    return running < this.#maxRunning;
  }

  #serveTakers(): void {
    while (this.#takers.length > 0) {
      const next = this.#next();
      if (next === undefined) return;
      this.#takers.pop()!(next);
    }
  }

  #start(line: Line<Job>): void {
    this.#clock = Math.max(this.#clock, line.usedMs);
    line.running++;
    line.usedMs += EXPECTED_MS / line.rps;
  }

  #left(line: Line<Job>): void {
    this.#size--;
    if (line.jobs.size > 0) return;
    this.#waiting.delete(line.id);
    this.#forget(line);
  }

  #dropFromLongest(newcomer: Line<Job>): Job {
    let longest = newcomer;
    for (const line of this.#waiting.values()) if (line.jobs.size > longest.jobs.size) longest = line;
    const last = [...longest.jobs].at(-1)!;
    longest.jobs.delete(last);
    this.#left(longest);
    return last;
  }

  /** A line that is level with the others needs no memory. */
  #forget(line: Line<Job>): void {
    if (line.jobs.size > 0 || line.running > 0) return;
    if (line.usedMs <= this.#clock || this.#lines.size > MAX_LINES) this.#lines.delete(line.id);
  }
}

function idOf({ payer = OURSELVES }: PaidJob): string {
  return payer.id;
}
