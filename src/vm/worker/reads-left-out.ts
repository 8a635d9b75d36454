/**
 * Every instruction that can get hold of the configuration root or the previous blocks in c7, by the names that the
 * log of TVM uses; some only might. The rest of what depends on the configuration (fees, limits, versions) comes from
 * parameters that a trimmed configuration has. A child machine (RUNVM) logs elsewhere, but gets no c7 except from
 * these.
 */
const READERS = /^execute (?:CONFIG|PREV|GETPARAM|GETGLOBVAR|GETGLOB 0|PUSHCTRX|SETCONTCTRMANY|\S+ c7)/m;

/**
 * Whether a run may have looked at the configuration itself, or at previous blocks. The emulator logs each instruction
 * whatever it is asked for, so a log without any proves nothing.
 */
export function readsLeftOut(log: string): boolean {
  return !log.includes('execute ') || READERS.test(log);
}
