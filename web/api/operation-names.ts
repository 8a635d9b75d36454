import { signal } from '@preact/signals';
import { get } from './client.ts';

const MAX_NAMES = 2000;
/** One request; what is shown later asks for itself. */
const MAX_OPCODES = 100;
const UNKNOWN = 'unknown';

/** Names of operations by opcode, null for those that have none. */
const names = signal<ReadonlyMap<string, string | null>>(new Map());
const wanted = new Set<string>();
const asked = new Set<string>();

/** The name of an operation of a contract; undefined until the server has told it, and where there is none. */
export function operationName(opcode: string): string | undefined {
  const name = names.value.get(opcode);
  if (name === undefined && !asked.has(opcode)) {
    if (wanted.size === 0) queueMicrotask(() => void ask());
    wanted.add(opcode);
  }
  return name ?? undefined;
}

/** All that a page shows at once are one call. */
async function ask(): Promise<void> {
  const opcodes = [...wanted].slice(0, MAX_OPCODES);
  wanted.clear();
  for (const opcode of opcodes) asked.add(opcode);
  try {
    const answer = await get('/api/v3/decode', { opcodes });
    const told = opcodes.map((opcode, i) => {
      const name = answer.opcodes[i] ?? UNKNOWN;
      return [opcode, name === UNKNOWN ? null : name.replaceAll('_', ' ')] as const;
    });
    const before = names.peek();
    names.value = new Map(before.size > MAX_NAMES ? told : [...before, ...told]);
  } catch {
    // The number is shown, and the next page asks again.
    for (const opcode of opcodes) asked.delete(opcode);
  }
}
