import { useState } from 'preact/hooks';

/** Runs changes one at a time and keeps why the last one failed. */
export function useChange(onDone: () => void) {
  const [problem, setProblem] = useState('');
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
    onDone();
  };
  return { problem, change };
}
