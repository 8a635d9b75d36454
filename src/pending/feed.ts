import { backOffDelay } from '../lib/back-off.ts';
import type { Log } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';
import type { ExternalMessage } from '../live/external-messages.ts';
import type { FeedMessage } from '../observe/pending-metrics.ts';

interface MessageFeedOptions {
  readonly url: string;
  /** Reads a bag of cells; throws if it is not an external message. */
  readonly read: (boc: Buffer) => ExternalMessage;
  /** Takes a message; returns false if there is no room for it. */
  readonly take: (message: ExternalMessage) => boolean;
  readonly onMessage: (outcome: FeedMessage) => void;
  readonly log: Log;
  /** First delay of the back-off after a connection ended. */
  readonly firstWaitMs?: number;
  /** A connection without any bytes for this long is closed. */
  readonly silentMs?: number;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** A server without messages is expected to send an empty line or a comment now and then. */
const SILENT_MS = 60_000;

/** Connects to a service that streams external messages of others, and stays connected until it is closed. */
export function openMessageFeed(options: MessageFeedOptions) {
  const { url, log, firstWaitMs = FIRST_WAIT_MS, silentMs = SILENT_MS } = options;
  const ended = new AbortController();
  let isConnected = false;
  let hasLogged = false;

  /** Reads until the connection ends; returns whether a message came. */
  async function readOnce(): Promise<boolean> {
    let hasReceived = false;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error(`silent for ${silentMs} ms`)), silentMs);
    try {
      const response = await fetch(url, {
        headers: { accept: 'text/event-stream, text/plain' },
        signal: AbortSignal.any([ended.signal, silence.signal]),
      });
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        throw new Error(`status ${response.status}`);
      }
      isConnected = true;
      hasLogged = false;
      log.info({}, 'Message feed connected');
      for await (const line of readFeedLines(response.body, () => timer.refresh())) {
        hasReceived = true;
        takeLine(line);
      }
      throw new Error('connection closed');
    } catch (error) {
      if (!ended.signal.aborted) logFailure(error as Error);
      return hasReceived;
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

  /** Leaves out the URL, which may contain a secret. */
  function logFailure({ message, cause }: Error): void {
    if (hasLogged) return;
    hasLogged = true;
    const reason = (cause as { readonly code?: string } | undefined)?.code ?? message;
    log.warn({ reason }, 'Message feed disconnected, reconnecting');
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

/** Base64 of 65 535 bytes, the largest message that nodes accept, with room to spare. */
const MAX_LINE = 128 * 1024;
const DATA = 'data:';

/**
 * Yields the messages of a feed: a bag of cells in base64 per line, or in the data of a server-sent event. Other event
 * fields, comments and empty lines only keep the connection alive. A line that is too long is skipped.
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

function messageIn(line: string): string | undefined {
  const text = (line.startsWith(DATA) ? line.slice(DATA.length) : line).trim();
  // Anything else than base64 is another field of an event, or a comment.
  return text.length <= MAX_LINE && /^[A-Za-z0-9+/_-]+=*$/.test(text) ? text : undefined;
}
