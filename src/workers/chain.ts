import type { Channel } from '../lib/channel.ts';
import { Failure } from '../lib/errors.ts';
import type { Crew } from './crew.ts';

/** Passes on what the chain process tells, and the commands to it. */
export function keepChain(crew: Pick<Crew, 'onJoin' | 'ready' | 'tellOthers' | 'askAll'>): void {
  let state: unknown = null;
  crew.onJoin((member) => {
    const { channel, post } = member;
    if (post.kind === 'chain') {
      channel.on('chainState', (next: unknown) => {
        state = next;
        crew.tellOthers(member, 'chainState', state);
      });
      channel.on('followRestore', () => crew.askAll('followRestore'));
      return;
    }
    channel.on('readChainState', () => state);
    channel.on('command', (...call: readonly unknown[]) => {
      const [chain] = crew.ready('chain');
      if (chain === undefined)
        throw new Failure('unavailable', 'the local chain is being started again', { retryAfterSeconds: 1 });
      return chain.channel.call('command', ...call);
    });
  });
}

const TELL_EVERY_MS = 500;

/** Tells the workers the state of the local chain and the indexer, and takes their commands. */
export function tellChain<State>(
  channel: Channel,
  read: () => State,
  command: ((name: string, ...args: readonly unknown[]) => unknown) | undefined,
): () => void {
  const tell = (): void => channel.notify('chainState', read());
  const timer = setInterval(tell, TELL_EVERY_MS);
  tell();
  if (command !== undefined) channel.on('command', command);
  return () => clearInterval(timer);
}

/** The state of the local chain and the indexer, which run in another process, as it was half a second ago at most. */
export async function watchChain<State>(channel: Channel): Promise<() => State> {
  let state: State = await channel.call<State>('readChainState');
  channel.on('chainState', (next: State) => {
    state = next;
  });
  return () => state;
}
