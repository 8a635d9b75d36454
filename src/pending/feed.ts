import { backOffDelay } from '../lib/back-off.ts';
import type { Log } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';
import type { ExternalMessage } from '../live/external-messages.ts';
import type { FeedMessage } from '../observe/pending-metrics.ts';

interface MessageFeedOptions {
  readonly url: string;
  /** Reads a bag of cells; throws for what is no message from outside. */
  readonly read: (boc: Buffer) => ExternalMessage;
  /** Takes a message; false where there is no room for it. */
  readonly take: (message: ExternalMessage) => boolean;
  readonly onMessage: (outcome: FeedMessage) => void;
  readonly log: Log;
  /** The first wait after a connection ended; each one that follows is twice as long, to a bound. */
  readonly firstWaitMs?: number;
  /** A connection that is silent for so long is given up. */
  readonly silentMs?: number;
}

/** Messages that others sent. */
export interface MessageFeed {
  isConnected(): boolean;
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Servers are expected to send an empty line or a comment now and then where there is nothing to tell. */
const SILENT_MS = 60_000;

/** Connects to a feed and stays connected until it is closed. */
export function openMessageFeed(options: MessageFeedOptions): MessageFeed {
  const { url, log, firstWaitMs = FIRST_WAIT_MS, silentMs = SILENT_MS } = options;
  const ended = new AbortController();
  let isConnected = false;
  let isTold = false;

  /** Reads until the connection ends; whether anything came. */
  async function readOnce(): Promise<boolean> {
    let hasHeard = false;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error(`silent for ${silentMs} ms`)), silentMs);
    try {
      const answer = await fetch(url, {
        headers: { accept: 'text/event-stream, text/plain' },
        signal: AbortSignal.any([ended.signal, silence.signal]),
      });
      if (!answer.ok || answer.body === null) {
        await answer.body?.cancel();
        throw new Error(`status ${answer.status}`);
      }
      isConnected = true;
      isTold = false;
      log.info({}, 'The feed of messages is connected');
      for await (const line of readFeedLines(answer.body, () => timer.refresh())) {
        hasHeard = true;
        takeLine(line);
      }
      throw new Error('the connection ended');
    } catch (error) {
      if (!ended.signal.aborted) tell(error as Error);
      return hasHeard;
    } finally {
      clearTimeout(timer);
      isConnected = false;
    }
  }

  function takeLine(line: string): void {
    let message: ExternalMessage;
    try {
      message = options.read(Buffer.from(line, 'base64'));
    } catch {
      options.onMessage('broken');
      return;
    }
    options.onMessage(options.take(message) ? 'taken' : 'left_out');
  }

  /** Without the address, which may hold a secret. */
  function tell({ message, cause }: Error): void {
    if (isTold) return;
    isTold = true;
    const reason = (cause as { readonly code?: string } | undefined)?.code ?? message;
    log.warn({ reason }, 'The feed of messages is not connected; it is tried again');
  }

  async function run(): Promise<void> {
    let attempt = 1;
    while (!ended.signal.aborted) {
      attempt = (await readOnce()) ? 1 : attempt + 1;
      await pause(backOffDelay(attempt, firstWaitMs, MAX_WAIT_MS), ended.signal, { ref: false });
    }
  }

  const running = run();
  return {
    isConnected: () => isConnected,
    async close() {
      ended.abort();
      await running;
    },
  };
}

/** A message of 65 535 bytes, the most that nodes take, with room to spare. */
const MAX_LINE = 128 * 1024;
const DATA = 'data:';

/**
 * The messages of a feed as it sends them: a bag of cells in base64 on each line, or in the data of a server-sent event.
 * Other fields of events, comments and empty lines say that the feed is there. A line that is too long is left out.
 */
async function* readFeedLines(body: AsyncIterable<Uint8Array>, onBytes: () => void): AsyncIterable<string> {
  const decoder = new TextDecoder('latin1');
  let rest = '';
  let isTooLong = false;
  for await (const bytes of body) {
    onBytes();
    const lines = (rest + decoder.decode(bytes)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const message = isTooLong ? undefined : messageIn(line);
      isTooLong = false;
      if (message !== undefined) yield message;
    }
    if (rest.length > MAX_LINE) {
      rest = '';
      isTooLong = true;
    }
  }
}

/** The message in a line; undefined where there is none. */
function messageIn(line: string): string | undefined {
  const text = (line.startsWith(DATA) ? line.slice(DATA.length) : line).trim();
  // What is neither base64 nor the data of an event is another field of one, or a comment.
  return text.length <= MAX_LINE && /^[A-Za-z0-9+/_-]+=*$/.test(text) ? text : undefined;
}
