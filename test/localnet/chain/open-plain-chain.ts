import { createLocalnet, type LocalnetOptions } from '../../../src/localnet/chain/create-localnet.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import type { External } from '../../../src/localnet/collate/external-messages.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { createPlainCollator, plainZeroStates } from './plain-collator.ts';

interface PlainOptions extends Partial<Omit<LocalnetOptions, 'settings'>> {
  readonly folder: string;
  readonly settings?: Partial<LocalnetOptions['settings']>;
  readonly judge?: (message: External) => 'included' | 'rejected' | 'postponed' | 'broken';
}

/** A chain of blocks without transactions in a folder; it makes blocks when it is told to. */
export async function openPlainChain({
  folder,
  settings,
  judge,
  ...others
}: PlainOptions): Promise<Localnet & { readonly log: ReturnType<typeof createQuietLog> }> {
  const log = createQuietLog();
  const localnet = await createLocalnet({
    folder,
    settings: { blockMs: 1000, mine: 'interval', shards: 1, ...settings },
    makeZeroStates: plainZeroStates,
    createCollator: (store) => createPlainCollator(store, judge),
    log,
    ...others,
  });
  return Object.assign(localnet, { log });
}
