import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export type Change = (work: () => Promise<unknown>) => Promise<void>;

/** Runs changes one at a time; `problem` says why the last one failed. */
export function useChange(onDone: () => void): { problem: ComponentChildren; change: Change } {
  const [text, setText] = useState('');
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      setText('');
    } catch (error) {
      setText((error as Error).message);
    }
    onDone();
  };
  const problem = text !== '' && (
    <p class="bad" role="alert">
      {text}
    </p>
  );
  return { problem, change };
}
