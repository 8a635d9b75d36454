import type { MessageConstructor } from '../../../src/chain/messages/notation/parse-scheme.ts';

/** Whether a constructor gives its opcode a name and fits nothing. */
export function isNameOnly({ parts }: MessageConstructor): boolean {
  return parts.some((part) => part.kind === 'field' && part.layout.kind === 'never');
}
