import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { type Channel, openChannel } from '../lib/channel.ts';
import type { BudgetShare } from '../lib/payer-budget.ts';
import { shareBudgets } from './budgets.ts';
import { CHANNEL_FD, type Greeting } from './post.ts';

/** The place of this process among those of its server. */
export interface Place extends Greeting {
  readonly channel: Channel;
  /** The budget of that name of all processes. */
  readonly budget: (name: string) => BudgetShare;
  /** What all processes that are up answer, this one too. */
  readonly askAll: <T>(name: string, ...args: readonly unknown[]) => Promise<T[]>;
}

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
 * decides. SIGTERM to a single worker ends it with the consent of the parent, which starts another one.
 */
export function signalsOf({ post, channel }: Place): EventEmitter {
  const signals = new EventEmitter();
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', () => post.kind === 'worker' && channel.notify('leave'));
  channel.on('leave', () => {
    channel.notify('shut');
    signals.emit('SIGTERM');
  });
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => signals.emit(event, error));
  return signals;
}

/** What a worker has of something that is divided among all of them. */
export function partOf(whole: number, place: Pick<Place, 'workers'> | undefined): number {
  return Math.max(1, Math.floor(whole / (place?.workers ?? 1)));
}

/** Whether this process does what one process of a server does. */
export function isFirst(place: Pick<Place, 'post'> | undefined): boolean {
  return place === undefined || place.post.number === 1;
}
