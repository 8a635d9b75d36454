/** Something that must be closed before the process ends. */
export interface Part {
  readonly name: string;
  readonly close: () => Promise<void> | void;
}

interface CloseResult {
  readonly failed: readonly string[];
  readonly unclosed: readonly string[];
}

/** Share of the time after which order no longer counts. */
const IN_ORDER_SHARE = 0.8;

/**
 * Closes parts one after another, the last one first, and empties the list. When four fifths of the time have
 * passed, all that are left are closed at once: a server with an endless request must not keep the embedded
 * database from being told to stop. Parts that have not closed in time are named in the result.
 */
export async function closeInReverse(
  parts: Part[],
  timeoutMs: number,
  onFailure: (name: string, error: unknown) => void,
): Promise<CloseResult> {
  const failed: string[] = [];
  const open = new Set<Part>();

  async function closeLast(): Promise<void> {
    const part = parts.pop();
    if (part === undefined) return;
    open.add(part);
    try {
      await part.close();
    } catch (error) {
      failed.push(part.name);
      onFailure(part.name, error);
    }
    open.delete(part);
  }

  async function closeInOrder(): Promise<void> {
    while (parts.length > 0) await closeLast();
  }

  const inOrder = closeInOrder();
  await within(inOrder, timeoutMs * IN_ORDER_SHARE);
  const atOnce = [inOrder];
  while (parts.length > 0) atOnce.push(closeLast());
  await within(Promise.all(atOnce), timeoutMs * (1 - IN_ORDER_SHARE));
  return { failed, unclosed: [...open, ...parts].map(({ name }) => name) };
}

/** Waits for work, but not longer than a time. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
