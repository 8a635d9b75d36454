import type { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { StartError } from '../lib/errors.ts';
import { waitAtMost } from '../lib/wait.ts';
import { exitProcess } from './exit-process.ts';
import { flushLog, type Logger } from './logger.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm forwards Ctrl-C to a child that got it from the terminal already: the echo must not count as a second signal. */
const ECHO_MS = 500;
const BEFORE_EXIT_MS = 1000;

interface ShutdownOptions {
  readonly log: Logger;
  /** How long all parts together may take to close. */
  readonly timeoutMs: number;
  /** How long a process that serves goes on after a SIGTERM before its parts are closed; none by default. */
  readonly drainMs?: number;
  /** Awaited before the process exits, for a second at most; flushes the log by default. */
  readonly beforeExit?: () => Promise<void>;
  readonly exit?: (code: number) => void;
  /** Replaces the process as the source of signals. */
  readonly signals?: EventEmitter;
}

/** Closes the parts of the process in order when it stops. */
export type Shutdown = ReturnType<typeof createShutdown>;

/** Creates the shutdown and listens for signals and uncaught errors. */
export function createShutdown(options: ShutdownOptions) {
  const { log, timeoutMs, drainMs = 0, exit = exitProcess, signals = process } = options;
  const beforeExit = options.beforeExit ?? (() => flushLog(log));
  const parts: Part[] = [];
  const drainEnd = Promise.withResolvers<void>();
  let beginDrain: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  let ending: Promise<void> | undefined;
  let code = 0;
  let forceFromMs = 0;

  async function closeParts(): Promise<void> {
    const { failed, unclosed } = await closeInReverse(parts, timeoutMs, (part, error) =>
      log.error({ part, err: error }, 'Failed to close a part'),
    );
    if (unclosed.length > 0) log.error({ parts: unclosed, timeoutMs }, 'Timed out closing parts');
    if (failed.length + unclosed.length > 0) code = 1;
  }

  /** Closes everything without an exit, for a failed start. */
  async function close(): Promise<void> {
    closing ??= closeParts();
    await closing;
    // Without an exit, a signal has its usual effect again.
    if (ending === undefined) for (const [event, listener] of listeners) signals.off(event, listener);
  }

  /**
   * Load balancers notice after a while that the process is no longer ready, and send requests until then. Only
   * SIGTERM drains, which process managers send: nobody wants to wait after Ctrl-C.
   */
  async function drainFirst(reason: string): Promise<void> {
    if (reason !== 'SIGTERM' || drainMs === 0 || beginDrain === undefined) return;
    log.info({ drainMs }, 'Draining');
    beginDrain();
    await waitAtMost(drainMs, drainEnd.promise);
  }

  async function end(reason: string): Promise<void> {
    log.info({ reason }, 'stopping');
    await drainFirst(reason);
    await close();
    log.info({ code }, 'stopped');
    await waitAtMost(BEFORE_EXIT_MS, beforeExit()).catch((error) =>
      log.error({ err: error }, 'Unclean shutdown'),
    );
    exit(code);
  }

  /** Closes everything and exits with 0, or with 1 if a part failed; further calls share the first. */
  function stop(reason: string): Promise<void> {
    if (ending === undefined) {
      forceFromMs = performance.now() + ECHO_MS;
      ending = end(reason);
    }
    return ending;
  }

  /** A terminal that is closed sends SIGHUP more than once: by its shell, by the kernel and by npm. */
  function onSignal(signal: (typeof SIGNALS)[number]): void {
    if (ending === undefined) {
      stop(signal);
    } else if (signal !== 'SIGHUP' && performance.now() >= forceFromMs) {
      log.warn({ signal }, 'Exiting at once on a second signal');
      exit(128 + constants.signals[signal]);
    }
  }

  /** Errors of a request are handled by `http`; an error that arrives here leaves a part in an unknown state. */
  function onUncaught(error: unknown, what: string): void {
    log.fatal({ err: error }, what);
    code = 1;
    drainEnd.resolve();
    stop(what);
  }

  const listeners: [string, (argument: unknown) => void][] = [
    ...SIGNALS.map((signal): [string, () => void] => [signal, () => onSignal(signal)]),
    ['uncaughtException', (error: unknown) => onUncaught(error, 'Uncaught exception')],
    ['unhandledRejection', (error: unknown) => onUncaught(error, 'Unhandled rejection')],
  ];
  for (const [event, listener] of listeners) signals.on(event, listener);

  /** Whether the shutdown has begun; parts that are still starting can give up. */
  const stopping = () => closing !== undefined || ending !== undefined;
  return {
    stopping,
    /** Throws if the shutdown has begun: what a start would open from then on would never be used. */
    assertRunning(): void {
      if (stopping()) throw new StartError('Stopped during the start');
    },
    /** Registers a part. The last one is closed first; one that is registered during the shutdown is closed too. */
    add: (name: string, closePart: Part['close']) => void parts.push({ name, close: closePart }),
    /** Registers what to do when the process begins to drain. Without it there is nothing to drain. */
    onDrain: (begin: () => void): void => {
      beginDrain = begin;
    },
    stop,
    close,
  };
}

interface Part {
  readonly name: string;
  readonly close: () => Promise<void> | void;
}

interface CloseResult {
  readonly failed: readonly string[];
  readonly unclosed: readonly string[];
}

/** Share of the timeout after which parts are closed in parallel. */
const IN_ORDER_SHARE = 0.8;

/**
 * Closes parts one after another, the last one first, and empties the list. After four fifths of the timeout all
 * remaining parts are closed in parallel: a server with an endless request must not keep the embedded database from
 * stopping. Returns the names of parts that did not close in time.
 */
async function closeInReverse(
  parts: Part[],
  timeoutMs: number,
  onFailure: (name: string, error: unknown) => void,
): Promise<CloseResult> {
  const failed: string[] = [];
  const open = new Set<Part>();

  async function closeLast(): Promise<void> {
    const part = parts.pop();
    if (part === undefined) return;
    open.add(part);
    try {
      await part.close();
    } catch (error) {
      failed.push(part.name);
      onFailure(part.name, error);
    }
    open.delete(part);
  }

  async function closeInOrder(): Promise<void> {
    while (parts.length > 0) await closeLast();
  }

  const inOrder = closeInOrder();
  await waitAtMost(timeoutMs * IN_ORDER_SHARE, inOrder);
  const atOnce = [inOrder];
  while (parts.length > 0) atOnce.push(closeLast());
  await waitAtMost(timeoutMs * (1 - IN_ORDER_SHARE), Promise.all(atOnce));
  return { failed, unclosed: [...open, ...parts].map(({ name }) => name) };
}
