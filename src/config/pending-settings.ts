import { choice, either, integer, onOff, url } from './kinds.ts';
import type { Setting } from './setting.ts';

/** The settings of messages that are not in a block yet, and of emulations. */
export const pendingSettings = {
  PENDING: {
    group: 'Pending and emulation',
    kind: onOff,
    default: 'on',
    sentence:
      'Whether what a message will do is shown as soon as it was sent; `off` emulates no message that is sent.',
  },
  PENDING_LIMIT: {
    group: 'Pending and emulation',
    kind: integer(1, 1_000_000),
    default: '10000',
    sentence:
      'Most pending messages that this process keeps; the oldest make room. A thousand take about 20 MB.',
  },
  PENDING_PER_RPS: {
    group: 'Pending and emulation',
    kind: integer(1, 10_000),
    default: '20',
    sentence:
      'Pending messages that one caller may have at a time for each request a second that it may make; those beyond are sent and not shown.',
  },
  PENDING_FEED_URL: {
    group: 'Pending and emulation',
    kind: url('http', 'https'),
    secret: true,
    sentence:
      'Where messages that others send can be had as they come: a bag of cells in base64 on each line, or as server-sent events.',
  },
  EMULATION_THREADS: {
    group: 'Pending and emulation',
    kind: either(choice('auto'), integer(1, 64)),
    default: 'auto',
    sentence:
      'Threads in which messages are emulated, apart from those of get-methods; `auto` is a quarter of the processors, from 1 to 4. A thread takes about 100 MB once it is used.',
  },
  EMULATION_MS_PER_RPS: {
    group: 'Pending and emulation',
    kind: integer(1, 10_000),
    default: '50',
    sentence:
      'Milliseconds of emulation that one caller may use in a second for each request a second that it may make.',
  },
} as const satisfies Record<string, Setting>;
