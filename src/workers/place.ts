import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { type Channel, openChannel } from '../lib/channel.ts';
import type { BudgetShare } from '../lib/payer-budget.ts';
import { shareBudgets } from './budgets.ts';

/** What a process of a server does: it serves requests, or runs the local chain and the indexer. */
export interface Post {
  readonly kind: 'worker' | 'chain';
  /** From 1; a process that replaces another one has its number. */
  readonly number: number;
}

/** What a process is told when it begins. */
export interface Greeting {
  readonly post: Post;
  readonly command: 'start' | 'serve';
  /** How many workers there are. */
  readonly workers: number;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Signs the tokens of pages, base64. */
  readonly pageSecret: string;
  /** Whether another process runs the local chain and the indexer. */
  readonly hasChainProcess: boolean;
}

/** What a process tells when it is up; only the chain process and the first worker have something to tell. */
export type Started = Readonly<Record<string, unknown>>;

/** The place of this process among those of its server. */
export interface Place extends Greeting {
  readonly channel: Channel;
  /** The budget of that name of all processes. */
  readonly budget: (name: string) => BudgetShare;
  /** What all processes that are up answer, this one too. */
  readonly askAll: <T>(name: string, ...args: readonly unknown[]) => Promise<T[]>;
}

/** Behind standard input, output, error and Node's own channel, on which connections come. */
export const CHANNEL_FD = 4;

/** Opens the channel to the parent process. */
export async function takePlace(): Promise<Place> {
  const channel = openChannel(new Socket({ fd: CHANNEL_FD }));
  return {
    ...(await channel.call<Greeting>('hello')),
    channel,
    budget: shareBudgets(channel),
    askAll: (name, ...args) => channel.call('askAll', name, ...args),
  };
}

/**
 * The signals that count for a process of a server: Ctrl-C reaches all processes of a terminal, but only the parent
 * decides. SIGTERM to a single worker ends it, and the parent starts another one.
 */
export function signalsOf({ post }: Pick<Place, 'post'>): EventEmitter {
  const signals = new EventEmitter();
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', () => post.kind === 'worker' && signals.emit('SIGTERM'));
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => signals.emit(event, error));
  return signals;
}
