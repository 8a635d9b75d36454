import { choice, duration, either, integer, onOff } from './kinds.ts';
import { inGroup } from './setting.ts';

/** Streams of events, and webhooks. */
export const streamSettings = inGroup('Streaming', {
  STREAMING: {
    kind: onOff,
    default: 'on',
    description: 'Whether `/api/streaming` is served: events over server-sent events and WebSocket.',
  },
  STREAM_RESUME: {
    kind: either(choice('all'), duration),
    default: {
      from: (textOf) => (textOf('NETWORK') === 'localnet' ? 'all' : '24h'),
      shown: '`24h`, and `all` on localnet',
    },
    description:
      'How far back a client may resume a stream, by the times of blocks; an older cursor gets a `gap` notice instead of the events. The index must have the blocks.',
  },
  STREAM_RESUME_EVENTS: {
    kind: integer(1, 1_000_000),
    default: '10000',
    description:
      'Number of missed events that a client is sent when it resumes; a `gap` notice stands for the rest.',
  },
  STREAM_KEEPALIVE_MS: {
    kind: integer(5000, 300_000),
    default: '15000',
    description: 'Time without an event after which a comment is sent on a stream of server-sent events.',
  },
  STREAM_QUEUE_MESSAGES: {
    kind: integer(10, 100_000),
    default: '1000',
    description: 'Number of messages that are kept for a client that reads slowly.',
  },
  STREAM_QUEUE_KB: {
    kind: integer(64, 1_048_576),
    default: '4096',
    description: 'Kilobytes of messages that are kept for a client that reads slowly.',
  },
  WEBHOOKS: {
    kind: onOff,
    default: 'on',
    description:
      'Whether this process serves `/api/webhooks` and sends events to webhooks; needs `STREAMING`.',
  },
  WEBHOOK_PRIVATE: {
    kind: choice('auto', 'on', 'off'),
    default: 'auto',
    description:
      'Whether webhooks may be at private addresses, such as those of this machine; `auto` allows it on a local chain only.',
  },
  WEBHOOKS_PER_KEY: {
    kind: integer(0, 10_000),
    default: '10',
    description: 'Number of webhooks that the holder of an API key may have.',
  },
  WEBHOOK_ADDRESSES: {
    kind: integer(1, 1_000_000),
    default: '100000',
    description: 'Number of addresses that a webhook may watch.',
  },
  WEBHOOK_ADDRESSES_PER_RPS: {
    kind: integer(1, 1_000_000),
    default: '1000',
    description:
      'Number of addresses that all webhooks of a key may watch together, for each request per second of its rate limit. All of them can be replaced once in 100 seconds.',
  },
  WEBHOOK_EVENTS_PER_RPS: {
    kind: integer(1, 10_000),
    default: '10',
    description:
      'Number of events per second for all webhooks of a key together, for each request per second of its rate limit, with bursts of ten seconds; more of them come later.',
  },
  WEBHOOK_REQUESTS: {
    kind: integer(4, 10_000),
    default: '128',
    description:
      'Number of requests to webhooks that this process has under way, each with a file of its own. The webhooks of an owner of keys take a quarter of those that others do not use.',
  },
  STREAM_ANONYMOUS_CONNECTIONS: {
    kind: integer(0, 1_000_000),
    default: '1',
    description: 'Number of streams that an IP address may have open without an API key.',
  },
  STREAM_ANONYMOUS_ADDRESSES: {
    kind: integer(0, 1_000_000),
    default: '10',
    description: 'Number of addresses that a stream without an API key may watch.',
  },
  STREAM_MESSAGES_PER_SECOND: {
    kind: integer(1, 10_000),
    default: '10',
    description:
      'Number of messages per second that a WebSocket may send, and number of pings and pongs; five seconds of them may come at once. A client that sends more is disconnected.',
  },
  STREAM_OPEN_OVER_LIMIT: {
    kind: onOff,
    default: 'off',
    description:
      'Whether a WebSocket above the limit of connections is opened, told so in a message and closed, as TON Center does, instead of refused with 429.',
  },
  STREAM_TEXT_DECIMALS: {
    kind: onOff,
    default: 'off',
    description:
      'Whether `decimals` that an off-chain document has as a number are texts in the metadata of streams, as walletkit needs them.',
  },
  STREAM_REFERENCE_NAMES: {
    kind: onOff,
    default: 'off',
    description: "Whether `/api/streaming/healthz` also has the names of TON Center's components.",
  },
});
