import type { Socket } from 'node:net';
import { type ClientDisconnects, clientGone, type DisconnectListener } from '../lib/client-disconnects.ts';
import type { Deadlines, DeadlineWaiter } from '../lib/deadlines.ts';
import type { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Payer } from '../lib/payer.ts';
import { LiteBudgetExceeded } from '../lite/errors.ts';
import type { Caller, LiveCall, LivePorts, UsedServers } from './session.ts';

/** Reasons to end a wait before there is a result. */
export interface WaitLimits {
  readonly deadlines: Deadlines;
  readonly disconnects: ClientDisconnects;
}

/** A client that waits for a result, and until when. */
interface WaitingClient {
  readonly client: Socket;
  /** On the clock of `performance.now`. */
  readonly deadlineMs: number;
}

interface ExecutionOptions extends Pick<LiveCall, 'ports' | 'log' | 'group' | 'deadlineMs'> {
  readonly caller?: Pick<Caller, 'payer'> | undefined;
}

/** One run of an operation, and the clients that wait for its result. */
export class Execution<T> implements LiveCall {
  readonly ports: LivePorts;
  readonly log: Log;
  readonly group: string | undefined;
  readonly deadlineMs: number;
  readonly usedServers: UsedServers[] = [];
  immutable = false;
  vmMs = 0;
  readonly #abort = new AbortController();
  readonly signal: AbortSignal = this.#abort.signal;
  readonly #waiters = new Set<Waiter<T>>();
  readonly #caller: ExecutionOptions['caller'];
  #onEnd: (() => void) | undefined;

  constructor({ ports, log, group, deadlineMs, caller }: ExecutionOptions) {
    this.ports = ports;
    this.log = log;
    this.group = group;
    this.deadlineMs = deadlineMs;
    this.#caller = caller;
  }

  /** Read lazily: the getter of the caller does work. */
  get payer(): Payer | undefined {
    return this.#caller?.payer;
  }

  /** Passes the result to all waiters; `onEnd` is called when there is a result or when the last waiter has left. */
  follow(result: Promise<T>, onEnd: () => void): void {
    this.#onEnd = onEnd;
    result.then(
      (value) => this.#settle((waiter) => waiter.resolve(value)),
      (error) => this.#settle((waiter) => waiter.reject(error)),
    );
  }

  /** The result. Each waiter has its own deadline; the work is aborted when the last one has left. */
  wait(client: WaitingClient, limits: WaitLimits): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (reason: Failure): void => this.#leave(waiter, reason);
      const waiter = new Waiter(client, limits, leave, resolve, reject);
      this.#waiters.add(waiter);
    });
  }

  #settle(settleOne: (waiter: Waiter<T>) => void): void {
    this.#onEnd?.();
    for (const waiter of this.#waiters) {
      waiter.stop();
      settleOne(waiter);
    }
    this.#waiters.clear();
  }

  #leave(waiter: Waiter<T>, reason: Failure): void {
    this.#waiters.delete(waiter);
    waiter.stop();
    waiter.reject(reason);
    if (this.#waiters.size > 0) return;
    // Nobody may join work that is being aborted.
    this.#onEnd?.();
    this.#abort.abort(reason);
  }
}

class Waiter<T> implements DeadlineWaiter, DisconnectListener {
  readonly deadlineMs: number;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
  readonly #leave: (reason: Failure) => void;
  readonly #client: Socket;
  readonly #limits: WaitLimits;

  constructor(
    { client, deadlineMs }: WaitingClient,
    limits: WaitLimits,
    leave: (reason: Failure) => void,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.deadlineMs = deadlineMs;
    this.resolve = resolve;
    this.reject = reject;
    this.#leave = leave;
    this.#client = client;
    this.#limits = limits;
    limits.deadlines.add(this);
    limits.disconnects.add(client, this);
  }

  onDeadline(): void {
    this.#leave(new LiteBudgetExceeded());
  }

  onDisconnect(): void {
    this.#leave(clientGone());
  }

  /** Removes everything that could end the wait. */
  stop(): void {
    this.#limits.deadlines.delete(this);
    this.#limits.disconnects.delete(this.#client, this);
  }
}

/** Throws if there is no point in starting work for a client: it has disconnected, or its time is over. */
export function checkStillWaiting({ client, deadlineMs }: WaitingClient): void {
  if (client.destroyed) throw clientGone();
  if (deadlineMs <= performance.now()) throw new LiteBudgetExceeded();
}
