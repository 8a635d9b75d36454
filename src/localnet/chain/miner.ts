import type { Log } from '../../lib/log.ts';

/** When blocks are made: at a steady pace, or when there is something to put into them. */
export type MineMode = 'interval' | 'message';

export interface MinerOptions {
  readonly mode: MineMode;
  readonly blockMs: number;
  /** Makes a step; gives whether it got anywhere with the messages that wait. */
  readonly step: () => Promise<boolean>;
  /** Whether something waits for the next step. */
  readonly hasWork: () => boolean;
  readonly log: Log;
}

/** Makes steps on its own until it is stopped. */
export interface Miner {
  start(): void;
  /** Says that there is something to do at once. */
  wake(): void;
  stop(): void;
  /** The text of the failure of the last step, if it failed. */
  readonly fault: string | undefined;
}

const RETRY_MS = 1000;

/** Makes the clockwork of a chain; it does not run yet. A step that fails is tried again. */
export function createMiner({ mode, blockMs, step, hasWork, log }: MinerOptions): Miner {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isStepping = false;
  let isWanted = false;
  let fault: string | undefined;

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(tick, ms);
  }

  async function tick(): Promise<void> {
    if (isStepping) return;
    isStepping = true;
    isWanted = false;
    const startedAt = performance.now();
    const moved = await step().then(
      (result) => {
        if (fault !== undefined) log.info({}, 'The local chain goes on');
        fault = undefined;
        return result;
      },
      (error: Error) => {
        // Once a second at most, and it is never the same for long.
        log.error(
          { err: error },
          'The next block of the local chain could not be made; it will be tried again',
        );
        fault = error.message;
        return false;
      },
    );
    isStepping = false;
    if (isRunning) next(startedAt, moved);
  }

  function next(startedAt: number, moved: boolean): void {
    const rest = Math.max(0, startedAt + blockMs - performance.now());
    if (fault !== undefined) schedule(Math.max(RETRY_MS, rest));
    else if (isWanted) schedule(0);
    else if (mode === 'interval') schedule(rest);
    // Messages that no block has room for yet, or that wait for others, must not make the chain run in circles.
    else if (hasWork()) schedule(moved ? 0 : rest);
  }

  return {
    start() {
      isRunning = true;
      if (mode === 'interval' || hasWork()) schedule(0);
    },
    wake() {
      isWanted = true;
      if (isRunning && !isStepping && fault === undefined) schedule(0);
    },
    stop() {
      isRunning = false;
      clearTimeout(timer);
    },
    get fault() {
      return fault;
    },
  };
}
