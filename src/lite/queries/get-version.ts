import type { Version } from '../../chain/tl/masterchain.ts';
import type { Ask } from './ask.ts';
import { askPlainly } from './ask-for.ts';

/** The version, capabilities and clock of a server. */
export function getVersion(ask: Ask): Promise<Version> {
  return askPlainly(ask, { method: 'getVersion' });
}
