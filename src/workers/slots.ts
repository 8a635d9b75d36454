import type { Channel } from '../lib/channel.ts';
import type { SharedSlots } from '../streaming/connection-slots.ts';
import type { Crew, Member } from './crew.ts';

/** Counts what callers hold in all workers: open streams, and pending messages. */
export function keepSlots(crew: Pick<Crew, 'onJoin' | 'onLeave' | 'tellOthers'>): void {
  const streams = createCounts();
  const messages = createCounts();

  crew.onJoin((member) => {
    const { channel } = member;
    channel.on('takeStream', (caller: string, max: number) => {
      if (max >= 0 && streams.of(caller) >= max) return false;
      streams.add(member, caller, 1);
      return true;
    });
    channel.on('freeStream', (caller: string) => streams.add(member, caller, -1));
    channel.on('countMessage', (sender: string, by: 1 | -1) => {
      messages.add(member, sender, by);
      crew.tellOthers(member, 'countMessage', sender, by);
    });
    channel.on('countMessages', () => channel.notify('countedMessages', messages.all()));
  });
  crew.onLeave((member) => {
    streams.drop(member);
    for (const [sender, count] of messages.drop(member))
      crew.tellOthers(member, 'countMessage', sender, -count);
  });
}

/** Counts by name, of which each process has its part. */
function createCounts() {
  const sums = new Map<string, number>();
  const parts = new Map<Member, Map<string, number>>();
  return {
    of: (name: string) => sums.get(name) ?? 0,
    all: (): [string, number][] => [...sums],
    add(member: Member, name: string, by: number): void {
      const part = parts.get(member) ?? new Map<string, number>();
      parts.set(member, part);
      addTo(part, name, by);
      addTo(sums, name, by);
    },
    /** Takes back what a process has counted, and returns it. */
    drop(member: Member): Map<string, number> {
      const part = parts.get(member) ?? new Map<string, number>();
      parts.delete(member);
      for (const [name, count] of part) addTo(sums, name, -count);
      return part;
    },
  };
}

function addTo(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}

/** The streams of all workers. Those of a worker that ends are free at once. */
export function shareStreamSlots(channel: Channel): SharedSlots {
  return {
    take: (caller, _slot, max) => channel.call<boolean>('takeStream', caller, max).catch(() => undefined),
    free: (caller) => channel.notify('freeStream', caller),
    close: () => {},
  };
}

/** How many messages of a sender the other workers follow. */
export function shareMessageCounts(channel: Channel) {
  const others = new Map<string, number>();
  // All that was counted before this process began; what is counted from then on comes behind it.
  channel.on('countedMessages', (counts: readonly [string, number][]) => {
    for (const [sender, count] of counts) addTo(others, sender, count);
    channel.on('countMessage', (sender: string, by: number) => addTo(others, sender, by));
  });
  channel.notify('countMessages');
  return {
    others: (sender: string) => others.get(sender) ?? 0,
    count: (sender: string, by: 1 | -1) => channel.notify('countMessage', sender, by),
  };
}
