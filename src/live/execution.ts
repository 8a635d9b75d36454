import type { Socket } from 'node:net';
import type { Deadlines, Waiting } from '../lib/deadlines.ts';
import { Failure } from '../lib/errors.ts';
import type { HangUpListener, HangUps } from '../lib/hang-ups.ts';
import type { Log } from '../lib/log.ts';
import type { Payer } from '../lib/payer.ts';
import { LiteBudgetExceeded } from '../lite/errors.ts';
import type { LiveCall, LivePorts, UsedServers } from './session.ts';

/** What ends a wait before there is an answer. */
export interface WaitLimits {
  readonly deadlines: Deadlines;
  readonly hangUps: HangUps;
}

/** One who asks, and until when. */
interface WaitingClient {
  readonly client: Socket;
  readonly deadlineMs: number;
}

interface ExecutionOptions {
  readonly ports: LivePorts;
  readonly log: Log;
  readonly group: string | undefined;
  readonly deadlineMs: number;
  /** Knows who the work is counted against. */
  readonly caller?: { readonly payer?: Payer | undefined } | undefined;
}

/** One run of an operation, and those who wait for what comes of it. */
export class Execution<T> implements LiveCall {
  readonly ports: LivePorts;
  readonly log: Log;
  readonly group: string | undefined;
  readonly deadlineMs: number;
  readonly usedServers: UsedServers[] = [];
  immutable = false;
  readonly #abort = new AbortController();
  readonly signal: AbortSignal = this.#abort.signal;
  readonly #seats = new Set<Waiter<T>>();
  readonly #caller: ExecutionOptions['caller'];
  #onEnd: (() => void) | undefined;

  constructor({ ports, log, group, deadlineMs, caller }: ExecutionOptions) {
    this.ports = ports;
    this.log = log;
    this.group = group;
    this.deadlineMs = deadlineMs;
    this.#caller = caller;
  }

  /** Found out only where somebody asks for it. */
  get payer(): Payer | undefined {
    return this.#caller?.payer;
  }

  /** Hands the result to all who wait; `onEnd` is called once it is there or nobody wants it any more. */
  follow(result: Promise<T>, onEnd: () => void): void {
    this.#onEnd = onEnd;
    result.then(
      (answer) => this.#land((seat) => seat.resolve(answer)),
      (error) => this.#land((seat) => seat.reject(error)),
    );
  }

  /** The result; each who waits has its own deadline, and the work stops when the last one has left. */
  wait(asker: WaitingClient, impatience: WaitLimits): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (reason: Failure): void => this.#leave(seat, reason);
      const seat = new Waiter({ asker, impatience, leave, resolve, reject });
      this.#seats.add(seat);
    });
  }

  #land(settle: (seat: Waiter<T>) => void): void {
    this.#onEnd?.();
    for (const seat of this.#seats) {
      seat.stand();
      settle(seat);
    }
    this.#seats.clear();
  }

  #leave(seat: Waiter<T>, reason: Failure): void {
    this.#seats.delete(seat);
    seat.stand();
    seat.reject(reason);
    if (this.#seats.size > 0) return;
    // One who comes now must not join work that is given up.
    this.#onEnd?.();
    this.#abort.abort(reason);
  }
}

interface WaiterOptions<T> {
  readonly asker: WaitingClient;
  readonly impatience: WaitLimits;
  readonly leave: (reason: Failure) => void;
  readonly resolve: (answer: T) => void;
  readonly reject: (error: unknown) => void;
}

/** The place of one who waits. */
class Waiter<T> implements Waiting, HangUpListener {
  readonly deadlineMs: number;
  readonly resolve: (answer: T) => void;
  readonly reject: (error: unknown) => void;
  readonly #leave: (reason: Failure) => void;
  readonly #client: Socket;
  readonly #impatience: WaitLimits;

  constructor({ asker, impatience, leave, resolve, reject }: WaiterOptions<T>) {
    this.deadlineMs = asker.deadlineMs;
    this.resolve = resolve;
    this.reject = reject;
    this.#leave = leave;
    this.#client = asker.client;
    this.#impatience = impatience;
    impatience.deadlines.add(this);
    impatience.hangUps.add(asker.client, this);
  }

  onDeadline(): void {
    this.#leave(new LiteBudgetExceeded());
  }

  onHangUp(): void {
    this.#leave(clientGone());
  }

  /** Nothing can end the wait any more. */
  stand(): void {
    this.#impatience.deadlines.delete(this);
    this.#impatience.hangUps.delete(this.#client, this);
  }
}

/** Why work for a client that has closed its connection ends. */
export function clientGone(): Failure {
  return new Failure('client_gone', 'Client closed the connection');
}
