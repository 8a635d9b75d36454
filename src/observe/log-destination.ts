import { fstatSync, write, writeSync } from 'node:fs';

/** A write to a file wakes a thread: with batches of 4 KiB a request cost 10 % more. */
const BATCH_CHARS = 32 * 1024;
const MAX_WAITING_CHARS = 16 * 1024 * 1024;
const FLUSH_EVERY_MS = 1000;
const RETRY_AFTER_MS = 20;
const MAX_SYNC_RETRIES = 25;

/**
 * Writes lines to a file descriptor in batches, so that a request does not pay for a system call, and to a file off the
 * event loop. It replaces `pino.destination({ sync: false })`, whose `flushSync` never returns when the
 * disk is full and whose process cannot exit while nobody reads the pipe (both seen with sonic-boom 4 on Node 24).
 */
export function createLogDestination(fd: number) {
  // Node opens its standard output lazily, and only then a pipe stops blocking: a thread stuck in a write
  // to a pipe that nobody reads would keep the process from exiting.
  if (fd === 1) void process.stdout;
  const isPipe = neverBlocks(fd);
  let waiting = '';
  let dropped = 0;
  let inFlight = false;
  /** A batch that waits for the reader of a full pipe. */
  let parked: { readonly batch: Buffer; readonly timer: NodeJS.Timeout } | undefined;
  let flushed: (() => void)[] = [];

  function take(): Buffer {
    if (dropped > 0) waiting += lostLine(dropped);
    const batch = Buffer.from(waiting);
    dropped = 0;
    waiting = '';
    return batch;
  }

  function send(batch: Buffer): void {
    inFlight = true;
    parked = undefined;
    if (!isPipe) {
      write(fd, batch, (error, written) => sent(batch, error, written));
      return;
    }
    // A pipe takes what it has room for and never blocks. Elsewhere the process could end before it is known how much
    // was written, and the rest of a line would be lost.
    try {
      sent(batch, null, writeSync(fd, batch));
    } catch (error) {
      sent(batch, error, 0);
    }
  }

  function sent(batch: Buffer, error: unknown, written: number): void {
    if (isBusy(error)) {
      parked = { batch, timer: setTimeout(send, RETRY_AFTER_MS, batch) };
    } else if (error === null && written < batch.length) {
      send(batch.subarray(written));
    } else {
      // A full disk or a reader that has gone cannot be reported; the number of lost lines is logged once it works again.
      if (error !== null) dropped += countLines(batch);
      inFlight = false;
      if (waiting.length >= BATCH_CHARS || (flushed.length > 0 && waiting !== '')) send(take());
      else settle();
    }
  }

  function settle(): void {
    const callbacks = flushed;
    flushed = [];
    for (const callback of callbacks) callback();
  }

  function flush(done?: () => void): void {
    if (done !== undefined) flushed.push(done);
    if (inFlight) return;
    if (waiting === '') settle();
    else send(take());
  }

  /** Does not wait for writes in flight: Node finishes them before the process ends. */
  function flushSync(): void {
    let batch = waiting === '' ? Buffer.alloc(0) : take();
    if (parked !== undefined) {
      clearTimeout(parked.timer);
      batch = Buffer.concat([parked.batch, batch]);
      parked = undefined;
      inFlight = false;
    }
    for (let retries = 0; batch.length > 0 && retries < MAX_SYNC_RETRIES; ) {
      try {
        batch = batch.subarray(writeSync(fd, batch));
        // A slow reader gets everything; only one that reads nothing is given up.
        retries = 0;
      } catch (error) {
        if (!isBusy(error)) break;
        retries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_AFTER_MS);
      }
    }
    dropped += countLines(batch);
    if (!inFlight) settle();
  }

  setInterval(flush, FLUSH_EVERY_MS).unref();
  process.on('exit', flushSync);

  return {
    write: (line: string): void => {
      if (waiting.length > MAX_WAITING_CHARS) dropped += 1;
      else waiting += line;
      if (waiting.length >= BATCH_CHARS && !inFlight) send(take());
    },
    flush,
    flushSync,
  };
}

function neverBlocks(fd: number): boolean {
  const kind = fstatSync(fd);
  return fd === 1 && (kind.isFIFO() || kind.isSocket());
}

function isBusy(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EAGAIN' || code === 'EBUSY';
}

function lostLine(lines: number): string {
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, msg: 'Log lines lost' })}\n`;
}

function countLines(batch: Buffer): number {
  return batch.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0);
}
