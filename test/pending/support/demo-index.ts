import { createDetection } from '../../../src/detect/create-detection.ts';
import { DETECTORS } from '../../../src/detect/detectors/all-detectors.ts';
import { knownContracts } from '../../../src/detect/known-contracts.ts';
import { createWriter } from '../../../src/index/write/writer.ts';
import { createIndexer } from '../../../src/ingest/indexer.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { classifyAll } from '../../classify/support/classifying.ts';
import { isComplete, until, untilNothingIsMissing } from '../../ingest/support/test-indexer.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedDecoder } from '../../support/shared-decoder.ts';
import type { EmulatorContext } from './emulator-context.ts';

const PARTITION_SEQNOS = 10;
const TIMING = { heartbeatMs: 100, pollMs: 20, missingMs: 20 };

/** Indexes and classifies a whole chain; the index is that of the demo, or empty. */
export async function indexChain(
  { localnet, pool, vm }: EmulatorContext,
  { url, database }: Pick<TestDatabase, 'url' | 'database'>,
): Promise<void> {
  const log = createQuietLog();
  const [decoder, writer] = [
    sharedDecoder(),
    createWriter({ url, log, metadata: createChainMetadataReader() }),
  ];
  const [db, check] = [database.primary, { verify: true }];
  const detection = createDetection({
    vm,
    db,
    pool,
    check,
    log,
    detectors: DETECTORS,
    known: knownContracts('other'),
  });
  const indexer = createIndexer({
    pool,
    check,
    db,
    decoder,
    writer,
    detection,
    vm,
    log,
    timing: TIMING,
    from: 1,
    partitionSeqnos: PARTITION_SEQNOS,
  });
  try {
    indexer.start();
    await until(indexer, isComplete(localnet.store.head.seqno));
    await untilNothingIsMissing({ database });
    await classifyAll({ url, database });
  } finally {
    await indexer.close();
    await Promise.all([decoder.close(), writer.close()]);
  }
}

/** The action types that each sentence of the demo script stands for. */
const NAMES: readonly (readonly [words: RegExp, ...types: string[]])[] = [
  [/ greets |gives? (money|some of the extra currency)/, 'ton_transfer'],
  [/publishes the code/, 'call_contract'],
  [/opens a marketplace|deploys|makes a collection|opens the zone/, 'contract_deploy'],
  [/locks money/, 'contract_deploy', 'vesting_add_whitelist'],
  [/makes a jetton/, 'contract_deploy', 'jetton_mint'],
  [/with four NFTs/, 'nft_mint'],
  [/sends (jettons|some of that jetton)/, 'jetton_transfer'],
  [/burns jettons/, 'jetton_burn'],
  [/tries to send more jettons/, 'call_contract failed'],
  [/asks for alice|asking for carol/, 'nft_mint'],
  [/gives an NFT/, 'nft_transfer'],
  [/one through the marketplace/, 'nft_put_on_sale'],
  [/buys an NFT/, 'nft_purchase'],
  [/sets the records/, 'change_dns'],
  [/proposes to pay/, 'multisig_create_order'],
  [/approves the payment/, 'multisig_approve'],
  [/which is thus made/, 'multisig_execute'],
  [/not locked|stakes some of the locked/, 'vesting_send_message'],
  [/makes the contract (throw|send more|use up)/, 'call_contract failed'],
  [/account that does not exist/, 'ton_transfer failed'],
  [/ bids for /, 'nft_mint'],
  // Bids are told from other payments only in the zone of the mainnet.
  [/ bids (more|most)/, 'ton_transfer'],
  [/ nominates|adds to his deposit/, 'stake_deposit'],
  [/asks for her deposit/, 'stake_withdrawal_request'],
  [/has nora paid out/, 'call_contract', 'stake_withdrawal'],
  [/stakes, first for a wrong election/, 'election_deposit failed', 'election_deposit'],
  [/stakes what is in the pool/, 'call_contract', 'election_deposit'],
  [/asks for his stake too early/, 'call_contract', 'election_recover failed'],
  [/takes (his|the) stake back/, 'election_recover'],
  [/complains about victor|votes against|shows the pool/, 'call_contract'],
  // An external message to a contract that is not a wallet and sends nothing.
  [/The configuration names|The validator set gets an end|A validator set without an end/, 'unknown'],
];

interface Told {
  readonly type: string;
  readonly success: boolean | null;
  readonly ancestor_type: readonly string[];
}

/** Action types that a demo step should have and does not, and sentences without a known type. */
export function missingNames(what: string, actions: readonly Told[]): string[] {
  const told = new Set(
    actions
      .filter(({ ancestor_type }) => ancestor_type.length === 0)
      .map(({ type, success }) => (success ? type : `${type} failed`)),
  );
  return what
    .split(/(?<=\.) /)
    .flatMap((sentence) => {
      const names = NAMES.filter(([words]) => words.test(sentence)).flatMap(([, ...types]) => types);
      return names.length === 0 ? [`a name for “${sentence}”`] : names;
    })
    .filter((name) => !told.has(name));
}
