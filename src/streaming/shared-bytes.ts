import type { Outgoing } from './send-queue.ts';

/** Views of an event that are remembered: with and without an address book, metadata and ids. */
const MAX_REMEMBERED = 8;

/**
 * Makes the bytes of messages. The receivers of an event come one after the other and most of them see the same of it:
 * they share the bytes.
 */
export function createSharedBytes(write: (message: Outgoing) => string) {
  const remembered: { readonly message: Outgoing; readonly bytes: Buffer }[] = [];
  return {
    of(message: Outgoing): Buffer {
      const { type, text, id } = message;
      const same = remembered.find(
        ({ message: one }) => one.text === text && one.id === id && one.type === type,
      );
      if (same !== undefined) return same.bytes;
      const bytes = Buffer.from(write(message));
      remembered.unshift({ message, bytes });
      if (remembered.length > MAX_REMEMBERED) remembered.pop();
      return bytes;
    },
  };
}
